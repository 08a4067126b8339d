"""Where the page about a tree is written."""

import os
from pathlib import Path

from bough.cli.arguments import page_beside


def test_beside_a_pipe_there_is_no_page(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert page_beside(tmp_path / "pipe") is None


def test_a_page_never_has_the_name_of_its_model_file():
    assert page_beside(Path("tree.html")) == Path("tree.html.html")
