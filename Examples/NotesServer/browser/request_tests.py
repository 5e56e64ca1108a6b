"""Requests and arguments, without a browser."""

import json
import signal
import subprocess

import sample
from bench import expect, test


@test
def requests(bench):
    """Requests without the token, with a foreign origin or host, and too large ones are refused."""
    server = bench.serve(sample.small())
    command = json.dumps({"do": "undo"}).encode()
    foreign = {"Origin": "http://evil.example"}
    cases = [
        ("the page", "GET", "/", {"X-Notes-Token": None}, None, 200),
        ("no token", "GET", "/api/events", {"X-Notes-Token": None}, None, 401),
        ("a wrong token", "GET", "/api/events", {"X-Notes-Token": "0" * 32}, None, 401),
        ("a command without a token", "POST", "/api/do", {"X-Notes-Token": None}, command, 401),
        ("a foreign origin", "POST", "/api/do", foreign, command, 403),
        ("a foreign origin for the page", "GET", "/", foreign, None, 403),
        ("the origin null", "POST", "/api/do", {"Origin": "null"}, command, 403),
        ("a page of another site", "GET", "/app.js", {"Sec-Fetch-Site": "cross-site"}, None, 403),
        ("a link on another site", "GET", "/", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, None, 200),
        ("a foreign host", "GET", "/", {"Host": "evil.example"}, None, 421),
        ("a foreign host with the port", "GET", "/", {"Host": f"evil.example:{server.port}"}, None, 421),
        ("no host", "GET", "/", {"Host": None}, None, 421),
        ("no window", "POST", "/api/do", {}, command, 410),
        ("no JSON", "POST", "/api/do", {}, b"undo", 400),
        ("no command", "POST", "/api/do", {}, b'{"do":"format"}', 400),
        ("an id that is a path", "POST", "/api/do", {}, b'{"do":"open","note":"../../etc/passwd"}', 400),
        ("JSON that is too deep", "POST", "/api/do", {}, b"[" * 500_000, 400),
        ("no UTF-8", "POST", "/api/do", {}, b'{"do":"\xff"}', 400),
        ("2 MB", "POST", "/api/do", {}, b" " * (2 << 20), 413),
        ("5 MB", "POST", "/api/do", {}, b" " * (5 << 20), 413),
        ("another path", "GET", "/../../etc/passwd", {}, None, 404),
        ("another method", "DELETE", "/", {}, None, 405),
        ("the events", "GET", "/api/events", {}, None, 200),
    ]
    for name, method, path, headers, body, expected in cases:
        status, text, answered = server.request(method, path, headers, body)
        expect(status == expected, f"{name}: {status} instead of {expected}: {text}")
        policy = answered.get("Content-Security-Policy", "")
        expect("default-src 'none'" in policy and "unsafe" not in policy, f"{name}: the policy is {policy}")
        expect(server.token not in text, f"{name}: the answer has the token")
    before = server.notes()
    connection, window = server.window()
    refused = [
        {"do": "archive", "note": "1", "archived": True}, {"do": "tag", "note": "1", "name": "new"},
        {"do": "tag", "note": "1001", "name": " \n"}, {"do": "untag", "note": "1", "tag": "paris"},
    ]
    harmless = [
        {"do": "delete", "note": "1"}, {"do": "open", "note": "-1"}, {"do": "untag", "note": "1001", "tag": "none"},
        {"do": "list", "list": "tag:<none>", "search": "( \" ' \u0000 \u0301"}, {"do": "more"}, {"do": "undo"},
        {"do": "discard", "note": "9223372036854775807"}, {"do": "save"},
    ]
    for commands, expected in ((refused, 422), (harmless, 204)):
        for command in commands:
            status, text, _ = server.request(
                "POST", "/api/do", {"X-Notes-Window": window}, json.dumps(command).encode())
            expect(status == expected, f"{command}: {status} instead of {expected}: {text}")
    connection.close()
    expect(server.notes() == before, "a command that was refused, or that does nothing, has changed the notes")
    return f"{len(cases)} requests, {len(refused + harmless)} commands"


@test
def program(bench):
    """A new notebook, wrong arguments, a port in use, and an orderly end."""
    server = bench.serve()
    expect("is new" in "".join(server.said), f"a new file is not announced: {server.said}")
    expect(len(server.notes()) > 3, "a new notebook has no sample notes")
    other = bench.folder / "other.json"
    for arguments, code, words in [
        (["--help"], 0, "--port"), (["--port", "x"], 64, "--port"), (["--colour"], 64, "--colour"),
        (["--host", "example.com"], 64, "--host"), (["a", "b"], 64, "FILE"),
        ([str(other), "--port", str(server.port)], 64, "port"), ([str(bench.folder), "--port", "0"], 74, "director"),
        ([str(bench.folder / "no/folder.json"), "--port", "0"], 74, "folder"),
    ]:
        done = subprocess.run([bench.program, *arguments], capture_output=True, text=True, timeout=20)
        expect(done.returncode == code and words in done.stdout + done.stderr, f"{arguments}: {done}")
    for number in (signal.SIGTERM, signal.SIGINT):
        code, said, complaints = server.end(number)
        expect(code == 0 and "is saved" in said and not complaints, f"the end: {code}, {said}, {complaints}")
        server = bench.serve()
    return "an orderly end by SIGTERM and SIGINT"


@test
def shared_file(bench):
    """Two servers have one file open. Each has the changes of the other at once, and undoes only its own."""
    one, two = bench.serve(sample.small()), bench.serve()
    followed = [server.follow() for server in (one, two)]
    ids = sorted(one.notes())[:2]

    def do(number, **command):
        body = json.dumps(command).encode()
        server, events = (one, two)[number], followed[number]
        status, text, _ = server.request("POST", "/api/do", {"X-Notes-Window": events.window}, body)
        expect(status == 204, f"{command}: {status} {text}")

    for count in range(5):
        for number, other in ((0, 1), (1, 0)):
            text = f"Server {number} wrote this {count}"
            do(number, do="write", note=str(ids[number]), text=text, base=one.notes()[ids[number]]["text"], held=False)
            followed[other].wait(text)
            followed[number].wait_for(lambda: one.notes()[ids[number]]["text"] == text)
    # The last change is that of the second server. The first one does not undo it.
    do(0, do="undo")
    followed[1].wait_for(lambda: not one.notes()[ids[0]]["text"].startswith("Server 0 wrote this 4"))
    expect(one.notes()[ids[1]]["text"] == "Server 1 wrote this 4", "the undo took the change of the other server")
    for server in (one, two):
        code, _, complaints = server.end()
        expect(code == 0 and not complaints, f"the end: {code}, {complaints}")
    expect(not one.journal.exists(), "the last server has left the journal")
    expect(one.notes()[ids[1]]["text"] == "Server 1 wrote this 4", "the file lacks the last change")
    return "10 changes"
