.PHONY: run demo deb test check coverage bench faults fuzz lint format screenshots docs

run: ; .ci/make-run
demo: ; DATA=$${DATA:-demo} .ci/make-run --demo
deb: ; .ci/make-deb
test: ; .ci/make-test
check: ; .ci/make-check
coverage: ; .ci/make-coverage
bench: ; .ci/make-bench
faults: ; .ci/make-faults
fuzz: ; .ci/make-fuzz
lint: ; .ci/make-lint
screenshots: ; .ci/make-screenshots
docs: ; .ci/make-docs
format: ; swift format --in-place --recursive Package.swift Sources Plugins Tests
