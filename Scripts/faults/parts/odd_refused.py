"""Targets that must be refused, with an error, and stay unchanged."""

import os
import shutil
import socket
import stat

from .bench import read, require_root, require_tool, run as command
from .content import names
from .target import NOBODY, deep_path, unprivileged


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


def path_of_4096_bytes(target):
    path = deep_path(target, 4096)
    assert len(path) == 4096
    # Messages show the beginning of so long a path.
    target.is_refused(path, name=os.path.basename(target.folder))
    target.expect(names(os.path.dirname(path)) == [], "something was made", "other")


def read_only_directory(target):
    target.seed()
    if os.geteuid() == 0:
        os.chown(target.folder, NOBODY, NOBODY), os.chown(target.path, NOBODY, NOBODY)
    os.chmod(target.folder, 0o555)
    target.is_refused(prefix=unprivileged())
    os.chmod(target.folder, 0o755)
    target.holds(0)


def read_only_file(target):
    target.seed()
    os.chmod(target.path, 0o444), os.chmod(target.folder, 0o777)
    target.is_refused(prefix=unprivileged())
    target.holds(0)


def closed_directory(target):
    target.seed()
    os.chmod(target.folder, 0o000)
    target.is_refused(prefix=unprivileged())
    os.chmod(target.folder, 0o755)
    target.holds(0)


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


REFUSED = [
    fifo, directory, unix_socket, device, dangling_link, chain_of_links, no_directory, file_as_directory, empty_file,
    long_name, path_of_4096_bytes, read_only_directory, read_only_file, closed_directory, bind_mounted_file,
    immutable_file]
