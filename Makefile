# mpaaskit: `make` lists what can be made.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# What `make release` builds; a benchmark can be named as well.
PRODUCT = mpaas mpaas-server orderbook
# How often `make test-long` repeats what `make test` does a few times.
ROUNDS = 1000
# Options of scripts/package and scripts/package-check, such as `--programs FOLDER`, `--key NAME`.
PACKAGE_FLAGS =
# How `make test`, `make man` and `make man-check` build: `debug`, or `release`, which tests what users run, and takes
# longer to build and less to run.
CONFIGURATION = debug
# Optimized for size, that is a sixth smaller and compiled in three quarters of the time. Debug information, which the
# programs are stripped of, would cost another seventh of that time.
#
# Each function has a section of its own, so that the linker leaves out the ones that a program does not reach.
RELEASE_FLAGS = --configuration release -debug-info-format none -Xswiftc -Osize \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
TEST_FLAGS = $(if $(filter release,$(CONFIGURATION)),$(RELEASE_FLAGS) -Xswiftc -enable-testing)

.DEFAULT_GOAL := help
# The libraries that `make docs` writes the site of.
LIBRARIES = CrashReporter MPaaSAppServices MPaaSDAORuntime MPaaSFlags MPaaSFramework MPaaSHotpatch MPaaSLogHandler \
  MPaaSLogUpload MPaaSNetwork MPaaSPinyin MPaaSRPC MPaaSSecurity MPaaSStorage MPaaSTheme MPaaSTrust
# Options of scripts/docs, such as `--base /mpaaskit`.
DOCS_FLAGS =

.PHONY: help bootstrap build release install uninstall tests test test-long demo xcframework-layout package package-check bench man man-check docs examples format lint clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

bootstrap: ## install the libraries and tools that are missing
	@scripts/bootstrap

build: bootstrap ## build for development
	$(SWIFT) build

release: bootstrap ## build the stripped release binaries with the Swift runtime inside
	for product in $(PRODUCT); do $(SWIFT) build $(RELEASE_FLAGS) --product $$product || exit 1; done
	@cd "$$($(SWIFT) build --configuration release --show-bin-path)" && ls -l $(PRODUCT)

install: ## install what `make release` built, the kit for created projects, man pages and completions under PREFIX
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

uninstall: ## remove what install put under PREFIX
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --remove

tests: ## build all tests
	@scripts/test --build $(TEST_FLAGS)

test: ## run all tests
	@scripts/bootstrap --peers
	@scripts/test $(TEST_FLAGS)

test-long: ## run all tests with their long rounds: ROUNDS=1000 damages, kills, lives of each kind; hours
	@scripts/bootstrap --peers
	@MPAAS_FUZZ_ROUNDS=$(ROUNDS) scripts/test $(TEST_FLAGS)

demo: ## a crash, symbolicated, and mended by a signed patch before your eyes; without Swift by an installed package
	@if command -v $(SWIFT) >/dev/null; then scripts/bootstrap && scripts/demo; else scripts/demo --installed; fi

xcframework-layout: ## write packages and podspecs of the libraries for XCFrameworks and CocoaPods under .build/distribution
	@scripts/distribution .build/distribution --check

package: ## write the .deb, the archives, the container's root, the SBOM and their signed digests to dist
	@scripts/bootstrap --packages
	@$(MAKE) --no-print-directory release PRODUCT="mpaas mpaas-server orderbook"
	@scripts/package $(PACKAGE_FLAGS)

package-check: ## make the packages twice, and install, try and remove them in clean systems; needs root
	@scripts/bootstrap --packages
	@scripts/package-check $(PACKAGE_FLAGS)

bench: ## measure against other symbolizers, openssl, minisign and age
	@scripts/bench/run

man: ## write the man pages
	@scripts/man $(TEST_FLAGS)

man-check: ## compare the man pages with those of the commands as they are
	@scripts/man --check $(TEST_FLAGS)

docs: ## write the site of the libraries to .build/documentation: articles, tutorials, every public symbol
	@for library in $(LIBRARIES); do $(SWIFT) build --quiet $(TEST_FLAGS) --target $$library || exit 1; done
	@scripts/docs $(DOCS_FLAGS) --folder "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)"

examples: ## run the examples of README, Documentation and the help with the release build, and follow their links
	@$(MAKE) --no-print-directory release PRODUCT="mpaas mpaas-server orderbook"
	@scripts/doc-examples --programs "$$($(SWIFT) build --configuration release --show-bin-path)"
	@scripts/help-examples --programs "$$($(SWIFT) build --configuration release --show-bin-path)"

format: ## format all Swift sources
	$(SWIFT) format --in-place --recursive --configuration .swift-format Package.swift Sources Tests plugins

lint: ## check formatting, style and the language of comments
	$(SWIFT) format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests plugins
	@scripts/check-comments

clean: ## remove what was built
	$(SWIFT) package clean
