.PHONY: run test bench lint format

run: ; .ci/make-run
test: ; .ci/make-test
bench: ; .ci/make-bench
lint: ; .ci/make-lint
format: ; swift format --in-place --recursive Package.swift Sources Plugins Tests
