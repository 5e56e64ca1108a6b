"""The journal beside the file: what is shown of it, and what it keeps."""

import json
import os
import re

import sample
from bench import TITLES, expect, expect_lines, lines, select, test

CAPTION = "document.querySelector('#journal .hint').textContent"


def begin(bench):
    """A server, and a window in which one types into the first note. Its file has been written once.

    A file that was made by hand has no checksum, so the first save writes the whole of it.
    """
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.press("Enter")
    page.wait("document.activeElement === text")
    page.type(" gnu")
    page.press("s", control=True)
    page.wait("document.querySelector('#lines .record')?.textContent.includes('gnu') && journal.hidden")
    expect(not server.changes_in_journal(), "a notebook was saved into its file, and its journal has changes")
    return server, page


def type_word(page, word):
    """Types a word, and waits until it is durable and shown in the last line of the journal."""
    page.type(f" {word}")
    page.wait(f"!sessionStorage.length && !journal.hidden"
              f" && document.querySelector('#journal-lines .record').textContent.includes({json.dumps(word)})")


def text_in_file(server):
    """The text of the first note in the file alone, as a program reads it that knows no journal."""
    return json.loads(server.file.read_text())["notes"][0]["text"]


@test
def journal(bench):
    """Typing adds lines to the journal, which are shown. After a pause the file has the text, and the journal none."""
    server, page = begin(bench)
    before = server.file.read_bytes()
    counts = []
    for word in ("zebra", "quagga"):  # Words that the sample does not have.
        type_word(page, word)
        shown, caption = page.run(f"[{lines('journal-lines')}, {CAPTION}]")
        written = server.journal.read_bytes().split(b"\0")[0].decode()
        expect(server.file.read_bytes() == before, "the file was written for a key press")
        expect(len(shown) == 2, f"the lines of the journal are {shown}")
        expect_lines(shown, written)
        match = re.fullmatch(r"\.notes\.json\.journal: (\d+) changes? since the file was written", caption)
        # Each line has its number. That of the header, the first line, is not a change.
        expect(match and int(match[1]) == json.loads(written.split("\n")[int(shown[1][0]) - 1])["n"],
               f"the caption is {caption}, and the last line {shown[1][0]}")
        expect(match[1] == "1" or "changes" in caption, f"the caption is {caption}")
        counts.append(int(match[1]))
        expect(page.run("document.querySelector('#lines .record').textContent.includes('gnu')"), "the file is not shown")
        expect("zebra" not in page.run("document.getElementById('lines').textContent"), "the file is not shown as it is")
    expect(0 < counts[0] < counts[1], f"the numbers of changes are {counts}")
    page.wait("journal.hidden && document.querySelector('#lines .record').textContent.includes('quagga')", limit=20)
    expect(not server.changes_in_journal(), "the page shows no journal, but there are changes in it")
    expect(text_in_file(server).endswith("zebra quagga"), "the file lacks the text after the pause")
    # Ctrl S does not wait for the pause. The answer comes when the file is written.
    type_word(page, "okapi")
    connection, window = server.window()
    status, text, _ = server.request("POST", "/api/do", {"X-Notes-Window": window}, b'{"do":"save"}')
    expect(status == 204 and not server.changes_in_journal(), f"a save has left changes: {status} {text}")
    expect(text_in_file(server).endswith("okapi"), "the file lacks the text after a save")
    connection.close()
    return f"{counts[1]} changes, then the file"


@test
def journal_pane(bench):
    """The journal moves neither the text nor the file above it, at any width."""
    server, page = begin(bench)
    type_word(page, "okapi")
    server.kill()  # The journal stays, and so does the page.
    for width in (390, 700, 900, 1200):
        page.resize(width, 800)
        moved = page.run("""(() => {
          const boxes = () => JSON.stringify(['text', 'file', 'file-name', 'lines'].map((id) => {
            const { x, y, width } = document.getElementById(id).getBoundingClientRect()
            return { id, x, y, width }
          }).concat(text.clientHeight, file.clientHeight))
          const pane = file.getBoundingClientRect()
          journal.hidden = false
          const [shown, box, above] = [boxes(), journal.getBoundingClientRect(), lines.parentElement.clientHeight]
          journal.hidden = true
          const alone = boxes()
          journal.hidden = false
          if (shown !== alone) return `${shown} without it ${alone}`
          if (box.bottom > pane.bottom + 1 || box.height < 60) return `the journal is at ${box.top} to ${box.bottom}`
          if (above < pane.height / 2) return `${above} of ${pane.height} are left to the file`
          return document.documentElement.scrollWidth > innerWidth ? 'the page is too wide' : ''
        })()""")
        expect(not moved, f"at {width}: {moved}")
    return "390 to 1200 pixels"


@test
def journal_killed(bench):
    """After kill -9 a text that is only in the journal is there again, without a window that repeats it."""
    server, page = begin(bench)
    for count in range(3):
        word = ("zebra", "quagga", "okapi")[count]
        type_word(page, word)
        server.kill()
        expect(word not in server.file.read_text(), "the file was written: this tests nothing")
        expect(any(note["text"].endswith(word) for note in server.notes().values()), f"{word} is not on the disk")
        # Another port is another origin for the browser, so the new page knows nothing of the old one.
        page.close()
        bench.pages.remove(page)
        server = bench.serve()
        page = bench.open(server)
        expect(page.run("text.value").endswith(f" {word}"), f"{word} is lost")
        page.wait("journal.hidden && saving.dataset.state === 'saved'")
        expect(not server.changes_in_journal() and text_in_file(server).endswith(word), "the journal was not folded")
        page.press("Enter")
        page.wait("document.activeElement === text")
    return "3 kills"


@test
def journal_replaced(bench):
    """Another program replaces the file while there is a journal: both changes are in the notebook, and in the file."""
    server, page = begin(bench)
    type_word(page, "okapi")
    content = json.loads(server.file.read_text())
    expect("okapi" not in json.dumps(content), "the file was written: this tests nothing")
    # A program that knows no journal sees the older text, and changes another note.
    content["notes"][1]["text"] = "Changed by hand"
    del content["snapshot"]["checksum"]
    new = server.file.with_name("new")
    new.write_text(json.dumps(content))
    os.replace(new, server.file)
    page.wait(f"{TITLES}.includes('Changed by hand')")
    page.wait("notice.textContent === 'Another program changed the file. The changes are here now.'")
    page.wait("journal.hidden && saving.dataset.state === 'saved'"
              " && document.querySelector('#lines .record').textContent.includes('okapi')")
    expect(page.run("text.value").endswith(" okapi"), "the text in the window is lost")
    texts = [note["text"] for note in json.loads(server.file.read_text())["notes"]]
    expect(texts[0].endswith(" okapi") and texts[1] == "Changed by hand", f"the file has {texts[:2]}")
    expect(not server.changes_in_journal(), "the changes to the replaced file are still in the journal")
    others = sorted(path.name for path in bench.folder.iterdir() if not path.name.startswith("."))
    expect(others == [server.file.name], f"nothing was lost, but there are other files: {others}")
    # A file that is taken as it is needs no save. The journal loses its changes all the same.
    type_word(page, "zebra")
    content = json.loads(server.file.read_text())
    last = server.journal_bytes().split(b"\0")[0].splitlines()[-1]
    content["notes"][0] = json.loads(last)["put"]["notes"][0]
    del content["snapshot"]["checksum"]
    new.write_text(json.dumps(content))
    os.replace(new, server.file)
    page.wait("journal.hidden")
    page.run(select("Soup for six"))
    page.wait("text.value.startsWith('Soup')")
    page.run(select(sample.TEXTS[0][0].split("\n")[0]))
    page.wait("text.value.endsWith(' okapi zebra')")
    return "merged twice"


@test
def journal_strange(bench):
    """What is in place of the journal and is none is not shown, and stops nothing."""
    server, page = begin(bench)
    secret = bench.folder / "secret"
    secret.write_text('{"n":1}\n')
    makers = [lambda: server.journal.symlink_to(secret), lambda: os.mkfifo(server.journal), server.journal.mkdir]
    server.journal.unlink()
    for make in makers:
        make()
        window = bench.open(server)
        window.wait("document.querySelectorAll('#lines li').length > 0")
        expect(window.run("journal.hidden"), "the page shows a journal that is none")
        window.close()
        bench.pages.remove(window)
        server.journal.rmdir() if server.journal.is_dir() and not server.journal.is_symlink() else server.journal.unlink()
    server.journal.write_bytes(b'{"journal":1}\n{"n":1,"put":{}}\n{"n":2,"after":1,"da\0\0\0')
    window = bench.open(server)
    window.wait(f"!journal.hidden && {CAPTION}.includes(': 1 change since')")
    expect(window.run(lines("journal-lines")) == [["1", '{"journal":1}'], ["2", '{"n":1,"put":{}}']], "other lines")
    return "a link, a pipe, a folder, a line that is being written"
