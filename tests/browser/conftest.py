"""A real browser without a network, and pages in it."""

import os
import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items):
    """Skip what needs a browser where there is none, or nothing to drive it with."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        why = "needs playwright: make browser"
    else:
        why = "needs Chromium" if CHROMIUM is None else ""
    for item in items:
        if why and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, with all that it asked for and complained of."""

    def __init__(self, browser, path, *, width=1280, scheme="light", media="screen"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            offline=True,
            reduced_motion="reduce",
        )
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.emulate_media(media=media)
        self.page.goto(path.as_uri())
        self.own = path.as_uri()

    def chosen(self):
        """Show the chosen tree, if a simpler one comes first."""
        button = self.page.locator("[data-show=model]:visible")
        if button.count():
            button.first.click()
        return self

    @property
    def others(self):
        """What was asked for beside the page itself."""
        return [url for url in self.requests if url != self.own]

    def run(self, script, argument=None):
        return self.page.evaluate(script, argument)


@pytest.fixture
def opened(browser, tmp_path):
    """Give a function that opens HTML in the browser."""
    contexts = []

    def open_html(html, **options):
        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_text(html, "utf-8")
        found = Opened(browser, path, **options)
        contexts.append(found.context)
        return found

    yield open_html
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe():
    """Give the source of axe-core, which looks for what shuts people out."""
    path = Path(os.environ.get("AXE", AXE))
    if not path.exists():
        pytest.skip("needs axe-core: make browser")
    return path.read_text("utf-8")
