"""Command lines that cannot be understood: what is said, and what to type."""

import pytest

KNOWN = "check, fit, show, predict, evaluate, explain, ask, score, export, compare"
MISTAKES = {
    "shw": f"""\
error: There is no command 'shw'.
  Did you mean 'show'?
  Known: {KNOWN}.
  try:  bough --help
""",
    "--quiet": """\
error: 'bough' has no option --quiet.
  Options come after the command, as in 'bough show -h'.
  try:  bough --help
""",
    "show": """\
error: 'bough show' needs MODEL.
  try:  bough show survived.bough.json --depth 2
""",
    "show MODEL --dpth 2": """\
error: 'bough show' has no option --dpth.
  Did you mean --depth?
  try:  bough show --help
""",
    "show MODEL --depth two": """\
error: --depth 'two' must be a whole number.
  try:  bough show --help
""",
    "show MODEL --depth": """\
error: --depth needs a value.
  try:  bough show --help
""",
    "show MODEL other": """\
error: 'bough show' has no use for 'other'.
  try:  bough show --help
""",
    "show MODEL --color nevr": """\
error: --color 'nevr' is not known.
  Did you mean 'never'?
  Known: 'auto', 'always' and 'never'.
  try:  bough show --help
""",
    "export MODEL": """\
error: 'bough export' needs --to.
  try:  bough export survived.bough.json --to mermaid
""",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_named_with_what_to_type(run, tennis, words):
    found = run(*words.replace("MODEL", str(tennis)).split())
    assert (found.status, found.out, found.err) == (2, "", MISTAKES[words])


def test_a_mistake_is_a_document_under_json(run, tennis):
    found = run("show", tennis, "--dpth", "2", "--json")
    assert (found.status, found.err) == (2, "")
    assert found.document == {
        "schema": "bough/1",
        "command": "show",
        "error": {
            "code": "UsageError",
            "message": "'bough show' has no option --dpth. Did you mean --depth?",
            "hint": "bough show --help",
        },
    }
