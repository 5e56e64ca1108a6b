"""Odd but valid targets: saved correctly."""

import os
import stat

from .target import NOBODY, deep_path


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
    target.works(0, deep_path(target, 4000))


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


SAVED = [link, link_to_another_disk, longest_name, path_of_4000_bytes, relative_path, mode_and_owner, mode_of_new_file]
