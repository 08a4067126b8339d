"""Runs scripts of the page in Node."""

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

STATIC = files("bough.report") / "static"
TEACHING = files("bough.teach.page") / "static"
NODE = shutil.which("node")

needs_node = pytest.mark.skipif(
    NODE is None, reason="needs Node.js, to run the scripts of the page"
)


def run_scripts(names, program, data, folder=STATIC):
    """Return what a program gives back that knows some scripts of the page, and `data`.

    In data that goes either way an integer of any size is written as {"integer": "12"}.
    """
    scripts = "\n".join((folder / name).read_text("utf-8") for name in names)
    whole = f"""
"use strict";
{scripts}
const fromText = (key, each) => (each !== null && each.integer !== undefined ? BigInt(each.integer) : each);
const toText = (key, each) => (typeof each === "bigint" ? {{ integer: String(each) }} : each);
const data = JSON.parse(require("fs").readFileSync(0, "utf-8"), fromText);
const found = (() => {{ {program} }})();
process.stdout.write(JSON.stringify(found, toText));
"""
    done = subprocess.run(
        [NODE, "-e", whole], input=json.dumps(data), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
