"""Obstacles to the saves of an open store: a flush fails, and a later one succeeds."""

import os
import resource
import shutil

from .bench import run as command
from .judge import ended_well, names_file
from .tally import Skipped


def meanwhile(target, prevent, allow, **options):
    """A flush with an obstacle fails, and a later one succeeds."""
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
    """A plain remount is refused while a store is open, because its lock file is: so the disk is mounted over itself."""
    def prevent(_):
        command("mount", "--bind", folder, folder, skips="mounting what is in use")
        command("mount", "-o", "remount,bind,ro", folder, skips="remounting")

    with target.bench.mounted("-t", "tmpfs", "none", name="disk") as folder:
        target.folder, target.path = folder, os.path.join(folder, "store.json")
        meanwhile(target, prevent, lambda _: command("umount", folder))


def disk_turns_read_only(target):
    """As ext4 does after an error; only a new mount helps."""
    image = target.bench.image("ext4", 64)
    target.path = os.path.join(target.folder, "store.json")
    target.bench.mount(target.folder, "-o", "loop,errors=remount-ro", image)
    try:
        target.seed()
        with target.bench.driver(target.path, writer=target.writer) as driver:
            driver.start("open", "change")
            turn_read_only(target.folder)
            answer = driver.ask("flush")
            target.expect(answer is not None and answer.startswith("FAIL"), f"{answer}")
            names_file(target.tally, answer or "", "store.json", target.case)
        target.bench.unmount(target.folder)
        target.bench.mount(target.folder, "-o", "loop", image)
        target.holds(0)
        target.works(1)
    finally:
        target.bench.unmount(target.folder)
        os.remove(image)


def turn_read_only(folder):
    device = os.stat(folder).st_dev
    name = os.path.basename(os.readlink(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"))
    try:
        with open(f"/sys/fs/ext4/{name}/trigger_fs_error", "w") as trigger:
            trigger.write("1")
    except OSError as error:
        raise Skipped(f"ext4 cannot be told to fail ({error.strerror})") from None


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


MEANWHILE = [
    read_only_disk, disk_turns_read_only, directory_elsewhere, directory_vanishes, no_descriptors, replaced_by_a_directory]
