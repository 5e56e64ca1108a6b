"""The table of the results of all faults, for the terminal and for Docs/TORTURE.md."""

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from .cheats import blind_checks
from .tally import KINDS

BEGIN, END = "<!-- results: written by Scripts/torture -->", "<!-- end of results -->"
HEADINGS = {
    "lost": "lost", "torn": "torn", "crash": "crashes", "hang": "hangs", "silent": "silent acceptances", "other": "other"}


def table(tallies, caught):
    lines = [f"| fault class | cases | {' | '.join(HEADINGS[kind] for kind in KINDS)} | |", "|---|" + "--:|" * 7 + "---|"]
    for tally in tallies:
        counts = " | ".join(str(tally.counts[kind]) for kind in KINDS)
        remarks = "; ".join([f"SKIPPED {reason}" for reason in tally.skipped] + tally.notes)
        lines.append(f"| {tally.name} | {tally.cases:,} | {counts} | {remarks} |")
    if caught:
        lines += ["", "| writer that cheats | |", "|---|---|"]
        lines += [f"| `{cheat.name}` | {cheat.text} |" for cheat in caught]
        lines += ["", f"Cheats caught: {sum(bool(cheat.by) for cheat in caught)} of {len(caught)}."]
        lines += [f"NO CHEAT was found out by the check “{check}”." for check in blind_checks(caught)]
    return "\n".join(lines)


def problems(tallies, caught):
    """What must not be, in words. Empty if all is well. It ends the output, which may have been cut off above."""
    lines = [violation for tally in tallies for violation in tally.violations]
    lines += [f"the writer {cheat.name} was {cheat.text}" for cheat in caught if not cheat.is_good]
    return lines + [f"no cheat was found out by the check “{check}”" for check in blind_checks(caught)]


def machine():
    model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"


def swift_version():
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", text)
    return found.group(1) if found else "unknown"


def write(page, tallies, caught, seed, seconds):
    """Puts the results of a full run between the marks of the page."""
    text = page.read_text()
    lines = [
        BEGIN, "",
        f"- Machine: {machine()}",
        f"- Date: {datetime.date.today().isoformat()}",
        f"- Swift {swift_version()}, release build",
        f"- Command: `Scripts/torture --seed {seed}`, {seconds / 60:.0f} minutes", "",
        table(tallies, caught), "", END]
    before, rest = text.split(BEGIN, 1)
    page.write_text(before + "\n".join(lines) + rest.split(END, 1)[1])
