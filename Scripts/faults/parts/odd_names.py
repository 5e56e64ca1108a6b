"""Names that are not UTF-8, which only the command line accepts: refused, or taken literally, but never as others."""

import os
import subprocess

from .bench import read
from .content import names


def _add(target, store, cwd=None):
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    result = subprocess.run([os.fsencode(target.bench.cli), b"add", b"text", b"--store", store], capture_output=True,
                            cwd=cwd, env=environment, timeout=60)
    target.expect(result.returncode >= 0, f"killed by {-result.returncode}", "crash")
    return result


def name_not_utf8(target):
    result = _add(target, os.fsencode(target.folder) + b"/caf\xe9.json")
    made = names(target.folder)
    if result.returncode == 0:
        # If it is accepted, then literally.
        target.expect(made == [b"caf\xe9.json"], f"made {made}")
    else:
        target.expect(made == [], f"refused, but made {made}")
        target.expect(b".json" in result.stderr, f"names no file: {result.stderr!r}", "other")


def folder_not_utf8(target):
    folder = os.fsencode(target.folder) + b"/caf\xe9"
    os.mkdir(folder)
    result = _add(target, b"store.json", cwd=folder)
    made = names(folder)
    target.expect((result.returncode == 0) == (made == [b"store.json"]), f"{result.returncode}, but there are {made}")
    target.expect(names(target.folder) == [b"caf\xe9"], "something was made elsewhere")


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
    target.expect(len(names(folder)) == 2, f"made {names(folder)}")


ODD_NAMES = [name_not_utf8, folder_not_utf8, link_to_name_not_utf8]
