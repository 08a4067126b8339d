"""Command lines that cannot be understood: what is said, and what to type."""

import pytest

KNOWN = "check, fit, show, predict, evaluate, explain, ask, score, teach, lesson, export, compare"
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
    "show MODEL --depth -1": """\
error: --depth '-1' must be a whole number, 0 or more.
  try:  bough show --help
""",
    "show MODEL --digits 0": """\
error: --digits '0' must be a whole number, 1 or more.
  try:  bough show --help
""",
    "fit TABLE -t play --split .5 .5 .5": """\
error: --split 0.5 0.5 0.5 must be three shares that add up to 1, for training, development and test rows, as in --split 0.7 0.1 0.2.
""",
    "fit TABLE --split .5 .5": """\
error: --split needs 3 values, as in --split 0.7 0.1 0.2.
  try:  bough fit --help
""",
    "predict MODEL TABLE --ignore B3O3": """\
error: --ignore 'B3O3' is not known.
  Did you mean 'B303'?
  Known: 'B101', 'B102', 'B103', 'B104', 'B105', 'B106', 'B107', 'B108', 'B109', 'B110', 'B111', \
'B112', 'B113', 'B201', 'B202', 'B203', 'B204', 'B205', 'B206', 'B207', 'B208', 'B301', 'B302', 'B303', 'B304' and 'B305'.
  try:  bough predict --help
""",
    "show MODEL -": """\
error: 'bough show' does not take '-'.
  try:  bough show --help
""",
    "show MODEL other": """\
error: 'bough show' does not take 'other'.
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
def test_a_mistake_is_named_with_what_to_type(run, tennis, table, words):
    found = run(*words.replace("MODEL", str(tennis)).replace("TABLE", str(table)).split())
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
