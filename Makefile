# What there is to do, in the words of CONTRIBUTING.md.

.PHONY: build test format lint docs check demo clean

build:
	swift build --build-tests

test:
	swift test

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests

docs:
	Scripts/build-docs

demo:
	swift run snapshot-cli demo

# All that has to pass before a change lands.
check:
	.ci/run

clean:
	rm -rf .build
