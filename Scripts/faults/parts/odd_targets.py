"""Targets that are not an ordinary file in an ordinary directory: saved as it should be, or refused with an error."""

import os
import resource
import shutil
import socket
import stat
import subprocess

from .bench import read, require_root, require_tool, run as command
from .driver import Hang
from .judge import ended_well, file_is_one_of, names_file, no_temporaries
from .tally import Skipped

NAME = "odd target"
NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


class Target:
    """One odd target: a folder for it, and what it may come to."""

    def __init__(self, bench, tally, writer, case):
        self.bench, self.tally, self.writer, self.case = bench, tally, writer, case
        self.ledger = bench.ledger()
        self.folder = bench.new_folder("odd")
        self.path = os.path.join(self.folder, "store.json")

    def seed(self, path=None):
        """A store at revision 0."""
        with self.bench.driver(path or self.path) as driver:
            driver.start("open", "change", "flush", "close")
            driver.end()

    def steps(self, path=None, lines=("open", "change", "flush", "close"), **options):
        """The answers until one is an error."""
        answers = []
        with self.bench.driver(path or self.path, writer=self.writer, **options) as driver:
            driver.start()
            for line in lines:
                answers.append(driver.ask(line) or "ENDED")
                if answers[-1].startswith(("FAIL", "ENDED")):
                    break
            ended_well(self.tally, driver.end(), self.case)
        return answers

    def is_refused(self, path=None, name="store.json", **options):
        """Nothing may be acknowledged, and there must be an error with the name in it."""
        answers = self.steps(path, **options)
        if not answers[-1].startswith("FAIL"):
            self.tally.violation("silent", f"{self.case}: accepted: {answers}")
        elif name:
            names_file(self.tally, answers[-1], name, self.case)
        return answers

    def works(self, revision, path=None, file=None, **options):
        """The save must succeed, and the file hold the revision."""
        answers = self.steps(path, **options)
        if answers[-1] != "CLOSED":
            self.tally.violation("other", f"{self.case}: {answers}")
        self.holds(revision, file or path)

    def holds(self, revision, path=None):
        file_is_one_of(self.tally, self.ledger, path or self.path, [revision], self.case)

    def expect(self, condition, text, kind="silent"):
        if not condition:
            self.tally.violation(kind, f"{self.case}: {text}")


# Refused

def fifo(target):
    os.mkfifo(target.path)
    target.is_refused()
    target.expect(stat.S_ISFIFO(os.lstat(target.path).st_mode), "the pipe was replaced")


def directory(target):
    os.mkdir(target.path)
    target.is_refused()
    target.expect(os.path.isdir(target.path), "the directory was replaced")


def unix_socket(target):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(target.path)
        target.is_refused()
        target.expect(stat.S_ISSOCK(os.lstat(target.path).st_mode), "the socket was replaced")


def device(target):
    require_root("making a device")
    os.mknod(target.path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    target.is_refused()
    target.expect(stat.S_ISCHR(os.lstat(target.path).st_mode), "the device was replaced")


def dangling_link(target):
    os.symlink("nowhere.json", target.path)
    target.is_refused()
    target.expect(os.path.islink(target.path), "the link was replaced")


def chain_of_links(target):
    os.symlink("other.json", target.path)
    os.symlink("store.json", os.path.join(target.folder, "other.json"))
    target.is_refused()
    target.expect(os.path.islink(target.path), "the link was replaced")


def no_directory(target):
    target.is_refused(os.path.join(target.folder, "none", "store.json"))


def file_as_directory(target):
    target.seed()
    target.is_refused(os.path.join(target.path, "store.json"))
    target.holds(0)


def empty_file(target):
    open(target.path, "wb").close()
    target.is_refused()
    target.expect(read(target.path) == b"", "the empty file was overwritten")


def long_name(target):
    name = "n" * 251 + ".json"
    target.is_refused(os.path.join(target.folder, name), name=name[:50])


def _deep_path(target, length):
    """A path of so many bytes, in a directory that exists."""
    path = target.folder
    while length - len(path) > 420:
        path = os.path.join(path, "d" * 200)
    path = os.path.join(path, "e" * (length - len(path) - 102))
    os.makedirs(path)
    return os.path.join(path, "s" * 95 + ".json")


def path_of_4096_bytes(target):
    path = _deep_path(target, 4096)
    assert len(path) == 4096
    # Messages show the beginning of so long a path.
    target.is_refused(path, name=os.path.basename(target.folder))
    target.expect(os.listdir(os.path.dirname(path)) == [], "something was made", "other")


def read_only_directory(target):
    require_tool("setpriv")
    target.seed()
    os.chown(target.folder, NOBODY, NOBODY), os.chown(target.path, NOBODY, NOBODY)
    os.chmod(target.folder, 0o555)
    target.is_refused(prefix=_unprivileged())
    target.holds(0)


def read_only_file(target):
    target.seed()
    os.chmod(target.path, 0o444), os.chmod(target.folder, 0o777)
    target.is_refused(prefix=_unprivileged())
    target.holds(0)


def closed_directory(target):
    target.seed()
    os.chmod(target.folder, 0o000)
    target.is_refused(prefix=_unprivileged())
    os.chmod(target.folder, 0o755)
    target.holds(0)


def _unprivileged():
    """Root may do everything; so another user is who tries."""
    if os.geteuid() != 0:
        return ()
    require_tool("setpriv")
    return AS_NOBODY


def bind_mounted_file(target):
    require_root("mounting")
    target.seed()
    source = os.path.join(target.folder, "source.json")
    shutil.copy(target.path, source)
    target.bench.mount(target.path, "--bind", source)
    try:
        target.is_refused()
        target.holds(0)
    finally:
        target.bench.unmount(target.path)
    target.holds(0)
    target.works(1)


def immutable_file(target):
    require_root("chattr")
    require_tool("chattr")
    target.seed()
    command("chattr", "+i", target.path, skips="chattr +i")
    try:
        target.is_refused()
        target.holds(0)
    finally:
        command("chattr", "-i", target.path)


# Refused by the command line, which can be given names that are no text

def _add(target, store, cwd=None):
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    result = subprocess.run([os.fsencode(target.bench.cli), b"add", b"text", b"--store", store], capture_output=True,
                            cwd=cwd, env=environment, timeout=60)
    target.expect(result.returncode >= 0, f"killed by {-result.returncode}", "crash")
    return result


def name_not_utf8(target):
    result = _add(target, os.fsencode(target.folder) + b"/caf\xe9.json")
    names = os.listdir(os.fsencode(target.folder))
    if result.returncode == 0:
        # If it is taken, then as it is.
        target.expect(names == [b"caf\xe9.json"], f"made {names}")
    else:
        target.expect(names == [], f"refused, but made {names}")
        target.expect(b".json" in result.stderr, f"names no file: {result.stderr!r}", "other")


def folder_not_utf8(target):
    folder = os.fsencode(target.folder) + b"/caf\xe9"
    os.mkdir(folder)
    result = _add(target, b"store.json", cwd=folder)
    names = os.listdir(folder)
    target.expect((result.returncode == 0) == (names == [b"store.json"]), f"{result.returncode}, but there are {names}")
    target.expect(os.listdir(os.fsencode(target.folder)) == [b"caf\xe9"], "something was made elsewhere")


def link_to_name_not_utf8(target):
    folder = os.fsencode(target.folder)
    real = folder + b"/caf\xe9.json"
    target.seed()
    os.rename(target.path, real)
    os.symlink(b"caf\xe9.json", os.fsencode(target.path))
    before = read(real)
    result = _add(target, os.fsencode(target.path))
    target.expect(os.path.islink(target.path), "the link was replaced")
    target.expect((result.returncode == 0) == (read(real) != before), f"{result.returncode}, which is not what was done")
    target.expect(len(os.listdir(folder)) == 2, f"made {os.listdir(folder)}")


# Saved as it should be

def link(target):
    os.mkdir(os.path.join(target.folder, "real"))
    real = os.path.join(target.folder, "real", "real.json")
    target.seed(real)
    os.symlink("real/real.json", target.path)
    target.works(1)
    target.expect(os.path.islink(target.path), "the link was replaced")
    target.holds(1, real)


def link_to_another_disk(target):
    with target.bench.mounted("-t", "tmpfs", "none", name="other") as other:
        real = os.path.join(other, "real.json")
        target.seed(real)
        os.symlink(real, target.path)
        target.works(1)
        target.expect(os.path.islink(target.path), "the link was replaced")
        target.holds(1, real)


def longest_name(target):
    target.works(0, os.path.join(target.folder, "n" * 250 + ".json"))


def path_of_4000_bytes(target):
    target.works(0, _deep_path(target, 4000))


def relative_path(target):
    target.works(0, "store.json", file=target.path, cwd=target.folder)


def mode_and_owner(target):
    target.seed()
    owner = (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(target.path, *owner), os.chmod(target.path, 0o640)
    target.works(1)
    status = os.stat(target.path)
    target.expect(stat.S_IMODE(status.st_mode) == 0o640, f"the mode became {oct(status.st_mode)}")
    target.expect((status.st_uid, status.st_gid) == owner, f"the owner became {status.st_uid}")


def mode_of_new_file(target):
    target.works(0, preexec=lambda: os.umask(0))
    mode = stat.S_IMODE(os.stat(target.path).st_mode)
    target.expect(mode == 0o600, f"the mode is {oct(mode)}")


# Refused for a while, while the store is open

def meanwhile(target, prevent, allow, **options):
    """A flush under something that prevents it fails, and a later one succeeds."""
    target.seed()
    with target.bench.driver(target.path, writer=target.writer, **options) as driver:
        driver.start("open", "change")
        prevent(driver)
        answer = driver.ask("flush")
        if answer is None or not answer.startswith("FAIL"):
            target.tally.violation("silent", f"{target.case}: {answer}")
        else:
            names_file(target.tally, answer, "store.json", target.case)
        allow(driver)
        answer = driver.ask("flush")
        target.expect(answer == "ACK 1", f"afterwards: {answer}", "other")
        target.holds(1)
        driver.ask("close")
        ended_well(target.tally, driver.end(), target.case)


def read_only_disk(target):
    with target.bench.mounted("-t", "tmpfs", "none", name="disk") as folder:
        target.folder, target.path = folder, os.path.join(folder, "store.json")
        meanwhile(target, lambda _: command("mount", "-o", "remount,ro", folder),
                  lambda _: command("mount", "-o", "remount,rw", folder))


def directory_elsewhere(target):
    target.folder = os.path.join(target.folder, "inner")
    target.path = os.path.join(target.folder, "store.json")
    os.mkdir(target.folder)
    away = target.folder + ".away"
    meanwhile(target, lambda _: os.rename(target.folder, away), lambda _: os.rename(away, target.folder))


def directory_vanishes(target):
    target.folder = os.path.join(target.folder, "inner")
    target.path = os.path.join(target.folder, "store.json")
    os.mkdir(target.folder)
    meanwhile(target, lambda _: shutil.rmtree(target.folder), lambda _: os.mkdir(target.folder))


def no_descriptors(target):
    def limit(driver, count):
        resource.prlimit(driver.pid, resource.RLIMIT_NOFILE, (count, 1024))

    meanwhile(target, lambda driver: limit(driver, 3), lambda driver: limit(driver, 1024))


def replaced_by_a_directory(target):
    def prevent(_):
        os.rename(target.path, target.path + ".away")
        os.mkdir(target.path)

    def allow(_):
        os.rmdir(target.path)
        os.rename(target.path + ".away", target.path)

    meanwhile(target, prevent, allow)


REFUSED = [
    fifo, directory, unix_socket, device, dangling_link, chain_of_links, no_directory, file_as_directory, empty_file,
    long_name, path_of_4096_bytes, read_only_directory, read_only_file, closed_directory, bind_mounted_file,
    immutable_file, name_not_utf8, folder_not_utf8, link_to_name_not_utf8]
SAVED = [
    link, link_to_another_disk, longest_name, path_of_4000_bytes, relative_path, mode_and_owner, mode_of_new_file]
MEANWHILE = [read_only_disk, directory_elsewhere, directory_vanishes, no_descriptors, replaced_by_a_directory]


def check(bench, tally, writer, cases):
    for case in cases:
        name = case.__name__.replace("_", " ")
        target = Target(bench, tally, writer, name)
        try:
            case(target)
            tally.cases += 1
            if os.path.isdir(target.folder):
                no_temporaries(tally, target.folder, name)
        except Skipped as skipped:
            tally.skip(f"{name}: {skipped}")
        except Hang as hang:
            tally.violation("hang", f"{name}: {hang}")


def run(bench, tally):
    check(bench, tally, "ours", [*REFUSED, *SAVED, *MEANWHILE])


def catch(bench, tally, writer):
    check(bench, tally, writer, [dangling_link, fifo, link, mode_and_owner, bind_mounted_file])
