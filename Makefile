# The tasks of CONTRIBUTING.md.

.PHONY: install uninstall build test proofs examples fuzz torture mutants format lint docs bench scale check demo clean

# Where “make install” puts the tool, its manual pages and completions. Packagers set DESTDIR.
PREFIX ?= /usr/local
DESTDIR ?=

build:
	swift build --build-tests

# The program needs no library of Swift, and on Linux none of C++.
install:
	Scripts/release-build --product snapshot-cli
	DESTDIR="$(DESTDIR)" Scripts/install "$$(Scripts/release-build --show-bin-path)/snapshot-cli" "$(PREFIX)"

uninstall:
	DESTDIR="$(DESTDIR)" Scripts/install --uninstall "$(PREFIX)"

test:
	swift test

# The tests with all cases of every proof.
proofs:
	Scripts/proofs

# Runs the examples of all documents: of comments and pages, the sessions in a shell, and the tutorial.
examples:
	Scripts/run-examples

# Reads 100,000 damaged files, and compares the results with Foundation's coders; see Docs/FUZZ.md.
fuzz:
	Scripts/fuzz

# Kills, power cuts, full disks and failing calls, as root; writes Docs/TORTURE.md. About an hour.
torture:
	Scripts/torture

# Whether the tests notice mistakes: 400 of the kernel's.
mutants:
	Scripts/mutate

format:
	git ls-files -z '*.swift' | xargs -0 swift format --in-place --parallel

lint:
	.ci/run format

# The documentation of all libraries, shown at http://127.0.0.1:8080/ until it is interrupted.
docs:
	Scripts/build-docs --serve

# Measures anew and writes Benchmarks/RESULTS.md and its plot. The machine should do no other work.
bench:
	swift run -c release --package-path Benchmarks snapshot-bench --json Benchmarks/results.json
	Scripts/plot-benchmarks Benchmarks/results.json

# Measures stores of 1,000 to 3,000,000 records, and writes Docs/SCALE.md. Ten minutes, with no other work beside it.
scale:
	Scripts/measure-scale

demo:
	swift run snapshot-cli demo

# All checks that must pass before a change lands.
check:
	.ci/run

clean:
	rm -rf .build Benchmarks/.build Examples/Dashboard/.build Examples/Workshop/.build \
		Examples/NotesServer/.build Scripts/faults/.build
