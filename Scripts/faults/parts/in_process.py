"""The tests of the library with faults of their own: at every call, and on every disk that a crash may leave."""

import os
import re
import subprocess

from .tally import Skipped

NAME = "faults in memory"
ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "..")
FILTER = "Crash|Fault|ByteProof|Bomb|Salvage|Recovery|Generation|FileLock|SaverFailure|ExternalChange|StaleWriter|UnreadableFile|MovedFolder"
RAN = re.compile(r"Test run with (\d+) tests? .* passed")
# The line that the tests print on the checked states.
COUNTED = re.compile(r"^crash states: .*$", re.MULTILINE)


def run(bench, tally):
    if not bench.long:
        raise Skipped("the long form only: .ci/run has them among the tests")
    result = subprocess.run(["swift", "test", "--package-path", ROOT, "--filter", FILTER],
                            capture_output=True, text=True, env=dict(os.environ, SNAPSHOT_PROOFS="exhaustive"))
    output = result.stdout + result.stderr
    found = RAN.search(output)
    if result.returncode != 0 or not found:
        failures = [line for line in output.splitlines() if "recorded an issue" in line][:5]
        tally.violation("other", "; ".join(failures) or output[-2000:])
        return
    tally.cases = int(found.group(1))
    tally.notes = ["tests", *COUNTED.findall(output)]
