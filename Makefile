# mpaaskit: `make` lists what can be made.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# What `make release` builds: the benchmarks are built with the same flags, so that nothing is compiled twice.
PRODUCT = mpaas mpaas-server
# How often `make test-long` repeats what `make test` does a few times.
ROUNDS = 1000
# A folder that has libstdc++ as an archive only: the linker would take the shared one, which costs start-up and memory.
STATIC_LIBRARIES = $(CURDIR)/.build/static-libraries
# Nobody looks symbols up in the program: exported ones would keep what nothing calls, and cost 1.9 MB by themselves.
RELEASE_FLAGS = --configuration release --static-swift-stdlib -Xlinker -s -Xlinker --gc-sections \
	-Xlinker --no-export-dynamic -Xlinker --icf=safe -Xlinker -L$(STATIC_LIBRARIES) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
ifeq ($(shell uname -s),Darwin)
RELEASE_FLAGS = --configuration release
endif

.DEFAULT_GOAL := help
.PHONY: help bootstrap build release install uninstall test test-long demo bench man format lint clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

bootstrap: ## install the libraries and tools that are missing
	@scripts/bootstrap

build: bootstrap ## build for development
	$(SWIFT) build

release: bootstrap ## build the stripped release binaries with the Swift runtime inside
	@mkdir -p $(STATIC_LIBRARIES)
	@[ "$$(uname -s)" = Darwin ] || ln -sf "$$(g++ -print-file-name=libstdc++.a)" $(STATIC_LIBRARIES)/
	for product in $(PRODUCT); do $(SWIFT) build $(RELEASE_FLAGS) --product $$product || exit 1; done
	@cd "$$($(SWIFT) build --configuration release --show-bin-path)" && ls -l $(PRODUCT)

install: ## install what `make release` built, the kit for created projects, man pages and completions under PREFIX
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

uninstall: ## remove what install put under PREFIX
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --remove

test: ## run all tests
	@scripts/bootstrap --peers
	@scripts/test

test-long: ## run all tests with their long rounds: ROUNDS=1000 damages, kills, lives of each kind; hours
	@scripts/bootstrap --peers
	@MPAAS_FUZZ_ROUNDS=$(ROUNDS) scripts/test

demo: bootstrap ## a crash, symbolicated, and mended by a signed patch before your eyes
	@scripts/demo

bench: ## measure against other symbolizers, openssl, minisign and age
	@scripts/bench/run

man: ## write the man pages
	@scripts/man

format: ## format all Swift sources
	$(SWIFT) format --in-place --recursive --configuration .swift-format Package.swift Sources Tests plugins

lint: ## check formatting and style
	$(SWIFT) format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests plugins

clean: ## remove what was built
	$(SWIFT) package clean
