"""Make the pictures and the notebooks of `docs/learn` from its chapters.

    python benchmarks/learn_pages.py [--run]

A chapter holds everything once. A picture is what the Python in the comment above it draws. A notebook has
the words, commands and examples of its chapter; with --run, notebooks are executed and what they print is
compared with what the chapters say.
"""

import doctest
import json
import os
import re
import sys
from argparse import ArgumentParser
from pathlib import Path

LEARN = Path(__file__).resolve().parents[1] / "docs" / "learn"
CHAPTERS = sorted(LEARN.glob("[1-9]*.md"))
NOTEBOOKS = LEARN / "notebooks"
PICTURE = r"<!-- draw (?P<code>.+?) -->\n!\[(?P<told>.*?)\]\((?P<file>pictures/[\w.-]+)\)"
PARTS = re.compile(
    rf"^```\n\$ (?P<command>.+)\n(?P<printed>(?s:.*?))^```$"
    rf"|^```pycon\n(?P<examples>(?s:.*?))^```$|^{PICTURE}$",
    re.M,
)
BOLD = re.compile(r"\x1b\[[\d;]*m")
LINK = re.compile(r"\]\((?![a-z]+:)([^)]+)\)")
SURROUNDINGS = {"COLUMNS": "100", "NO_COLOR": "1"}  # as the sessions of pages are run


def examples(page):
    """Return the examples of a text with what they give."""
    found = [part["examples"] for part in PARTS.finditer(page) if part["examples"]]
    return [each for text in found for each in doctest.DocTestParser().get_examples(text)]


def pictures(page):
    """Return the pictures of a chapter as they are drawn now, by file name."""
    names = {}
    for each in examples(page):
        if not each.source.startswith("print("):
            exec(each.source, names)
    drawn = (part for part in PARTS.finditer(page) if part["code"])
    return {part["file"]: eval(part["code"], names).rstrip() + "\n" for part in drawn}


def notebook(page, folder=LEARN):
    """Return the text of the notebook of a chapter."""
    cells, end = [_code("import bough\nfrom IPython.display import SVG")], 0
    for part in PARTS.finditer(page):
        cells += _words(page[end : part.start()])
        cells += _cells(part, folder)
        end = part.end()
    cells += _words(page[end:])
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _words(text):
    text = LINK.sub(r"](../\1)", text).strip()
    return [{"cell_type": "markdown", "metadata": {}, "source": _lines(text)}] if text else []


def _cells(part, folder):
    """Give the cells of a command, of examples, or of a picture."""
    if part["command"]:
        return [_code(f"!{part['command']}", _printed(part["printed"]))]
    if part["code"]:
        drawn = (folder / part["file"]).read_text("utf-8")
        shown = {"data": {"image/svg+xml": _lines(drawn)}, "output_type": "execute_result"}
        shown |= {"execution_count": None, "metadata": {}}
        return [_code(f"SVG({part['code']})", shown)]
    cells, waiting = [], ""
    for each in doctest.DocTestParser().get_examples(part["examples"]):
        waiting += each.source
        if each.want:
            shown = _printed if each.source.startswith("print(") else _value
            cells.append(_code(waiting, shown(each.want.replace("<BLANKLINE>", ""))))
            waiting = ""
    return [*cells, _code(waiting)] if waiting else cells


def _code(source, *outputs):
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": list(outputs),
        "source": _lines(source.rstrip()),
    }


def _printed(text):
    return {"name": "stdout", "output_type": "stream", "text": _lines(text)}


def _value(text):
    data = {"text/plain": _lines(text.rstrip())}
    about = {"execution_count": None, "metadata": {}, "output_type": "execute_result"}
    return {"data": data, **about}


def _lines(text):
    return text.splitlines(keepends=True)


def run(path):
    """Execute a notebook, and return what its cells print that its chapter does not say."""
    import nbformat
    from nbclient import NotebookClient

    told = nbformat.read(path, 4)
    done = nbformat.from_dict(json.loads(json.dumps(told)))
    NotebookClient(done, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    pairs = zip(told.cells, done.cells, strict=True)
    return [(new.source, _output(new)) for old, new in pairs if _output(old) != _output(new)]


def _output(cell):
    """Return what a cell prints; of a picture, that there is one.

    Kernels print in bold, and put long values into lines of their own.
    """
    found = ""
    for each in cell.get("outputs", ()):
        data = each.get("data", {})
        shown = each.get("text") or ("svg" if "image/svg+xml" in data else data["text/plain"])
        found += " " + BOLD.sub("", "".join(shown))
    return " ".join(found.split())


def main():
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--run", action="store_true", help="execute the notebooks")
    options = parser.parse_args()
    os.environ |= SURROUNDINGS
    is_wrong = False
    for chapter in CHAPTERS:
        page = chapter.read_text("utf-8")
        for name, drawn in pictures(page).items():
            (LEARN / name).parent.mkdir(exist_ok=True)
            (LEARN / name).write_text(drawn, "utf-8")
        path = NOTEBOOKS / f"{chapter.stem}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(notebook(page), "utf-8")
        for lines in run(path) if options.run else ():
            is_wrong = True
            print(f"{chapter.name} does not say what its notebook prints:", *lines, sep="\n")
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
