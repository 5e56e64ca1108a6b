"""Power cuts: a file system in a file is stopped without its unwritten log, and mounted again."""

import fcntl
import os
import struct
import time

from .bench import require_root
from .content import Torn, remove_store
from .driver import acknowledged
from .judge import goes_on
from .tally import Skipped

NAME = "power cut"
# _IOR('X', 125, uint32_t), the same for ext4 and xfs; 2 is "do not flush the log".
SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, struct.pack("I", 2)
# xfs needs at least 300 MB.
MEGABYTES = {"ext4": 64, "xfs": 320}
# By default ext4 writes the data of a file that replaces another one, which hides most of the syncs that are missing.
MOUNT_OPTIONS = {"ext4": "loop,noauto_da_alloc", "xfs": "loop"}


def shut_down(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(descriptor, SHUTDOWN, NO_LOG_FLUSH)
    except OSError as error:
        raise Skipped(f"the file system cannot be stopped ({error.strerror})") from None
    finally:
        os.close(descriptor)


def check(bench, tally, writer, file_system, cases, longest=0.08, pause=4_000, until_caught=False, size={}, **options):
    """`pause` is the longest time in µs between two saves; `size` and `options` are those of the driver."""
    require_root("mounting")
    ledger = bench.ledger(**size)
    image = bench.image(file_system, MEGABYTES[file_system])
    folder = bench.new_folder(file_system)
    path = os.path.join(folder, "store.json")
    random = bench.random(NAME, writer, file_system)
    bench.mount(folder, "-o", MOUNT_OPTIONS[file_system], image)
    try:
        for case in range(cases):
            if until_caught and tally.caught_by:
                break
            tally.cases += 1
            seed, delay = random.randrange(1 << 32), random.uniform(0.002, longest)
            name = f"{file_system}, cut {case}, {delay * 1000:.1f} ms after the start of saving"
            if random.random() < 0.1 and os.path.exists(path):
                # Then the making of the file must be durable.
                remove_store(path)
                name += ", new file"
            with bench.driver(path, writer=writer, **size, **options) as driver:
                first, opened = driver.start("open")
                if opened is None or not opened.startswith("OPEN"):
                    tally.violation("lost", f"{name}: opening gave {opened}")
                    return
                driver.send(f"loop 1000000 {pause} {seed}")
                time.sleep(delay)
                # Only acknowledgements before the power cut count.
                lines = driver.lines_so_far()
                shut_down(folder)
                driver.kill()
            promised = max(int(opened.split()[1]), acknowledged(lines))
            bench.unmount(folder)
            bench.mount(folder, "-o", MOUNT_OPTIONS[file_system], image)
            try:
                found = ledger.revision_of_file(path)
            except Torn as torn:
                tally.violation("torn", f"{name}: {torn}")
                remove_store(path)
                continue
            if found is None or found < promised:
                tally.violation("lost", f"{name}: revision {promised} was acknowledged, the file is at {found}")
            elif found > promised + 8:
                tally.violation("other", f"{name}: the file is at {found}, but only {promised} was acknowledged")
        if writer == "ours":
            goes_on(bench, tally, ledger, folder, path, f"{file_system}, after all cuts", **size, **options)
    finally:
        bench.unmount(folder)
        os.remove(image)


def run(bench, tally, short=12, **options):
    """`short` is the number of cuts on each file system in the short form."""
    cases = bench.count(200, short)
    for file_system in MEGABYTES:
        try:
            check(bench, tally, "ours", file_system, cases, **options)
            tally.notes.append(f"{cases} on {file_system}")
        except Skipped as skipped:
            tally.skip(f"{file_system}: {skipped}")


def catch(bench, tally, writer, short=12, **options):
    for file_system in MEGABYTES:
        try:
            before = tally.counts.total()
            check(bench, tally, writer, file_system, bench.count(40, short), **options)
            tally.notes.append(f"{tally.counts.total() - before} on {file_system}")
        except Skipped as skipped:
            tally.skip(f"{file_system}: {skipped}")
