.PHONY: run test lint format

run: ; .ci/make-run
test: ; .ci/make-test
lint: ; .ci/make-lint
format: ; swift format --in-place --recursive Package.swift Sources Plugins Tests
