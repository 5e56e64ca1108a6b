"""A running program, controlled by lines, with a time limit for each answer."""

import os
import select
import signal
import subprocess
import time


class Hang(Exception):
    """No answer in time."""


class Program:
    """A process that answers lines with lines."""

    def __init__(self, command, *, environment=None, preexec=None, cwd=None, errors=subprocess.DEVNULL):
        variables = dict(os.environ, SWIFT_BACKTRACE="enable=no", **(environment or {}))
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=variables, cwd=cwd,
            preexec_fn=preexec)
        self._received = b""
        self._ended = False
        os.set_blocking(self.process.stdout.fileno(), False)

    @property
    def pid(self):
        return self.process.pid

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def answer(self, limit=20):
        """The next line; None once the driver has ended."""
        end = time.monotonic() + limit
        while b"\n" not in self._received and not self._ended:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise Hang(f"no answer within {limit} s")
            self._receive()
        if b"\n" not in self._received:
            return None
        line, self._received = self._received.split(b"\n", 1)
        return line.decode(errors="replace")

    def ask(self, line, limit=20):
        self.send(line)
        return self.answer(limit)

    def start(self, *lines, limit=20):
        """Waits until the driver is ready, sends lines, and returns their answers."""
        return [self.answer(limit)] + [self.ask(line, limit) for line in lines]

    def _receive(self):
        try:
            chunk = os.read(self.process.stdout.fileno(), 65536)
        except BlockingIOError:
            return False
        self._ended = not chunk
        self._received += chunk
        return bool(chunk)

    def lines_so_far(self):
        """The lines that have arrived and were not read yet."""
        while not self._ended and self._receive():
            pass
        *lines, self._received = self._received.split(b"\n")
        return [line.decode(errors="replace") for line in lines]

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self, limit=20):
        """Waits for the end of the driver, and returns its exit code; negative is a signal."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Hang(f"did not end within {limit} s") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass


class Driver(Program):
    """A running fault driver."""

    def __init__(self, program, path, *, writer="ours", policy="manual", external="fail", notes=100, padding=500,
                 journal=None, prefix=(), **options):
        command = [*prefix, program, path, "--writer", writer, "--policy", policy, "--external", external, "--notes",
                   str(notes), "--padding", str(padding)]
        # The bytes up to which the journal may grow; None for no journal.
        command += [] if journal is None else ["--journal", str(journal)]
        super().__init__(command, **options)


def acknowledged(lines):
    """The last acknowledged revision in these answers; -2 without one."""
    return max((int(line.split()[1]) for line in lines if line and line.startswith("ACK ")), default=-2)
