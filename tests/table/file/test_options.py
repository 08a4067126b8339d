"""What a user says about a file."""

import pytest

from bough.errors import ParameterError


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"delimiter": "::"}, "delimiter='::' must be one ASCII character, such as ';'."),
        ({"delimiter": ""}, "delimiter='' must be one ASCII character, such as ';'."),
        ({"delimiter": "→"}, "delimiter='→' must be one ASCII character, such as ';'."),
        ({"delimiter": "\n"}, "delimiter='\\n' cannot be the end of a line or NUL."),
        ({"delimiter": '"'}, "delimiter='\"' and quote cannot be the same character."),
        ({"quote": "''"}, "quote=\"''\" must be one ASCII character, such as ';'."),
        ({"header": "no"}, "header='no' must be True, False or 'auto'."),
        ({"short_rows": "fill"}, "short_rows='fill' must be 'error' or 'missing'."),
        (
            {"encoding": "utf-9"},
            (
                "encoding='utf-9' is not a known encoding. Examples are 'utf-8', 'latin-1', "
                "'cp1252' and 'utf-16'."
            ),
        ),
        (
            {"missing_marks": 9},
            "missing_marks=9 must be a list of texts, such as ('', 'NA').",
        ),
        ({"decimal": ";"}, "decimal=';' is not known. Known: '.' and ','."),
        ({"thousands": "x"}, "thousands='x' is not known. Known: '', ',', '.', ' ' and \"'\"."),
        ({"decimal": ",", "thousands": ","}, "thousands=',' and decimal cannot be the same sign."),
        ({"skip": -1}, "skip=-1 must be a number of lines, 0 or more."),
        (
            {"date_format": "dd/mm"},
            (
                "date_format='dd/mm' is not a format of dates. Write it with %d, %m and %Y (or %y, "
                "%b, %B, %H, %I, %M, %S, %p), as in '%d/%m/%Y'."
            ),
        ),
        (
            {"missing_marks": ("", 9)},
            "missing_marks=('', 9) must be a list of texts, such as ('', 'NA').",
        ),
    ],
)
def test_what_cannot_be_is_refused(message, options, says):
    assert message("a,b\n1,2\n", error=ParameterError, **options) == says
