"""The Swift blocks of README.md, of Docs and of the documentation's articles.

Each is compiled as a main.swift, in the surroundings that Scripts/examples/surroundings has for its name, and run to its
end. Then the files are read that it leaves. Blocks of one name are one program. Nothing closes the store unless the
example does: what a reader copies has to be saved as it is. A block without surroundings fails the run.
"""

import concurrent.futures
import os
import subprocess

from . import grdb
from .compiler import check_manifest, check_mistakes, check_swiftui
from .pages import Failure, all_examples
from .programs import check_program
from .surroundings import PROGRAMS


def check(names, folder, modules):
    examples = all_examples()
    manifests = {name: examples.pop(name) for name in [*examples] if name.startswith("manifest")}
    unknown = {*examples} ^ {*PROGRAMS}
    if unknown or not manifests:
        raise Failure(f"not both in a page and in Scripts/examples: {', '.join(sorted(unknown)) or 'manifest'}")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {name: pool.submit(check_program, name, examples[name], PROGRAMS[name](examples), folder, modules)
                for name in names or PROGRAMS}
        if not names:
            runs |= {name: pool.submit(check_manifest, name, lines, folder) for name, lines in manifests.items()}
            if grdb.is_built():
                runs["grdb"] = pool.submit(grdb.check_grdb, folder)
            else:
                print("grdb: skipped, because .ci/run has not built the benchmarks here")
            runs["swiftui"] = pool.submit(check_swiftui, examples, folder, modules)
            runs["mistakes"] = pool.submit(check_mistakes, examples, folder, modules)
        for name, run in runs.items():
            try:
                run.result()
                print(f"{name}: ok")
            except (Failure, subprocess.TimeoutExpired, OSError, KeyError, ValueError, IndexError) as error:
                failed += 1
                print(f"{name}: FAILED: {error}")
    if failed:
        raise Failure(f"{failed} programs of documents failed")
    return f"{len(names or PROGRAMS)} programs of documents"
