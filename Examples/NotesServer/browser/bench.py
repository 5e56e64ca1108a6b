"""What the tests of the notes server share: servers, windows, and what is in a page."""

import json
import shutil
import tempfile
from pathlib import Path

import chromium
from server import Server, write_notebook

TESTS = []


def test(body):
    TESTS.append(body)
    return body


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


class Bench:
    """What a test has: a folder, servers that end with the test, and windows."""

    def __init__(self, program, browser, options):
        self.program, self.browser, self.options = program, browser, options
        self.folder = Path(tempfile.mkdtemp(prefix="notes-"))
        self.servers, self.pages = [], []

    def serve(self, notebook=None, name="notes.json", port=0):
        file = self.folder / name
        if notebook:
            write_notebook(file, *notebook)
        self.servers.append(Server(self.program, file, port))
        return self.servers[-1]

    def open(self, server, **size):
        page = chromium.Page(self.browser, server.address, **size)
        self.pages.append(page)
        page.wait("document.querySelectorAll('.row').length > 0 && !text.disabled && !text.readOnly")
        return page

    def end(self):
        for page in self.pages:
            page.close()
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()
        shutil.rmtree(self.folder)


# Values and actions of a page.
TITLES = "[...document.querySelectorAll('.row .title')].map((title) => title.textContent)"
MARKS = "[...document.querySelectorAll('.row mark')].map((mark) => mark.textContent)"
SELECTED = "document.querySelector('[aria-selected=true] .title')?.textContent"


def change(text):
    """Replaces the text of the open note, as a paste does."""
    return f"text.value = {json.dumps(text)}; text.dispatchEvent(new InputEvent('input')); true"


def select(title):
    return (f"[...document.querySelectorAll('.row')].find((row) => row.querySelector('.title').textContent"
            f" === {json.dumps(title)}).click(); true")


def lines(id):
    """The numbers and texts of the lines of a file that the page shows."""
    return (f"[...document.querySelectorAll('#{id} li[data-number]')]"
            f".filter((line) => line.dataset.number).map((line) => [line.dataset.number, line.textContent])")


def expect_lines(shown, text):
    """Whether these lines are in the text of a file, under these numbers. A long one is cut."""
    lines = text.split("\n")
    for number, line in shown:
        whole = lines[int(number) - 1]
        expect(whole == line or line.endswith(" …") and whole.startswith(line[:-2]),
               f"line {number} of the file is another one: {line}")


def shows(text):
    return f"!text.readOnly && text.value === {json.dumps(text)}"
