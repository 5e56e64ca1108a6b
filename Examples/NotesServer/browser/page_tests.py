"""One window: search, scrolling, injected markup, the keyboard, the file, and narrow screens."""

import json
import time

import chromium
import sample
from bench import MARKS, SELECTED, TITLES, expect, expect_lines, lines, select, shows, test


@test
def searching(bench):
    """Search as one types, with marked places."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.press("/")
    page.type("MUSEE")
    page.wait(f"{MARKS}.length && {MARKS}.every((mark) => /^mus[eé]e$/i.test(mark))")
    page.press("Escape")
    page.wait(f"{TITLES}.length === {len(sample.TEXTS)}")
    page.type("pays museum")
    page.wait(f"{TITLES}.length === 1 && {MARKS}.includes('museum')")
    marks = page.run(MARKS)
    expect(set(map(str.lower, marks)) == {"museum", "pays"}, f"the marks are {marks}")
    page.press("Enter")
    page.wait("!text.readOnly && text.value.startsWith('What a museum')")
    # A note that another window adds is found without asking again.
    other = bench.open(server)
    other.press("n")
    other.wait("document.activeElement === text && text.value === ''")
    other.type("This museum pays")
    page.wait(f"{TITLES}.includes('This museum pays')")
    return f"marks {', '.join(marks)}"


@test
def order(bench):
    """Commands arrive in the order in which they were made, however long each of them is on its way."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.press("ArrowDown")
    page.wait("!text.readOnly")
    page.run("""
        const send = fetch, pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
        window.answers = 0
        window.fetch = async (address, options) => {
          if (address !== '/api/do') return send(address, options)
          await pause(delay -= 60)
          try { return await send(address, options) } finally { answers += 1 }
        }
        true""")

    def delayed(action, count):
        # The first command is on its way for the longest time.
        page.run(f"window.delay = {60 * (count + 1)}; answers = 0; true")
        action()
        page.wait(f"answers === {count}")
        # Its events may still be on their way.
        time.sleep(0.2)

    page.press("/")
    delayed(lambda: page.type("MUSEE"), 5)
    marks = page.run(MARKS)
    expect(marks and all(mark.lower() in ("musee", "musée") for mark in marks), f"the marks are {marks}")
    delayed(lambda: page.press("Escape"), 1)
    page.press("Escape")
    delayed(lambda: [page.press(key) for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp")], 4)
    title, text, is_closed = page.run(f"[{SELECTED}, text.value, text.readOnly]")
    expect(not is_closed and text.startswith(title), f"“{title}” is selected, and the text is “{text}”")
    return "9 commands"


@test
def scrolling(bench):
    """The whole timeline of 5,000 notes, and changes while it is scrolled."""
    count = 5000
    server = bench.serve(sample.long(count))
    page = bench.open(server)
    rows = page.run("document.querySelectorAll('.row').length")
    expect(rows <= 200, f"{rows} rows are sent before anybody scrolls")
    expect(page.run("document.getElementById('count').textContent") == "5,000", "the number of notes is missing")
    other = bench.open(server)
    began, turn = time.monotonic(), 0
    while (rows := page.run("timeline.scrollTop = timeline.scrollHeight, document.querySelectorAll('.row').length")) < count:
        expect(time.monotonic() - began < 120, f"only {rows} rows after two minutes")
        turn += 1
        if turn % 20 == 0:
            # A new first note, while the page asks for the last ones.
            other.run("document.getElementById('new').click(); true")
            count += 1
        time.sleep(0.01)
    took = time.monotonic() - began
    page.wait(f"document.querySelectorAll('.row').length === {count}")
    titles = page.run(TITLES)
    expect([title for title in titles if title != "New note"] == [f"Note {index}" for index in range(5000)],
           "rows are missing, twice there, or in another order")
    page.press("/")
    page.type("needle")
    page.wait("document.getElementById('count').textContent === '50'")
    began = time.monotonic()
    page.press(" ")
    page.type("4900")
    page.wait(f"{TITLES}.join() === 'Note 4900'")
    return f"{count} rows in {took:.1f} s, search in {1000 * (time.monotonic() - began):.0f} ms"


@test
def injection(bench):
    """Texts, tags and names that look like markup stay texts."""
    attacks = [
        "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "</title><svg onload=alert(1)>",
        "\"><b autofocus onfocus=alert(1)>", "javascript:alert(1)", "{{7*7}}${alert(1)}", "data: x\n\nevent: hello\ndata: 1",
        "\u2028event: hello", "<!--<script>", "&lt;b&gt;",
    ]
    name = "<img src=x onerror=alert(2)>"
    notes = [(2000 + index, f"{attack}\n{attack}", [name], sample.date(index)) for index, attack in enumerate(attacks)]
    server = bench.serve((notes, [name]), name="<b>notes<b>.json")
    page = bench.open(server)
    elements = "#rows :is(img, script, b, svg), main :is(img, script, b), nav :is(img, script, b), aside b, h1 b"
    for index, attack in enumerate(attacks):
        page.wait(shows(notes[index][1]))
        page.press("j")
    page.press("/")
    page.type("<img onerror")
    page.wait(f"{MARKS}.length > 0")
    page.press("Escape")
    page.press("Escape")
    page.wait(f"{TITLES}.length === {len(attacks)}")
    page.press("t")
    page.type("</script><script>alert(3)</script>")
    page.press("Enter")
    page.wait("[...document.querySelectorAll('nav button')].some((button) => button.textContent.includes('alert(3)'))")
    page.press("Escape")
    page.press("]")
    page.wait(f"document.getElementById('list-name').textContent !== 'All notes' && {TITLES}.length > 0")
    expect(page.run(f"document.querySelector('{elements}') === null"), "markup has become elements")
    logs = [log for log in bench.browser.logs if log["method"] == "Page.javascriptDialogOpening"]
    expect(not logs, f"a script ran: {logs}")
    # The page itself could not run an inserted script, and sends nothing elsewhere.
    for script in ("made.textContent = 'window.ran = 1'", "made.append('window.ran = 1')"):
        expect(page.run(f"""(() => {{ const made = document.createElement('script')
          try {{ {script}; document.body.append(made) }} catch {{}} return window.ran === undefined }})()"""),
               "an inline script runs")
    expect(page.run("fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => 'refused')") == "refused", "it was sent")
    # Another page of the same browser.
    foreign = chromium.Page(bench.browser, "data:text/html,other")
    bench.pages.append(foreign)
    for request in ("fetch(A + '/api/events')", "fetch(A + '/api/do', {method: 'POST', mode: 'no-cors', body: '{}'})",
                    "fetch(A + '/')"):
        got = foreign.run(f"const A = '{server.origin}'; {request}.then((r) => r.status, () => 'refused')"
                          .replace("const A", "var A"))
        expect(got in ("refused", 0), f"another page gets {got} for {request}")
    return f"{len(attacks)} texts, 2 tags, a file name, a search"


@test
def keyboard(bench):
    """Everything with the keyboard only, and a visible focus."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    expect(page.run("document.activeElement.id") == "rows", "the list has no focus at the beginning")
    first = page.run(SELECTED)
    page.press("j")
    page.wait(f"{SELECTED} !== {json.dumps(first)}")
    page.press("k")
    page.wait(f"{SELECTED} === {json.dumps(first)}")
    page.press("n")
    page.wait("document.activeElement === text && text.value === ''")
    page.type("By keyboard")
    page.press("Escape")
    page.wait(f"{SELECTED} === 'By keyboard' && document.activeElement.id === 'rows'")
    page.press("t")
    page.type("Keys")
    page.press("Enter")
    page.wait("tags.textContent.includes('Keys')")
    page.press("Escape")
    page.press("]")
    page.press("]")
    page.wait("document.getElementById('list-name').textContent !== 'All notes'")
    page.press("[")
    page.press("[")
    page.wait(f"document.getElementById('list-name').textContent === 'All notes' && {TITLES}.length > 3")
    page.run(select("By keyboard"))
    page.wait(shows("By keyboard"))
    page.press("e")
    page.wait(f"!{TITLES}.includes('By keyboard')")
    page.press("u")
    page.wait(f"{TITLES}.includes('By keyboard')")
    page.press("?")
    page.wait("help.open")
    page.press("j")  # Keys of the page do nothing under a dialog.
    page.press("Escape")
    page.wait("!help.open")
    page.press("c")
    expect(page.wait("document.documentElement.dataset.theme") in ("dark", "light"), "no theme")
    page.run("localStorage.removeItem('notes-theme')")
    # Tab reaches every control, and each has a visible focus and a name.
    page.run("document.activeElement.blur(); true")
    reached = set()
    for _ in range(60):
        page.press("Tab")
        reached.add(page.run("""(() => {
          const [it, style] = [document.activeElement, getComputedStyle(document.activeElement)]
          if (it === document.body) return ''
          const name = it.ariaLabel || it.textContent.trim() || it.labels?.[0]?.textContent || ''
          if (!name) return 'without a name: ' + it.outerHTML
          const around = getComputedStyle(it.closest('#note, #rows') ?? it)
          const row = getComputedStyle(document.querySelector('[aria-selected=true]') ?? it)
          const isSeen = style.outlineStyle !== 'none' || it.id === 'text' && around.boxShadow !== 'none'
            || it.id === 'rows' && row.borderTopColor !== 'rgba(0, 0, 0, 0)'
          return isSeen ? (it.id || it.textContent) : 'not seen: ' + it.outerHTML
        })()"""))
    wrong = [name for name in reached if name.startswith(("without", "not seen"))]
    expect(not wrong, "\n".join(wrong))
    missing = {"search", "undo", "theme", "keys", "new", "rows", "tag", "held", "archive", "delete", "text"} - reached
    expect(not missing, f"Tab does not reach {missing}: {reached}")
    return f"{len(reached)} places by Tab"


@test
def file(bench):
    """The file is shown as it is on the disk, and changes while one types."""
    server = bench.serve(sample.small())
    page = bench.open(server)
    page.press("Enter")
    page.wait("document.activeElement === text")
    seen = set()
    for word in ("zebra", "quagga", "okapi"):  # Words that the sample does not have.
        page.type(f" {word}")
        page.press("s", control=True)
        page.wait(f"saving.dataset.state === 'saved' && text.value.endsWith({json.dumps(word)})"
                  f" && document.querySelector('#lines .record')?.textContent.includes({json.dumps(word)})")
        shown = page.run(lines("lines"))
        expect_lines(shown, server.file.read_text())
        seen.add(shown[0][1])
    expect(len(seen) == 3, f"the checksum does not change: {seen}")
    # Another program adds a note. The windows have it without a reload.
    content = json.loads(server.file.read_text())
    added = {**content["notes"][0], "id": 77, "text": "Added by hand"}
    content["notes"].append(added)
    del content["snapshot"]["checksum"]
    server.file.write_text(json.dumps(content))
    page.wait(f"{TITLES}.includes('Added by hand')")
    return "3 saves, and a change by hand"


@test
def narrow(bench):
    """One pane at a time on a narrow screen, and nothing wider than it."""
    server = bench.serve(sample.small())
    page = chromium.Page(bench.browser, server.address, width=390)
    bench.pages.append(page)
    page.wait("document.querySelectorAll('.row').length > 3")
    visible = "(id) => document.getElementById(id).checkVisibility()"
    expect(page.run(f"['timeline', 'note'].map({visible}).join()") == "true,false", "the list is not alone")
    page.run("document.querySelector('.row').click(); true")
    page.wait("!text.readOnly && text.value.length > 3")
    expect(page.run(f"['timeline', 'note'].map({visible}).join()") == "false,true", "the note is not alone")
    for width in (390, 700, 900, 1200):
        page.resize(width, 800)
        wide = page.run("document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"at {width} the page is {wide} too wide")
    page.resize(390, 800)
    page.run("back.click(); true")
    expect(page.run(f"['timeline', 'note'].map({visible}).join()") == "true,false", "there is no way back")
    return "390 to 1200 pixels"
