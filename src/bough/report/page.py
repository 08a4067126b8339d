"""Puts the sections, the look and the scripts together, so that a page loads nothing and runs nothing else."""

import json
from base64 import b64encode
from collections.abc import Collection
from dataclasses import asdict
from functools import cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

import bough
from bough.drawing.leaf_rectangles import is_map, named_features, partition, region_features
from bough.drawing.regions import regions
from bough.drawing.style import (
    COLORS,
    FONTS,
    THEMES,
    check_options,
    color_of,
    colored_classes,
    hex_of,
)
from bough.drawing.svg import on_paper
from bough.errors import BoughError, ParameterError, needs_package
from bough.explain.importances_and_shap_values import importances
from bough.explain.rules_and_conditions import Condition, all_of, trail_conditions
from bough.loss_kinds import LOSSES
from bough.node_words import verdict_of
from bough.query_kinds import QueryKind
from bough.report.columns import data, shuffled
from bough.report.first_screen import earned, facts, headline, in_100, larger, notes
from bough.report.mistakes import errors, for_script
from bough.report.script_data import legend, script_data
from bough.report.subject import Subject
from bough.report.tree_size import depth
from bough.result_words import grown, made_smaller, rows_text, target_text, tried, where_tried
from bough.tree import Tree
from bough.walk import depths
from bough.words import amount, counted, hundredths, leaf_count, plain, share, value_word

_PACKAGE = "bough.report"
# What ends a script or begins a comment in HTML cannot stand in a block of data.
_HARMLESS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
MOST_BOXES = 31  # of a tree that are drawn on paper
WIDEST = 930  # pixels across A4, so that letters have at least 7 points
MOST_IMPORTANT = 15  # columns that have a bar at once
MOST_UNUSED = 20  # columns that are named at once
FEWEST_REGIONS, MOST_REGIONS = 3, 1_000  # that are worth a picture
MOST_IN_CELL = 0.5  # of the rows, where the plane is worth one
MOST_RULES = 300  # that stand in the page itself
LONGEST = 10  # conditions and values of a rule that is unfolded from the start


def page(subject: Subject) -> str:
    """Return the report: one file of HTML, the same for the same subject.

    Examples
    --------
    >>> html = page(Subject(play_tennis_tree))
    >>> html[:15], "https:" in html
    ('<!DOCTYPE html>', False)
    """
    check_options(digits=subject.digits)
    trees = {"simple": subject.smaller, "model": subject}
    views = {name: _view(each, name) for name, each in trees.items() if each is not None}
    first, *others = sorted(views.values(), key=lambda view: view["subject"] is not subject.shown)
    known = views["model"]["known"] | {"simple": views.get("simple", {}).get("known")}
    mistaken = errors(subject)
    known["threshold"] = for_script(mistaken)
    style, script = style_of(_PACKAGE, "page.css", "evidence.css"), script_of(_PACKAGE)
    told = facts(subject)
    html: str = template(_PACKAGE, "page.html").render(
        head=head(f"{told['target']}: a decision tree", style, script),
        script=script,
        data_block=block(known),
        facts=told,
        views=[first, *others],
        n_leaves={name: view["headline"]["n_leaves"] for name, view in views.items()},
        larger=larger(subject),
        notes=notes(subject),
        picture=first["picture"],
        has_questions=len(subject.tree) > 1,
        has_interview=len(subject.tree) > 1 and len(subject.tree.schema.labels) == 1,
        depth=depth(subject),
        errors=mistaken,
        importance=importance(subject),
        shuffled=shuffled(subject),
        areas=areas(subject),
        data=data(subject),
        method=method(subject),
        n_supports=len(known["supports"]) - 1,
    )
    return html


def _view(subject: Subject, name: str) -> dict[str, Any]:
    """Return what differs from tree to tree."""
    drawing = picture(subject)
    return {
        "id": name,
        "subject": subject,
        "headline": headline(subject),
        "picture": drawing,
        "rules": rules(subject),
        "known": script_data(subject),
    }


@cache
def template(package: str, name: str) -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    """Return a template that a package brings along for its page."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise BoughError("The page", needs_package("jinja2", "'bough[cli]'"), ".") from None

    environment = Environment(
        loader=FunctionLoader(partial(read, package)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "breakable": _breakable,
        "glued": _glued,
        "hundredths": hundredths,
        "in_100": in_100,
        "plain": plain,
        "share": share,
    }
    return environment.get_template(name)


def _breakable(name: str) -> Any:  # noqa: ANN401 - Jinja2 is imported where it is used
    """Return a name that goes on in the next line after an underscore, if it must."""
    import markupsafe

    name = str(markupsafe.escape(name))
    return markupsafe.Markup(name.replace("_", "_<wbr>"))  # noqa: S704 - it is escaped


def _glued(text: str) -> str:
    """Return a text in which no line ends between a number and its sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%").replace("± ", "±\N{NO-BREAK SPACE}")


def head(title: str, style: str, script: str = "") -> str:
    """Return the head of a page that may run this script and load this style, and nothing else."""
    runs = f"script-src {_hash(script)}; " if script else ""
    return Template(read(_PACKAGE, "head.html")).substitute(
        policy=f"default-src 'none'; {runs}style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        title=escape(title),
        style=style,
        version=escape(bough.__version__),
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def block(known: dict[str, Any]) -> str:
    """Return data as JSON that no name in it can break out of."""
    return json.dumps(known, separators=(",", ":"), allow_nan=False).translate(_HARMLESS)


@cache
def style_of(package: str, *names: str) -> str:
    """Return the look of a package's page: the colours that all pages share, and its own."""
    light, dark = (asdict(THEMES[name]) for name in ("light", "dark"))
    shared = Template(read(_PACKAGE, "colors.css")).substitute(
        themes="\n".join(f"--{name}: light-dark({light[name]}, {dark[name]});" for name in light),
        classes="\n".join(
            f".color-{place} {{ --color: {hex_of(each)}; }}" for place, each in enumerate(COLORS)
        ),
        fonts=FONTS,
    )
    return _packed("".join([shared, *(read(package, name) for name in names)]))


@cache
def script_of(package: str) -> str:
    """Return what all pages share and a package's scripts as one, in which their names are no one else's.

    The last one, `page.js`, begins; the others only say what is called then.
    """
    found = sorted(each.name for each in (files(package) / "static").iterdir())
    own = [
        name for name in found if name.endswith(".js") and name not in ("elements.js", "page.js")
    ]
    scripts = [read(_PACKAGE, "elements.js"), *(read(package, name) for name in [*own, "page.js"])]
    return f'(()=>{{"use strict";\n{_packed("".join(scripts))}}})()'


def _packed(source: str) -> str:
    """Return lines without indents and comments, and without empty ones."""
    lines = (line.partition(" // ")[0].strip() for line in source.splitlines())
    kept = (line for line in lines if line and not line.startswith(("//", "/*")))
    return "".join(line if line.endswith((";", "{", ",")) else f"{line}\n" for line in kept)


def read(package: str, name: str) -> str:
    """Return a file that a package brings along for its page."""
    return (files(package) / "static" / name).read_text("utf-8")


def picture(subject: Subject) -> dict[str, Any]:
    """Return a drawing for paper and for browsers without scripts, and what the live one shows."""
    tree, digits = subject.tree, subject.digits
    still, drawn = on_paper(tree, WIDEST, max_nodes=MOST_BOXES, digits=digits)
    return {
        "svg": still,
        "n_nodes": len(tree),
        "n_more": len(tree) - drawn,
        "legend": legend(subject),
    }


def importance(subject: Subject) -> dict[str, Any]:
    """Return what each column has gained, and the columns that are never asked about."""
    used = earned(subject)
    unused = [plain(name) for name, gained in importances(subject.tree).items() if gained == 0]
    return {
        "used": used[:MOST_IMPORTANT],
        "more": used[MOST_IMPORTANT:],
        "unused": unused,
        "is_long": len(unused) > MOST_UNUSED,
    }


def areas(subject: Subject) -> dict[str, Any] | None:
    """Return the plane of the two numbers that gained most; None if there is little to see."""
    tree, digits = subject.tree, subject.digits
    if region_features(tree) is None or len(tree.schema.labels) > 1:
        return None
    n_regions = len(partition(tree, named_features(tree, None)))
    if not FEWEST_REGIONS <= n_regions <= MOST_REGIONS:
        return None
    density = None if subject.evidence is None else subject.evidence.density
    if density is None or density.features != region_features(tree):
        return _without_density(subject)
    total = sum(map(sum, density.counts))
    if not total or max(map(max, density.counts)) > MOST_IN_CELL * total:
        return None
    return {
        "svg": regions(tree, density=density, digits=digits),
        "has_density": True,
        "is_map": is_map(density.features),
    }


def _without_density(subject: Subject) -> dict[str, Any] | None:
    ranges = None if subject.evidence is None else subject.ranges
    try:
        drawn = regions(subject.tree, ranges=ranges, digits=subject.digits)
    except ParameterError:  # a range that somebody has written into the file
        return None
    return {"svg": drawn, "has_density": False, "is_map": False}


def method(subject: Subject) -> dict[str, Any]:
    """Return how the rows were split, what was tried and how the tree was chosen."""
    evidence, tree = subject.evidence, subject.tree
    found: dict[str, Any] = {
        "target": target_text(tree) if len(tree.schema.labels) == 1 else "",
        "leaves": leaf_count(tree.n_leaves),
        "questions": counted(int(depths(tree).max()), "question") if len(tree) > 1 else "",
    }
    if evidence is None:
        return found
    settings = {each.setting for each in evidence.curve}
    return found | {
        "rows": rows_text(evidence),
        "n_settings": len(settings),
        "loss": LOSSES[evidence.loss].word,
        "grown": grown(evidence, tree),
        "cut": made_smaller(evidence),
        "among": tried(evidence),
        "choose": evidence.choose,
        "refit": evidence.refit,
        "where": where_tried(evidence),
    }


def rules(subject: Subject) -> dict[str, Any]:
    """Return the leaves as sentences, those of most rows first."""
    tree, stops = subject.tree, subject.stops
    leaves = {node.id: conditions for node, conditions in trail_conditions(tree) if node.is_leaf}
    order = sorted(leaves, key=lambda node: -int(tree.n_rows[node]))
    colored = colored_classes(tree)
    known = _features_with_gaps(tree)
    lines = []
    for node in order[:MOST_RULES]:
        verdict = verdict_of(tree, node, subject.digits)
        conditions = leaves[node]
        line = {
            "node": node,
            "conditions": all_of([condition_words(each, known) for each in conditions]),
            "is_long": sum(map(_length, conditions)) > LONGEST,
            "guess": plain(verdict.guess_word),
            "certainty": verdict.certainty,
            "n_rows": verdict.n_rows,
            "color": color_of(int(tree.class_guess[node, 0]), colored) if colored else "",
        }
        if stops is not None:
            line |= {"n_test": int(stops.n_reached[node]), "test": _on_test_rows(subject, node)}
        lines.append(line)
    return {
        "lines": lines,
        "n_more": len(leaves) - len(lines),
        "certainty": _certainty(subject),
        "on_test": "relevance on test rows" if tree.schema.task.ranks else "on test rows",
        "has_test": stops is not None,
    }


def condition_words(condition: Condition, known: Collection[str] = ()) -> str:
    """Return a condition in words; of a list of values, the side that is shorter.

    Both sides say the same of every value that the column has. `known` names the columns in which
    values were missing, of which 'not' alone would say too much.

    Examples
    --------
    >>> outlook = play_tennis_tree.schema.features[0]
    >>> condition_words(Condition(outlook, codes=(0, 2), may_be_missing=False))
    'outlook not Rain'
    >>> condition_words(Condition(outlook, codes=(0, 2)), known=["outlook"])
    'outlook not Rain, or missing'
    """
    feature, codes = condition.feature, condition.codes
    if codes is None or not condition.may_be_known or feature.name == "":
        return plain(str(condition))
    others = [code for code in range(len(feature.choices)) if code not in codes]
    if not 0 < len(others) < len(codes):
        return plain(str(condition))
    names = ", ".join(value_word(feature.choices[code]) for code in others)
    if condition.may_be_missing:
        return plain(f"{feature.name} not {names}, or missing")
    is_known = "known and " if feature.name in known else ""
    return plain(f"{feature.name} {is_known}not {names}")


def _length(condition: Condition) -> int:
    """Return how much a condition adds to a rule, whatever its names are."""
    if condition.codes is None:
        return 1
    n_others = len(condition.feature.choices) - len(condition.codes)
    return 1 + min(len(condition.codes), n_others or len(condition.codes))


def _features_with_gaps(tree: Tree) -> set[str]:
    """Return the features of which the tree has seen missing values."""
    has_gaps = (tree.missing_child >= 0) | (tree.query_kind == QueryKind.IS_MISSING)
    asked = tree.feature[has_gaps & (tree.feature >= 0)]
    return {tree.schema.features[number].name for number in np.unique(asked).tolist()}


def _certainty(subject: Subject) -> str:
    """Return how leaves say how sure they are; "": they do not."""
    schema = subject.tree.schema
    if len(schema.labels) > 1 or schema.task.ranks:
        return ""
    return "share" if schema.has_classes else "spread"


def _on_test_rows(subject: Subject, node: int) -> str:
    """Return what the test rows say of a leaf: the share that is right, the error, the relevance."""
    stops, digits = subject.stops, subject.digits
    assert stops is not None  # noqa: S101 - who calls has looked
    right, error = stops.right(node), stops.error(node)
    if right is not None:
        return share(right)
    if subject.tree.schema.task.ranks and stops.reached[node, 0]:
        return amount(stops.mean(node), digits)
    return "" if error is None else f"± {amount(error, digits)}"
