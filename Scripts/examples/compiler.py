"""What the compiler and SwiftPM say: to common first mistakes, and to the manifest of README.md."""

import json
import re
import subprocess

from .pages import ARTICLES, ROOT, blocks, expect, types
from .programs import run
from .surroundings import OPEN

# The name that SwiftPM gives to this package, by its folder.
PACKAGE = re.sub(r"\W", "_", ROOT.name.lower())

# Common first mistakes, and the expected messages of the compiler.
MISTAKES = {
    'try store.write { $0.posts["1"]?.body = "x" }': "change a record with “try table.update(id) { $0.name = … }”",
    '_ = store.observe(\\.posts, sortedBy: { ($0.body, $0.id) })': "by several with CompoundKey($0.first, $0.second)",
    '_ = store.observe(\\.posts, sortedBy: \\.tags)': "sort by something that is Comparable",
    'struct D: Model { let posts = Table<Post>(); static let schema = Schema("d", version: 1, Field("posts", \\D.posts)) }':
        "declare the table with “var”, not with “let”",
    'struct D: Model { let size = 1; static let schema = Schema("d", version: 1, Field("size", \\D.size)) }':
        "declare the value with “var”, not with “let”",
    'struct P {}; struct D: Model { var p = P(); static let schema = Schema("d", version: 1, Field("p", \\D.p)) }':
        "a field is a Table of records, or a value that is Codable, Equatable and Sendable",
    'struct D: Model { var posts = Table<Post>(); static let schema = Schema("d", version: 1, Field("posts", \\D.post)) }':
        "value of type 'D' has no member 'post'",
    'let posts: [Post] = store.read { $0.posts }': "a table is no array: write “Array($0.posts)”",
    'let posts: [Post] = store.posts': "cannot convert value of type 'Table<Post>'",
}


def check_mistakes(examples, folder, modules):
    home = folder / "mistakes"
    home.mkdir()
    for line, advice in MISTAKES.items():
        (home / "main.swift").write_text(f"import Foundation\nimport SnapshotStore\n{types(examples['dashboard'])}\n{OPEN}{line}\n")
        said = subprocess.run(
            ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules, home / "main.swift"], capture_output=True, text=True).stderr
        errors = [line for line in said.splitlines() if ": error: " in line]
        expect(len(errors) == 1 and advice in errors[0], f"{line}\n{said}")


def check_swiftui(examples, folder, modules):
    """The code for SwiftUI is compiled against the declarations that Scripts/check-platforms has of it."""
    home = folder / "swiftui"
    home.mkdir()
    # The folder comes first: the module that is built on Linux is empty.
    options = ["-swift-version", "6", "-I", home, "-I", modules, "-I", ROOT / "Scripts/platforms/shims"]
    run("swiftc", "-emit-module", "-module-name", "SnapshotUI", "-package-name", PACKAGE, "-parse-as-library",
        "-enable-upcoming-feature", "InternalImportsByDefault", *options,
        "-emit-module-path", home / "SnapshotUI.swiftmodule", *sorted((ROOT / "Sources/SnapshotUI").glob("*.swift")))
    views = blocks(ARTICLES / "FollowingChanges.md", "swiftui")
    expect(views, "no code for SwiftUI")
    for name, view in views.items():
        (home / f"{name}.swift").write_text(f"{view}\n{types(examples['dashboard'])}")
        run("swiftc", "-typecheck", "-parse-as-library", *options, home / f"{name}.swift")


def manifest(lines):
    """A whole manifest with the lines that a page shows."""
    if lines.startswith("// swift-tools-version"):
        return lines
    dependency, *products = [line for line in lines.splitlines() if line.startswith(".")]
    targets = "\n".join(products)
    return ("// swift-tools-version: 6.1\nimport PackageDescription\n"
            f'let package = Package(name: "app", dependencies: [\n{dependency}\n], '
            f'targets: [.executableTarget(name: "app", dependencies: [\n{targets}\n])])\n')


def check_manifest(name, lines, folder):
    """The lines for a manifest: SwiftPM reads them, and this package has the products that they name."""
    home = folder / name
    home.mkdir()
    (home / "Package.swift").write_text(manifest(lines))
    app = json.loads(run("swift", "package", "dump-package", "--package-path", home).stdout)
    ours = json.loads(run("swift", "package", "dump-package", "--package-path", ROOT).stdout)
    used = [dependency["product"] for dependency in app["targets"][0]["dependencies"]]
    expect(used and {use[0] for use in used} <= {product["name"] for product in ours["products"]}, used)
    path = app["dependencies"][0]["fileSystem"][0]
    expect({use[1].lower() for use in used} == {path["identity"]}, path)
