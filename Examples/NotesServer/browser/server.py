"""The server under test, and requests as any program can send them."""

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

# The reader of journals that shares no code with the library.
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Scripts"))

from reader import journal  # noqa: E402

RECORD_DATES = ("creationDate", "sortDate", "modificationDate", "textModificationDate", "archivedModificationDate",
                "sortDateModificationDate", "tagsModificationDate", "attachmentsModificationDate")


class Server:
    def __init__(self, program, file, port=0):
        self.process = subprocess.Popen(
            [program, str(file), "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.file, self.said = file, []
        self.journal = file.with_name(f".{file.name}.journal")
        for line in self.process.stdout:
            self.said.append(line)
            match = re.match(r"Open +(http://127\.0\.0\.1:(\d+)/)#([0-9a-f]{32})$", line)
            if match:
                self.address, self.token = match.group(0).split()[1], match.group(3)
                self.origin, self.port = match.group(1).rstrip("/"), int(match.group(2))
                return
        raise AssertionError(f"the server has ended: {self.process.stderr.read()}")

    def kill(self):
        """As a power failure of this process: it can do nothing more."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self, number=signal.SIGTERM):
        """Ends the server as a user does. Returns its exit code and what it has said."""
        self.process.send_signal(number)
        said, complaints = self.process.communicate(timeout=20)
        return self.process.returncode, said, complaints

    def request(self, method, path, headers=None, body=None):
        """The status and the body of the answer. Headers whose value is None are left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Host": f"127.0.0.1:{self.port}", "X-Notes-Token": self.token, **(headers or {})}
        connection.putrequest(method, path, skip_host=True)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        # A stream of events does not end.
        is_stream = answer.getheader("Content-Type") == "text/event-stream"
        text = answer.read1(1 << 16) if is_stream else answer.read()
        connection.close()
        return answer.status, text.decode(), dict(answer.getheaders())

    def window(self):
        """A window without a browser: the connection of its events, and its id."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/api/events", headers={"X-Notes-Token": self.token})
        hello = connection.getresponse().read1(1 << 16).decode()
        return connection, re.search(r'"window":"(\d+)"', hello).group(1)

    def follow(self):
        """A window without a browser that keeps its events."""
        return Events(self)

    def notes(self):
        """The notes that are durable, by id: those in the file, with the changes in its journal."""
        lines = self.journal_bytes()
        while True:
            data, before, lines = self.file.read_bytes(), lines, self.journal_bytes()
            if lines == before:
                break
        content = json.loads(data)
        base = SimpleNamespace(checksum=content["snapshot"].get("checksum"))
        notes = {note["id"]: note for note in content["notes"]}
        # None if another program has just replaced the file.
        for line in journal.since(journal.lines_of(lines), base, data) or []:
            for id in line.get("removed", {}).get("notes", []):
                del notes[id]
            notes |= {note["id"]: note for note in line.get("put", {}).get("notes", [])}
        return notes

    def changes_in_journal(self):
        """The lines of the journal with changes. While stores share the file, its first line stays."""
        return [line for line in self.journal_bytes().split(b"\0")[0].splitlines()[1:]
                if b',"fold":' not in line and b',"cut":' not in line]

    def journal_bytes(self):
        """The bytes of the journal; none if there is no journal."""
        try:
            return self.journal.read_bytes()
        except FileNotFoundError:
            return b""


class Events:
    """The events of a window, as text, read by a thread until the server ends."""

    def __init__(self, server):
        self.text = ""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", "/api/events", headers={"X-Notes-Token": server.token})
        self.answer = connection.getresponse()
        threading.Thread(target=self.read, daemon=True).start()
        self.wait('"window":"')
        self.window = re.search(r'"window":"(\d+)"', self.text).group(1)

    def read(self):
        try:
            while part := self.answer.read1(1 << 16):
                self.text += part.decode(errors="replace")
        except OSError:
            pass  # The server was killed.

    def wait(self, text):
        self.wait_for(lambda: text in self.text, text)

    def wait_for(self, condition, what="the notes"):
        end = time.monotonic() + 10
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"this did not come: {what}")
            time.sleep(0.01)


def write_notebook(file, notes, tags):
    """Writes a notebook as one would by hand: JSON without a checksum. Notes are (id, text, tag ids, date)."""
    def record(id, text, tags, date):
        return {"id": id, "text": text, "archived": False, **{name: date for name in RECORD_DATES}, "tags": tags,
                "attachments": []}
    content = {
        "snapshot": {"schema": "notebook", "version": 1}, "attachments": [], "deletedNotes": [],
        "notes": [record(*note) for note in sorted(notes)],
        "tags": [{"id": name.lower(), "name": name} for name in sorted(tags, key=str.lower)],
    }
    file.write_text(json.dumps(content, ensure_ascii=False))
