"""The pictures of the README, and others to look at."""

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import sample
from bench import MARKS, change, select

PICTURES = Path(__file__).resolve().parent.parent.parent.parent / "Docs/images"


def pictures(bench):
    """The pictures of the README, light and dark."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.press("/")
    page.type("or")
    page.wait(f"{MARKS}.length > 6")
    page.press("Enter")
    page.wait("!text.readOnly && text.value.startsWith('Paris')")
    page.press("Enter")
    page.type(" Seats 61")
    PICTURES.mkdir(exist_ok=True)
    for scheme, text in (("light", " and 62."), ("dark", " Upstairs.")):
        page.prefer(scheme)
        page.press("s", control=True)
        page.wait("journal.hidden && saving.dataset.state === 'saved'")
        time.sleep(2)  # The marks of changes fade.
        page.type(text)
        page.wait(f"!journal.hidden && journal.textContent.includes({json.dumps(text)})")
        path = PICTURES / f"notes-server-{scheme}.png"
        page.picture(path)
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--skip-if-larger", "--output", path, "256", path], check=False)
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    if bench.options.all:
        others(bench, server, page)


def others(bench, server, page):
    """Pictures to look at while one works on the page: narrow screens and dialogs."""
    folder = Path(tempfile.mkdtemp(prefix="notes-pictures-"))
    for width in (390, 900):
        page.resize(width, 800)
        page.picture(folder / f"{width}.png")
    page.resize(1200, 800)
    page.press("Escape")
    page.press("?")
    page.picture(folder / "help.png")
    page.press("Escape")
    other = bench.open(server)
    for window, addition in ((page, "Seats 61 and 62, upstairs."), (other, "Seats 7 and 8.")):
        window.run(select(sample.TEXTS[0][0].split("\n")[0]))
        window.wait("!text.readOnly && text.value.startsWith('Paris')")
        window.run("held.checked || held.click(); true")
        window.run(change(sample.TEXTS[0][0] + " " + addition))
        window.wait("!draft.hidden")
    page.picture(folder / "draft.png")
    page.press("s", control=True)
    page.wait("draft.hidden && saving.dataset.state === 'saved'")
    other.prefer("dark")
    other.press("s", control=True)
    other.wait("conflict.open")
    other.picture(folder / "conflict.png")
    print(folder)
