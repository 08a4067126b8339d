// Numbers with 128 binary places, and what counts as equal, as in bough.reference.

const PLACES = 128n;
const ONE = 1n << PLACES;
const TIE = 10n ** 12n;

const knownLogarithms = [0n, 0n];

/** Return k lg k, of a whole number. */
function timesLogarithm(k) {
  if (knownLogarithms[k] === undefined) knownLogarithms[k] = BigInt(k) * logarithm(k);
  return knownLogarithms[k];
}

/** Return lg k: the places before the point, then one binary place for each time it is squared. */
function logarithm(k) {
  const whole = BigInt(31 - Math.clz32(k));
  let rest = (BigInt(k) << PLACES) >> whole, found = whole;
  for (let place = 0n; place < PLACES; place++) {
    rest = (rest * rest) >> PLACES;
    const isTwo = rest >> (PLACES + 1n);
    rest >>= isTwo;
    found = (found << 1n) | isTwo;
  }
  return found;
}

/** Return the nearest double to a quotient of integers of any size. */
function quotient(above, below) {
  if (above === 0n) return 0;
  if (above < 0n) return -quotient(-above, below);
  const shift = BigInt(below.toString(2).length - above.toString(2).length + 64);
  const found = shift >= 0n ? (above << shift) / below : above / (below << -shift);
  return Number(found) * 2 ** -Number(shift);
}

/** Return those whose score is the greatest, up to some slack. */
function greatest(some, score, slack) {
  const scores = some.map(score);
  const most = scores.reduce((one, other) => (other > one ? other : one), scores[0]);
  return some.filter((_, place) => scores[place] >= most - slack);
}

/** Return numbers as integers, all with the same factor 2 ** places. */
function asIntegers(numbers) {
  const places = Math.max(0, ...numbers.map(binaryPlaces));
  return { places, whole: numbers.map((each) => scaled(each, places)) };
}

/** Return an integer times 2 ** places, in steps that no double is too small for. */
function scaled(number, places) {
  let left = places, shifted = number;
  for (; left > 0 && !Number.isSafeInteger(shifted); left--) shifted *= 2;
  return BigInt(shifted) << BigInt(left);
}

function binaryPlaces(number) {
  let places = 0;
  for (let rest = number; !Number.isInteger(rest); rest *= 2) places++;
  return places;
}
