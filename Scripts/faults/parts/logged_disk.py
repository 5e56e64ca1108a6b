"""A disk that writes down what it is told: a file of FUSE behind a loop device, without a module of the kernel for it.

The log has each write and each flush of the file system, in their order. A power cut leaves all writes before the last
flush, and any of those after it.
"""

import ctypes
import errno
import os
import select
import signal
import struct
import subprocess
import sys
import time

from .tally import Skipped

# Calls of FUSE, from linux/fuse.h, protocol 7.
LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, RELEASE, FSYNC = 1, 2, 3, 4, 14, 15, 16, 18, 20
FLUSH, INIT, OPENDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = 25, 26, 27, 29, 36, 38, 42
DIRECT_IO, BIG_WRITES = 1, 1 << 5
HEADER = struct.Struct("<IIQQIIII")
MOST_WRITTEN = 1 << 17
NAME, NODE = b"disk", 2
PAGE = 4096


class Entry:
    """A write, or a flush without data."""

    SHAPE = struct.Struct("<dqI")

    def __init__(self, time, offset=-1, data=b""):
        self.time, self.offset, self.data = time, offset, data

    @property
    def is_flush(self):
        return self.offset < 0

    def write(self, file):
        file.write(self.SHAPE.pack(self.time, self.offset, len(self.data)) + self.data)

    @classmethod
    def all(cls, path):
        with open(path, "rb") as file:
            while head := file.read(cls.SHAPE.size):
                time, offset, size = cls.SHAPE.unpack(head)
                yield cls(time, offset, file.read(size))


class Server:
    """Answers the calls for the one file of the folder."""

    def __init__(self, device, content, log, owner):
        """`owner`: a pipe that ends with the process that uses the disk."""
        self.device, self.content, self.log, self.owner = device, content, log, owner

    def run(self):
        while True:
            ready, _, _ = select.select([self.device, self.owner], [], [])
            if self.owner in ready:
                # Whoever waits for the disk gets an error. Else the end of the namespace would wait for it.
                return os.close(self.device)
            try:
                request = os.read(self.device, MOST_WRITTEN + PAGE)
            except OSError as error:
                # It was unmounted.
                if error.errno == errno.ENODEV:
                    return
                if error.errno not in (errno.ENOENT, errno.EINTR):
                    raise
                continue
            _, call, unique, node, *_ = HEADER.unpack_from(request)
            if call in (FORGET, BATCH_FORGET, INTERRUPT):
                continue
            answer = self.answer(call, node, request[HEADER.size:])
            code, data = (answer, b"") if isinstance(answer, int) else (0, answer)
            os.write(self.device, struct.pack("<IiQ", 16 + len(data), -code, unique) + data)

    def answer(self, call, node, body):
        """The content of an answer, or the number of an error."""
        match call:
            case c if c == INIT:
                return struct.pack("<IIIIHHIIHHI28x", 7, 31, 0, BIG_WRITES, 12, 9, MOST_WRITTEN, 1, 0, 0, 0)
            case c if c == LOOKUP:
                if body.rstrip(b"\0") != NAME:
                    return errno.ENOENT
                return struct.pack("<QQQQII", NODE, 0, 3600, 3600, 0, 0) + self.attributes(NODE)
            case c if c in (GETATTR, SETATTR):
                return struct.pack("<QII", 3600, 0, 0) + self.attributes(node)
            case c if c in (OPEN, OPENDIR):
                return struct.pack("<QII", 0, DIRECT_IO, 0)
            case c if c == READ:
                offset, size = struct.unpack_from("<8xQI", body)
                return bytes(self.content[offset:offset + size])
            case c if c == WRITE:
                offset, size = struct.unpack_from("<8xQI", body)
                data = body[40:40 + size]
                self.content[offset:offset + size] = data
                Entry(time.monotonic(), offset, data).write(self.log)
                return struct.pack("<II", size, 0)
            case c if c == FSYNC:
                Entry(time.monotonic()).write(self.log)
                return b""
            case c if c in (FLUSH, RELEASE, RELEASEDIR, DESTROY):
                return b""
        return errno.ENOSYS

    def attributes(self, node):
        is_disk = node == NODE
        size, mode = (len(self.content), 0o100600) if is_disk else (0, 0o40700)
        return struct.pack("<6Q10I", node, size, size // 512, *[0] * 6, mode, 1, 0, 0, 0, PAGE, 0)


class LoggedDisk:
    """A file with the content of an image, for a loop device, until `end`."""

    def __init__(self, bench, image):
        self.image, self.log = image, f"{image}.log"
        self.folder = bench.new_folder("logged")
        self.path = os.path.join(self.folder, NAME.decode())
        ready, told = os.pipe()
        owner, self.owner = os.pipe()
        self.server = os.fork()
        if self.server == 0:
            os.close(ready)
            os.close(self.owner)
            self._serve(told, owner)
        os.close(told)
        os.close(owner)
        with os.fdopen(ready) as answer:
            said = answer.read()
        if said:
            os.waitpid(self.server, 0)
            raise Skipped(f"FUSE does not work here ({said})")

    def _serve(self, told, owner):
        """The process of the server. It never returns."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            device = os.open("/dev/fuse", os.O_RDWR)
            options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
            library = ctypes.CDLL(None, use_errno=True)
            if library.mount(b"logged", self.folder.encode(), b"fuse", 0, options) != 0:
                raise OSError(ctypes.get_errno(), "mount")
        except OSError as error:
            os.write(told, f"{error.strerror}".encode())
            os._exit(1)
        os.close(told)
        try:
            with open(self.image, "rb") as image, open(self.log, "wb") as log:
                Server(device, bytearray(image.read()), log, owner).run()
        except BaseException as error:
            print(f"the logged disk failed: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)

    def end(self):
        """Ends the server. The log is complete then."""
        subprocess.run(["umount", self.folder], check=True)
        _, status = os.waitpid(self.server, 0)
        os.close(self.owner)
        if status != 0:
            raise RuntimeError("the log of the disk is not complete")


def write_sparse(content, path, step=1 << 16):
    """Writes a file whose zeros take no space."""
    zeros = bytes(step)
    with open(path, "wb") as file:
        file.truncate(len(content))
        for start in range(0, len(content), step):
            piece = content[start:start + step]
            if piece != zeros[:len(piece)]:
                file.seek(start)
                file.write(piece)


def states(image, log, count, random):
    """What the disk may hold after a power cut, at so many of the moments since it was made: (content, time)."""
    with open(image, "rb") as file:
        durable = bytearray(file.read())
    entries = list(Entry.all(log))
    flushes = [number for number, entry in enumerate(entries) if entry.is_flush]
    chosen = {*random.sample(flushes, min(count // 2, len(flushes)))}
    chosen |= {*random.sample(range(len(entries)), min(count - len(chosen), len(entries)))}
    pending = []
    for number, entry in enumerate(entries):
        if entry.is_flush:
            for write in pending:
                durable[write.offset:write.offset + len(write.data)] = write.data
            pending = []
        else:
            pending.append(entry)
        if number in chosen:
            content = bytearray(durable)
            share = random.random()
            for write in pending:
                for start in range(0, len(write.data), PAGE):
                    if random.random() < share:
                        page = write.data[start:start + PAGE]
                        content[write.offset + start:write.offset + start + len(page)] = page
            yield content, entry.time
