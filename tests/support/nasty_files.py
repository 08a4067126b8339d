"""Files as people have them: what each holds, and what is read, said or refused."""

import gzip
from dataclasses import dataclass, field

NONE = None  # a missing cell


@dataclass(frozen=True)
class Nasty:
    """A file, and what comes of it."""

    name: str
    content: bytes
    columns: dict[str, list] = field(default_factory=dict)
    """What is read; dates and times as text."""
    says: tuple[str, ...] = ()
    """Parts of what is said about it."""
    refused: str = ""
    """A part of why it is refused, or the columns named in `refuses` are."""
    file: str = "x.csv"


def nasty(name, content, columns=None, says=(), refused="", file="x.csv"):
    data = content.encode() if isinstance(content, str) else content
    says = (says,) if isinstance(says, str) else says
    return Nasty(name, data, columns or {}, says, refused, file)


def cells(*texts, beside=None):
    """Return a file with these cells as the column a, quoted, and one beside it."""
    rows = [f'"{text}",{beside[i] if beside else i % 2}' for i, text in enumerate(texts)]
    return "a,y\n" + "\n".join(rows) + "\n"


def mostly(first, *others):
    """Return a file of 300 numbers and some other cells."""
    return cells(*[str(first + i) for i in range(300)], *others)


NUMBERS = [
    nasty(
        "dollars", cells("$4,739.38", "$12.00", "$0.5"), {"a": [4739.38, 12, 0.5]}, "without '$'"
    ),
    nasty("euros after", cells("1.234,56 €", "2,5 €"), {"a": [1234.56, 2.5]}, "without '€'"),
    nasty("pounds", cells("£1,234", "£500"), {"a": [1234, 500]}, "commas between thousands"),
    nasty("Swiss francs", cells("CHF 1'234.50", "CHF 5"), {"a": [1234.5, 5]}, "apostrophes"),
    nasty("Reais", cells("R$ 1.234,50", "R$ 5,00"), {"a": [1234.5, 5]}, "without 'R$'"),
    nasty("minus before $", cells("-$5.50", "$7.25"), {"a": [-5.5, 7.25]}),
    nasty("minus after $", cells("$-5.50", "$7.25"), {"a": [-5.5, 7.25]}),
    nasty("accounting", cells("(123)", "45"), {"a": [-123, 45]}, "negative in brackets"),
    nasty("accounting money", cells("($1,234.50)", "$5.00"), {"a": [-1234.5, 5]}, "is negative"),
    nasty("money in brackets", cells("$(1,234)", "$5"), {"a": [-1234, 5]}),
    nasty("typographic minus", cells("−5", "7"), {"a": [-5, 7]}),
    nasty("percent", cells("12 %", "3.5 %"), {"a": [12, 3.5]}, "without '%'"),
    nasty("percent tight", cells("12%", "3%"), {"a": [12, 3]}),
    nasty("kilograms", cells("5 kg", "7.5 kg"), {"a": [5, 7.5]}, "without 'kg'"),
    nasty("kilometres per hour", cells("5km/h", "70km/h"), {"a": [5, 70]}),
    nasty("degrees", cells("21.5 °C", "-3 °C"), {"a": [21.5, -3]}),
    nasty("days", cells("1 day", "3 days"), {"a": [1, 3]}, "'day' and 'days'"),
    nasty("thousands and points", cells("1,234.5", "12"), {"a": [1234.5, 12]}),
    nasty("millions", cells("1,234,567", "12"), {"a": [1234567, 12]}),
    nasty("lakhs", cells("12,34,567", "1,00,000"), {"a": [1234567, 100000]}),
    nasty("German", cells("1.234,56", "-2,5"), {"a": [1234.56, -2.5]}, "a decimal comma"),
    nasty("German millions", cells("1.234.567", "12"), {"a": [1234567, 12]}),
    nasty("French", cells("1 234,5", "12"), {"a": [1234.5, 12]}, "blanks between thousands"),
    nasty("narrow blanks", cells("1\u202f234,5", "12\u00a0345"), {"a": [1234.5, 12345]}),
    nasty("semicolons", "a;y\n1,234;0\n2,500;1\n", {"a": [1.234, 2.5]}, "a semicolon"),
    nasty("1,234 between semicolons", "a;y\n1,234;0\n2,500;1\n", says="since semicolons separate"),
    nasty("leading zero", cells("0,123", "1,234"), {"a": [0.123, 1.234]}, "a decimal comma"),
    nasty("1.234 everywhere", cells("1.234", "500"), {"a": [1.234, 500]}, "may separate thousands"),
    nasty("1,234 everywhere", cells("1,234", "500"), refused="a decimal comma, or a comma between"),
    nasty(
        "1,234 beside 2.5",
        cells("1,234", "2,345", beside=["2.5", "3.5"]),
        {"a": [1234, 2345]},
        "as in other columns",
    ),
    nasty("1.234 beside 2,5", "a;y\n1.234;2,5\n500;3,5\n", {"a": [1234, 500], "y": [2.5, 3.5]}),
    nasty("two units", cells("5 kg", "7 lb", "8 kg"), {"a": ["5 kg", "7 lb", "8 kg"]}, "'7 lb'"),
    nasty("codes", cells("01234", "56789"), {"a": ["01234", "56789"]}, "leading zeros"),
    nasty("long numbers", cells("18446744073709551616", "2"), says="more than 64 bits"),
    nasty("names with numbers", cells("D1", "D2"), {"a": ["D1", "D2"]}),
    nasty("versions", cells("1.2.3", "1.10.3"), {"a": ["1.2.3", "1.10.3"]}),
    nasty("times of day", cells("10:30", "11:45"), {"a": ["10:30", "11:45"]}),
    nasty("Python numbers", cells("1_000", "2_000"), {"a": ["1_000", "2_000"]}),
    nasty("infinity", cells("inf", "5", "6"), refused="which is not a finite number"),
    nasty("too large", cells("1e999", "5", "6"), refused="which is not a finite number"),
    nasty("a stray word", mostly(1, "unknown"), says="treated as missing: 'unknown' in line 302"),
    nasty("a few NA", mostly(1, "NA", "NA"), says="2 cells are not numbers"),
    nasty("many NA", cells("1", "NA", "3"), {"a": ["1", "NA", "3"]}, "because of 'NA' in line 3"),
    nasty("dashes", cells("$5", "-", "$7"), {"a": ["$5", "-", "$7"]}, "because of '-' in line 3"),
    nasty("NA among words", cells("DE", "NA"), {"a": ["DE", "NA"]}, "may mean a missing value"),
    nasty("question marks", cells("x", "?"), {"a": ["x", "?"]}, "'?' in 'a' may mean"),
]

DATES = [
    nasty("month names", cells("09-Feb-2024", "1-Mar-2024"), {"a": ["2024-02-09", "2024-03-01"]}),
    nasty(
        "long names", cells("9 February 2024", "1 May 2024"), {"a": ["2024-02-09", "2024-05-01"]}
    ),
    nasty(
        "American names", cells("Feb 9, 2024", "May 1, 2024"), {"a": ["2024-02-09", "2024-05-01"]}
    ),
    nasty("capitals", cells("09-FEB-24", "01-MAR-24"), {"a": ["2024-02-09", "2024-03-01"]}),
    nasty(
        "American",
        cells("12/31/2024", "1/2/2024"),
        {"a": ["2024-12-31", "2024-01-02"]},
        "the month first",
    ),
    nasty(
        "British",
        cells("31/12/2024", "1/2/2024"),
        {"a": ["2024-12-31", "2024-02-01"]},
        "the day first",
    ),
    nasty("German dates", cells("31.12.2024", "1.2.2024"), {"a": ["2024-12-31", "2024-02-01"]}),
    nasty(
        "short years", cells("12/31/24", "1/2/69"), {"a": ["2024-12-31", "1969-01-02"]}, "from 1969"
    ),
    nasty("year first", cells("2024/12/31", "2024/1/2"), {"a": ["2024-12-31", "2024-01-02"]}),
    nasty(
        "AM and PM",
        cells("12/31/2024 1:05 PM", "1/2/2024 12:00 AM"),
        {"a": ["2024-12-31 13:05:00", "2024-01-02"]},
    ),
    nasty(
        "a browser's",
        cells("12/31/2024, 1:05:06 PM", "1/2/2024, 3:00:00 AM"),
        {"a": ["2024-12-31 13:05:06", "2024-01-02 03:00:00"]},
    ),
    nasty("day or month", cells("2/9/24", "3/9/24"), refused="the day or the month first"),
    nasty(
        "another column tells",
        "a,b,y\n12/31/2024,2/9/24,0\n11/30/2024,3/9/24,1\n",
        {"b": ["2024-02-09", "2024-03-09"]},
        "as in other columns",
    ),
    nasty("no such day", cells("2024-02-30", "2024-02-28"), says="because of '2024-02-30'"),
    nasty("two forms", cells("2024-02-28", "31.12.2024"), says="because of"),
    nasty(
        "ISO with zone",
        cells("2024-02-29T13:45:06+02:00", ""),
        {"a": ["2024-02-29 11:45:06", NONE]},
    ),
]

FILES = [
    nasty(
        "sep line",
        "sep=;\na;y\n1;2\n3;4\n",
        {"a": [1, 3]},
        "1 line above the header left out: 'sep=;'",
    ),
    nasty(
        "title", "Sales 2024\n\na,b,y\n1,2,3\n4,5,6\n", {"a": [1, 4]}, "2 lines above the header"
    ),
    nasty("padded title", "Sales,,\n,,\na,b,y\n1,2,3\n4,5,6\n", {"a": [1, 4]}, "'Sales,,'"),
    nasty(
        "comments",
        "# made on Monday, by me\na,y\n1,2\n3,4\n",
        {"a": [1, 3]},
        "1 line above the header",
    ),
    nasty("BOM", b"\xef\xbb\xbfa,y\n1,2\n3,4\n", {"a": [1, 3]}),
    nasty("Windows ends", "a,y\r\n1,2\r\n3,4\r\n", {"a": [1, 3]}),
    nasty("old Mac ends", "a,y\r1,2\r3,4\r", {"a": [1, 3]}),
    nasty("tabs", "a\ty\n1\t2\n3\t4\n", {"a": [1, 3]}),
    nasty("bars", "a|y\n1|2\n3|4\n", {"a": [1, 3]}, "a bar"),
    nasty("gzip", gzip.compress(b"a,y\n1,2\n3,4\n", mtime=0), {"a": [1, 3]}, file="x.csv.gz"),
    nasty(
        "latin-1",
        "a,y\ncaf\u00e9,1\nth\u00e9,2\n".encode("latin-1"),
        refused="is not UTF-8 (line 2",
    ),
    nasty("UTF-16", "a,y\n1,2\n3,4\n".encode("utf-16"), refused="is UTF-16, not UTF-8"),
    nasty("colons", "a:y\n1:2\n3:4\n", refused="no comma, semicolon, tab or bar"),
    nasty("no header", "1,2\n3,4\n5,6\n", refused="has '1' where a name should be"),
    nasty("short row", "a,b,y\n1,2,3\n4,5\n", refused="line 3 of 'x.csv' has 2 cells"),
    nasty("long row", "a,y\n1,2\n3,4,5\n", refused="line 3 of 'x.csv' has 3 cells"),
    nasty(
        "trailing commas", "a,y\n1,2,\n3,4,\n", refused="Is there a comma at the end of each row"
    ),
    nasty("open quote", 'a,y\n"1,2\n3,4\n', refused="is not closed"),
    nasty("quote inside", 'a,y\n5" disk,2\n3,4\n', refused="a quote inside a cell"),
    nasty("NUL", b"a,y\n1,\x00\n", refused="a NUL byte"),
    nasty("empty", "", refused="is empty"),
    nasty("only a header", "a,y\n", refused="has a header but no rows"),
    nasty("names twice", "a,a,y\n1,2,3\n", refused="appears 2 times"),
    nasty("no name", "a,,y\n1,2,3\n4,5,6\n", {"column_2": [2, 5]}, "has no name in the file"),
    nasty("zip", b"PK\x03\x04" + bytes(30), refused="is a zip file", file="x.zip"),
    nasty("line breaks in cells", 'a,y\n"x\ny",1\nz,2\n', {"a": ["x\ny", "z"]}),
    nasty("Yes and yes", "a,y\nYes,1\nyes ,2\nno,3\n", {"a": ["Yes", "yes ", "no"]}),
]

NASTY = [*NUMBERS, *DATES, *FILES]


@dataclass(frozen=True)
class Written:
    """A way of writing amounts from 1 to 3,000 or days of 2024, and a cell that contradicts it."""

    name: str
    write: object
    """What makes the cell of a number from 1 to 3,000, with two decimals; or of a date."""
    contradicts: str
    is_date: bool = False
    delimiter: str = ","
    encoding: str = "utf-8"


def grouped(sign, decimal):
    """Return what writes thousands with a sign between them."""
    signs = str.maketrans({",": sign, ".": decimal})
    return lambda amount: f"{amount:,.2f}".translate(signs)


def strftime(form):
    return lambda day: day.strftime(form)


WRITTEN = [
    Written("plain", lambda x: f"{x:.2f}", "3,5"),
    Written("plain, thousands later", lambda x: f"{x:.2f}", "3,000"),
    Written("whole", lambda x: f"{x:.0f}", "1,234"),
    Written("decimal comma", lambda x: f"{x:.2f}".replace(".", ","), "3.000", delimiter=";"),
    Written("quoted decimal comma", lambda x: f"{x:.2f}".replace(".", ","), "3.5"),
    Written("German", grouped(".", ","), "1,234.5", delimiter=";"),
    Written("English", grouped(",", "."), "1.234,5"),
    Written("French", grouped("\u202f", ","), "1 234.50"),
    Written("Swiss", grouped("'", "."), "1'234,50"),
    Written("dollars", lambda x: f"${x:,.2f}", "3.50"),
    Written("dollars, euros later", lambda x: f"${x:,.2f}", "€3.50"),
    Written("euros", lambda x: grouped(".", ",")(x) + " €", "3.50 €", encoding="cp1252"),
    Written("percent", lambda x: f"{x:.1f} %", "0.12"),
    Written("kilograms", lambda x: f"{x:.1f} kg", "3 lb"),
    Written("accounting", lambda x: f"({x:,.2f})", "3,5"),
    Written("ISO", strftime("%Y-%m-%d"), "25/02/2024", is_date=True),
    Written("American", strftime("%m/%d/%Y"), "25/02/2024", is_date=True),
    Written("British", strftime("%d/%m/%Y"), "02/25/2024", is_date=True),
    Written("German dates", strftime("%d.%m.%Y"), "2024-02-25", is_date=True),
    Written("short years", strftime("%m/%d/%y"), "25/02/24", is_date=True),
    Written("names of months", strftime("%d-%b-%Y"), "02/03/2024", is_date=True),
    Written("with a time", strftime("%m/%d/%Y %I:%M %p"), "25/02/2024 1:00 PM", is_date=True),
]
