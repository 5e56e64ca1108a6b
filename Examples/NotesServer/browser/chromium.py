"""Chromium without a window, by its DevTools protocol over a pipe. It needs nothing beside Python and Chromium."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Delete": 46}


def program():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    def __init__(self, folder):
        (to_browser, self.out), (self.into, from_browser) = os.pipe(), os.pipe()

        def connect():
            # The browser reads its descriptor 3 and writes 4. Copies first: 3 and 4 may be in use by this process.
            copies = os.dup(to_browser), os.dup(from_browser)
            for copy, number in zip(copies, (3, 4)):
                os.dup2(copy, number)

        arguments = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-GB", "--force-color-profile=srgb",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-extensions",
            "--disable-backgrounding-occluded-windows", "--disable-component-update", "--disable-sync", "about:blank",
        ]
        self.process = subprocess.Popen(
            [program(), *arguments], preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "TZ": "UTC"})
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.last, self.answers, self.logs = b"", 0, {}, []

    def close(self):
        self.process.terminate()
        self.process.wait()

    def send(self, method, parameters=None, session=None, limit=30):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + limit
        while self.last not in self.answers:
            self.read(end - time.monotonic(), method)
        answer = self.answers.pop(self.last)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def read(self, seconds, method):
        if not select.select([self.into], [], [], max(0, seconds))[0]:
            raise AssertionError(f"Chromium does not answer: {method}")
        piece = os.read(self.into, 1 << 20)
        if not piece:
            raise AssertionError("Chromium has ended")
        *messages, self.rest = (self.rest + piece).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif message["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening"):
                self.logs.append(message)


class Page:
    """A window."""

    def __init__(self, chromium, address, width=1200, height=800):
        self.chromium = chromium
        # Each window is a browser window of its own, so that none of them is hidden.
        self.target = chromium.send("Target.createTarget", {"url": "about:blank", "newWindow": True})["targetId"]
        self.session = chromium.send("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.resize(width, height)
        self.go(address)

    def send(self, method, parameters=None):
        return self.chromium.send(method, parameters, self.session)

    def go(self, address):
        self.send("Page.navigate", {"url": address})

    def close(self):
        self.chromium.send("Target.closeTarget", {"targetId": self.target})

    def resize(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def prefer(self, scheme):
        self.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def run(self, script):
        """The value of a script, which may be a promise."""
        result = self.send("Runtime.evaluate", {
            "expression": script, "awaitPromise": True, "returnByValue": True, "userGesture": True})
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}\n{result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition, limit=10):
        """Waits until a condition is true, and returns its value."""
        end = time.monotonic() + limit
        while True:
            value = self.run(condition)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not in {limit} s: {condition}\n{self.run('document.body.innerText')[:500]}")
            time.sleep(0.01)

    def press(self, key, control=False, shift=False):
        """A key, as from a keyboard."""
        modifiers = 2 * control + 8 * shift
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
        event = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
        if len(key) == 1 and not control:
            event["text"] = key
        if key == "Enter":
            event["text"] = "\r"
        self.send("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        event.pop("text", None)
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def type(self, text):
        for character in text:
            self.press(character)

    def picture(self, path):
        data = self.send("Page.captureScreenshot", {"format": "png"})["data"]
        path.write_bytes(base64.b64decode(data))
