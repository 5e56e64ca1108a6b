"""Targets that are not an ordinary file in an ordinary directory: saved correctly, or refused with an error."""

import os

from .driver import Hang
from .judge import no_temporaries
from .odd_meanwhile import MEANWHILE
from .odd_names import ODD_NAMES
from .odd_refused import REFUSED, bind_mounted_file, dangling_link, fifo
from .odd_saved import SAVED, link, mode_and_owner
from .tally import Skipped
from .target import Target

NAME = "odd target"


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
    check(bench, tally, "ours", [*REFUSED, *ODD_NAMES, *SAVED, *MEANWHILE])


def catch(bench, tally, writer):
    check(bench, tally, writer, [dangling_link, fifo, link, mode_and_owner, bind_mounted_file])
