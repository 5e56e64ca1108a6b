"""Several windows of one notebook: what one does, the others have. Kills, conflicts, undo."""

import json
import statistics
import time

import sample
from bench import TITLES, change, expect, select, shows, test


@test
def together(bench):
    """What one window does is in the other at once."""
    server = bench.serve(sample.small())
    one, two = bench.open(server), bench.open(server)
    title = sample.TEXTS[0][0].split("\n")[0]
    two.run("""window.seen = {}; new MutationObserver(() => {
      const title = document.querySelector('.row .title')?.textContent ?? ''
      seen[title] ??= performance.timeOrigin + performance.now()
    }).observe(rows, { subtree: true, childList: true }); true""")
    times = []
    for count in range(40):
        new = f"{title} {count}"
        began = one.run(f"{change(new)}; performance.timeOrigin + performance.now()")
        arrived = two.wait(f"seen[{json.dumps(new)}]")
        times.append(arrived - began)
        two.wait(shows(new))
    median, most = statistics.median(times), max(times)
    expect(median <= bench.options.limit, f"the median is {median:.1f} ms, and the limit {bench.options.limit} ms")
    # Both windows type, one after the other: no conflict, and both have it.
    for count, (writer, reader) in enumerate([(one, two), (two, one)] * 5):
        writer.run(change(f"In turn {count}"))
        reader.wait(shows(f"In turn {count}"))
    expect(not one.run("conflict.open") and not two.run("conflict.open"), "there is a conflict without need")
    return f"{len(times)} edits: median {median:.1f} ms, longest {most:.1f} ms"


@test
def killed(bench):
    """After kill -9 nothing is lost that was durable, and the windows go on."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.run(change("Flushed before the end"))
    page.wait(shows("Flushed before the end"))
    page.press("s", control=True)
    page.wait("!sessionStorage.length")
    id = int(page.run("document.querySelector('.row').dataset.note"))
    server.kill()
    page.wait("saving.dataset.state === 'lost'")
    # One goes on writing, although nothing answers.
    page.run(change("Written without a server"))
    expect(server.notes()[id]["text"] == "Flushed before the end", "what was flushed is not on the disk")
    again = bench.serve(port=server.port)
    # The old token is of no use any more.
    page.wait("savingText = document.getElementById('saving-text').textContent, savingText.startsWith('Open the address')")
    opened = bench.open(again)
    opened.wait(shows("Flushed before the end") + " || " + shows("Written without a server"))
    page.wait("document.body.dataset.connection === 'open' && saving.dataset.state === 'saved'")
    opened.wait(shows("Written without a server"))
    end = time.monotonic() + 5
    while again.notes()[id]["text"] != "Written without a server":
        expect(time.monotonic() < end, "what was written without a server is not on the disk")
        time.sleep(0.05)
    # Twenty kills while one types: each flushed text is on the disk.
    for count in range(20):
        page.run(change(f"Text {count}"))
        page.press("s", control=True)
        page.wait(f"{shows(f'Text {count}')} && !sessionStorage.length")  # The page has learned that it is durable.
        page.run(change(f"Text {count} and more"))
        again.kill()
        kept = again.notes()[id]["text"]
        expect(kept in (f"Text {count}", f"Text {count} and more"), f"after kill {count} the disk has: {kept}")
        again = bench.serve(port=server.port)
        page.go(again.address)
        page.wait(f"document.body.dataset.connection === 'open' && {shows(f'Text {count} and more')}")
    return "21 kills"


@test
def conflicts(bench):
    """Two drafts of one note: the conflict is shown, and resolved in each way."""
    server = bench.serve(sample.small())
    one, two = bench.open(server), bench.open(server)
    texts = {"both": "Title\nfirst\nsecond\nend", "mine": "Title\nsecond\nend", "theirs": "Title\nfirst\nend"}
    for key, choice in [("3", "both"), ("2", "mine"), ("1", "theirs")]:
        one.run(change("Title\nend"))
        two.wait(shows("Title\nend"))
        two.run("held.checked || held.click(); true")
        two.run(change("Title\nsecond\nend"))
        two.wait("!draft.hidden")
        one.run(change("Title\nfirst\nend"))
        one.wait("saving.dataset.state === 'saved'")
        expect(two.run("text.value") == "Title\nsecond\nend", "a draft was overwritten")
        two.press("s", control=True)
        two.wait("conflict.open")
        expect(two.run("theirs.textContent.trim()") == "Title\nfirst\nend", "theirs is not shown")
        expect(two.run("mine.textContent.trim()") == "Title\nsecond\nend", "mine is not shown")
        expect(two.run("[...conflict.querySelectorAll('.differs')].map((part) => part.textContent).join()")
               == "first,second", "the differences are not marked")
        two.press("Escape")
        two.wait("conflict.open")  # There is no way around a choice.
        two.press(key)
        for page in (one, two):
            page.wait(shows(texts[choice]))
        two.wait("!conflict.open && draft.hidden")
    # The note is deleted while the other window has a draft of it.
    two.run(change("A text that must stay"))
    two.wait("!draft.hidden")
    one.press("Escape")
    one.press("#")
    one.wait("!document.querySelector('.row .title').textContent.startsWith('Title')")
    two.press("s", control=True)
    two.wait("conflict.open && theirs.textContent.includes('deleted')")
    two.press("2")
    one.wait(f"{TITLES}.includes('A text that must stay')")
    # Both windows send a text at the same time, without drafts: one of them is asked, and nothing is lost.
    asked = 0
    for count in range(10):
        for page in (one, two):
            page.run("held.checked && held.click(); true")
            page.wait(f"!!document.querySelector('.row')")
            page.run(select("A text that must stay") if count == 0 else "true")
        start = "A text that must stay" if count == 0 else f"Agreed {count - 1}"
        for page in (one, two):
            page.wait(shows(start))
        at = time.time() * 1000 + 60
        for name, page in (("one", one), ("two", two)):
            page.run(f"setTimeout(() => {{ {change(f'{name} {count}')} }}, {at} - Date.now()); true")
        end = time.monotonic() + 10
        while True:
            seen = [page.run("conflict.open ? '' : text.value") for page in (one, two)]
            if "" in seen:
                asked += 1
                (one, two)[seen.index("")].press("3")
                time.sleep(0.05)
            elif seen[0] == seen[1] and seen[0] != start:
                break
            expect(time.monotonic() < end, f"the windows do not agree: {seen}")
        one.run(change(f"Agreed {count}"))
        two.wait(shows(f"Agreed {count}"))
    return f"3 choices, a deleted note, {asked} of 10 races"


@test
def two_conflicts(bench):
    """Two notes of a window differ at once: each is asked about, one after the other."""
    server = bench.serve(sample.small())
    one, two = bench.open(server), bench.open(server)
    for number, title in enumerate(two.run(TITLES)[:2]):
        for page, words in ((two, "Mine"), (one, "Theirs")):
            page.run(select(title))
            page.wait(f"!text.readOnly && text.value.startsWith({json.dumps(title)})")
            if page == two:
                page.run("held.checked || held.click(); true")
            page.run(change(f"{words} {number}"))
        two.wait("!draft.hidden")
    one.press("s", control=True)
    one.wait("!sessionStorage.length")
    # After the connection is lost, the window sends both drafts again.
    server.kill()
    again = bench.serve(port=server.port)
    bench.open(again)
    asked = []
    for _ in range(2):
        two.wait("conflict.open")
        asked.append([two.run(f"{side}.textContent.trim()") for side in ("theirs", "mine")])
        two.press("2")
        two.wait(f"!conflict.open || mine.textContent.trim() !== {json.dumps(asked[-1][1])}")
    expect(sorted(asked) == [["Theirs 0", "Mine 0"], ["Theirs 1", "Mine 1"]], f"the questions were {asked}")
    end = time.monotonic() + 10
    while not {"Mine 0", "Mine 1"} <= {note["text"] for note in again.notes().values()}:
        expect(time.monotonic() < end, "a text that was chosen is not on the disk")
        time.sleep(0.05)
    return "2 questions"


@test
def history(bench):
    """Undo and redo, with typing as one step, in every window."""
    server = bench.serve(sample.small())
    one, two = bench.open(server), bench.open(server)
    before = one.run("text.value")
    one.press("Enter")
    one.wait("document.activeElement === text")
    one.type(" and a walk")
    two.wait(shows(before + " and a walk"))
    expect(one.wait("undo.title") == "Undo Typing", "the step has no name")
    two.press("u")
    one.wait(shows(before))
    one.press("Z", control=True, shift=True)
    two.wait(shows(before + " and a walk"))
    one.press("Escape")
    count = one.run("Number(document.getElementById('count').textContent)")
    one.press("#")
    two.wait(f"document.getElementById('count').textContent === '{count - 1}'")
    two.press("u")
    one.wait(f"document.getElementById('count').textContent === '{count}'")
    return "typing, and a deletion"
