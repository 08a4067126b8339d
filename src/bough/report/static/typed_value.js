// What a person types for a feature, as a value that the tree is asked with.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,6})0*)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const LARGEST = 2n ** 63n - 1n;
const HOUR = 3600000000n, DAY = 24n * HOUR;
const HINTS = {
  number: "Type a number such as 31 or 2.5.",
  integer: "Type a whole number such as 31.",
  date: "Type a date such as 2024-02-29 or 2024-02-29 13:45.",
};

// The value of a number, an integer or a date; undefined if the text says none.
function typedValue(kind, text) {
  text = text.trim();
  if (kind === "number") {
    const value = NUMBER.test(text) ? Number(text) : NaN;
    return Number.isFinite(value) ? value : undefined;
  }
  if (kind === "date") return moment(text);
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value > LARGEST || value < -LARGEST ? undefined : value;
}

// Microseconds since 1970, in UTC.
function moment(text) {
  const found = MOMENT.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const ahead = offset(found[8]);
  if (!isDay || year < 1 || hour > 23 || minute > 59 || second > 59 || ahead === undefined) return undefined;
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - ahead;
  return BigInt(seconds) * 1000000n + BigInt((found[7] ?? "").padEnd(6, "0"));
}

// By how many seconds a time zone is ahead of UTC.
function offset(zone) {
  if (!zone || zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3)), minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === "-" ? -60 : 60) * (hours * 60 + minutes);
}

// The values that follow from one: those of the weekday, month and hour of a date.
function valuesOf(features, number, value) {
  const found = new Map([[number, value]]);
  const { column, kind, part } = features[number];
  if (part !== "itself") return found;
  features.forEach((other, place) => {
    if (!other || place === number || other.column !== column) return;
    if (value === null) found.set(place, null);
    else if (kind === "date") found.set(place, partOf(value, other.part));
  });
  return found;
}

function partOf(moment, part) {
  const days = (moment - modulo(moment, DAY)) / DAY;
  if (part === "hour") return Number(modulo(moment, DAY) / HOUR);
  if (part === "weekday") return Number(modulo(days + 3n, 7n)); // 1970 began on a Thursday
  return new Date(Number(days) * 86400000).getUTCMonth();
}

function modulo(value, divisor) {
  return ((value % divisor) + divisor) % divisor;
}
