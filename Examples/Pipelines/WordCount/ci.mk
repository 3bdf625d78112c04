# Made by `mpaas ci init make` of mpaas-ci.toml; run `mpaas ci init` after changing that file. Your changes here stay.
# `make -f ci.mk` runs all steps, `make -f ci.mk ci-build` one; or `include ci.mk` at the end of a Makefile.
MPAAS ?= mpaas

.PHONY: ci ci-store ci-modules ci-check-plists ci-check-gateway ci-check-patches ci-environment ci-build ci-symbols ci-notes ci-publish

ci:
	$(MPAAS) ci run

ci-store:
	$(MPAAS) ci run store

ci-modules:
	$(MPAAS) ci run modules

ci-check-plists:
	$(MPAAS) ci run check-plists

ci-check-gateway:
	$(MPAAS) ci run check-gateway

ci-check-patches:
	$(MPAAS) ci run check-patches

ci-environment:
	$(MPAAS) ci run environment

ci-build:
	$(MPAAS) ci run build

ci-symbols:
	$(MPAAS) ci run symbols

ci-notes:
	$(MPAAS) ci run notes

ci-publish:
	$(MPAAS) ci run publish
