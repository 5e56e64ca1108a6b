"""The side of GRDB in the article for those who come from SQLite, compiled and run with the GRDB of the benchmarks."""

from .pages import ARTICLES, ROOT, blocks, expect
from .programs import run

# Where .ci/run builds the benchmarks, and GRDB with them.
BUILD = ROOT / ".build/programs"


def is_built():
    return (BUILD / "release/Modules/GRDB.swiftmodule").exists()


def check_grdb(folder):
    home = folder / "grdb"
    home.mkdir()
    # Its blocks follow each other: one program with all of them.
    programs = blocks(ARTICLES / "ComingFromSQLite.md", "grdb")
    (home / "main.swift").write_text("import Foundation\nimport GRDB\n" + "\n".join(programs.values()))
    made = BUILD / "release"
    # GRDB's module of the C library. Builds of other packages remove its sources, and so the original.
    (home / "GRDBSQLite").mkdir()
    (home / "GRDBSQLite/module.modulemap").write_text('module GRDBSQLite [system] { header "all.h" export * }\n')
    (home / "GRDBSQLite/all.h").write_text("#include <sqlite3.h>\n")
    run("swiftc", "-swift-version", "5", "-static-stdlib", "-I", made / "Modules",
        "-I", home / "GRDBSQLite", "-o", home / "program", home / "main.swift",
        *sorted((made / "GRDB.build").glob("*.o")), "-lsqlite3")
    said = run(home / "program", cwd=home).stdout.splitlines()
    expect(said[0] == '["To the Lighthouse"]' and len(said) == 4 and '"id":1' in said[1], said)
