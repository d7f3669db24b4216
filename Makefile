# The tasks of this source tree; `make` lists them.
#
# Each target installs what it needs, so any of them can be the first on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# systemd searches these folders below /usr and below /usr/local.
UNITS = $(PREFIX)/lib/systemd/system
USERS = $(PREFIX)/lib/sysusers.d
DOCUMENTS = $(PREFIX)/share/doc/positiond
MANUALS = $(PREFIX)/share/man

PROGRAMS = positiond positionctl positionsim
EXAMPLES = Example Follow Agent
DEBUG = .build/debug
RELEASE = .build/release
# These flags make the programs smaller in memory: they export no symbols, because nothing loads them as libraries,
# functions with the same code are merged, and the relocations, which the loader reads at the start, are packed.
LINKED = -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker --icf=safe \
  -Xlinker -z -Xlinker pack-relative-relocs
OPTIMISED = -c release --static-swift-stdlib $(LINKED)
RELEASE_FLAGS = $(OPTIMISED) -Xlinker -s
# The daemon with its symbols, so that callgrind can name the function of each instruction.
SYMBOLS = .build/symbols

# SwiftPM locks the build folder, so two builds at a time would only wait for each other.
.NOTPARALLEL:
.PHONY: help bootstrap build test test-long check check-c check-filter check-wake bench-turns bench-hostile
.PHONY: bench-instructions bench-socket demo release install documents format clean

help: ## show this list
	@echo "make TARGET, where TARGET is"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

bootstrap: ## install the missing Debian packages
	@scripts/bootstrap

build: bootstrap ## build everything for development
	$(SWIFT) build --build-tests

# The tests that only compute run first and alone: beside them, the tests with real time limits would time out.
PURE = '^(BrokerTests|CGPSTests|ConfigurationTests|GeodesyTests|JSONRPCTests|PositioningTests|PositionProtocolTests)\.'
TEST = $(SWIFT) test --skip-build --parallel --disable-xctest
# On two cores, with more tests at a time, clients would reach their time limits.
LIVE = $(TEST) --experimental-maximum-parallelization-width 24

test: build ## run all tests, and check that the documents name tests that passed
	@# The log is shown, and kept for check-features.
	bash -o pipefail -c "$(TEST) --filter $(PURE) 2>&1 | tee .build/test.log"
	bash -o pipefail -c "$(LIVE) --skip $(PURE) 2>&1 | tee -a .build/test.log"
	scripts/check-features .build/test.log

test-long: build ## run the broker's tests with ten times as many random worlds
	POSITIOND_TEST_LENGTH=10 $(TEST) --filter '^BrokerTests\.'

check: build check-c ## check format, words, scripts, documents, units and linked libraries, and run check-c
	@scripts/bootstrap check
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples
	scripts/check-checks
	scripts/check-words
	scripts/check-tests
	scripts/check-shell
	scripts/check-docs $(DEBUG)
	scripts/check-linkage $(PROGRAMS:%=$(DEBUG)/%)
	scripts/check-units $(DEBUG)/positiond

check-c: bootstrap ## run the C code under AddressSanitizer and UndefinedBehaviorSanitizer
	scripts/check-c

check-filter: release ## test in a container, as root, that the packet filter reserves gpsd for positiond
	scripts/check-filter

check-wake: release ## test in a container, as root, that events start the listed units and no others
	$(SWIFT) build $(RELEASE_FLAGS) --product startunit
	scripts/check-wake

bench-turns: bootstrap ## measure the time of one turn of the broker, with different numbers of clients and regions
	$(SWIFT) build -c release --product turnbench
	$(RELEASE)/turnbench

demo: ## show the whole thing at work with a simulated receiver
	@scripts/demo

bench-hostile: release ## measure what other users notice when a hostile user does everything that the limits allow
	@scripts/bench-hostile --programs $(RELEASE)

bench-instructions: bootstrap ## count the instructions of a cached one-shot; fail if they exceed the recorded figure
	@scripts/bootstrap bench
	@# Linked with symbols for callgrind, and then again as it is installed.
	$(SWIFT) build $(OPTIMISED) -Xlinker -S --product positiond
	install -D -t $(SYMBOLS) $(RELEASE)/positiond
	$(SWIFT) build $(RELEASE_FLAGS) --product positiond
	@scripts/bench-instructions --programs $(SYMBOLS)

bench-socket: release ## compare a cached one-shot and a fan-out with plain C on the same kind of socket
	@scripts/bootstrap bench
	@scripts/bench-socket --programs $(RELEASE)

release: bootstrap ## build what is installed: optimised, and independent of a Swift toolchain
	for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE_FLAGS) --product $$program || exit; done
	@# The examples are not installed; they show that a program with the Swift library builds.
	for program in $(EXAMPLES); do $(SWIFT) build $(RELEASE_FLAGS) --product $$program || exit; done
	scripts/check-linkage $(PROGRAMS:%=$(RELEASE)/%)

# Root often has no Swift toolchain, so this only copies, and fails if something was not built.
install: ## install below DESTDIR and PREFIX what `make release` built
	@for program in $(PROGRAMS); do \
	  [ -x $(RELEASE)/$$program ] || { echo "$(RELEASE)/$$program is missing; run 'make release' first" >&2; exit 1; }; \
	done
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(PROGRAMS:%=$(RELEASE)/%)
	install -D -m 0644 -t $(DESTDIR)$(DOCUMENTS) docs/configuration.md docs/features.md docs/gpsd.md docs/limits.md \
	  docs/agents.md docs/permission.md docs/protocol.md docs/reduced-precision.md docs/wake.md \
	  config/positiond-wake.rules SECURITY.md
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/positiond config/positiond-gpsd.nft
	install -D -m 0644 systemd/positiond.sysusers $(DESTDIR)$(USERS)/positiond.conf
	install -d $(DESTDIR)$(UNITS) $(DESTDIR)/etc/positiond/positiond.conf.d
	for unit in positiond.service positiond.socket positiond-gpsd-filter.service; do \
	  sed -e 's|=/usr/bin/|=$(PREFIX)/bin/|' -e 's|/usr/share/|$(PREFIX)/share/|' systemd/$$unit \
	    >$(DESTDIR)$(UNITS)/$$unit && chmod 0644 $(DESTDIR)$(UNITS)/$$unit || exit; \
	done
	install -D -m 0644 systemd/positiond-gpsd-filter.conf $(DESTDIR)$(UNITS)/nftables.service.d/positiond-gpsd-filter.conf
	@if [ -e $(DESTDIR)/etc/positiond/positiond.conf ]; then \
	  echo "$(DESTDIR)/etc/positiond/positiond.conf exists and stays unchanged"; \
	else \
	  install -m 0644 config/positiond.conf $(DESTDIR)/etc/positiond/positiond.conf; \
	fi
	@for page in $(wildcard man/*.[1-9]); do \
	  install -D -m 0644 $$page $(DESTDIR)$(MANUALS)/man$${page##*.}/$${page##*/} || exit; \
	done
	@[ -n "$(DESTDIR)" ] || echo "Now: systemd-sysusers && systemctl daemon-reload && systemctl enable --now positiond"

# The tests that hold these documents to the code.
WRITTEN = 'ConfigurationTests.DocumentTests|PositionProtocolTests.ProtocolDocumentTests/tables|ControlCommandsTests.HelpTests/manualPageIsWritten'

documents: bootstrap ## write the documents that are made from the tables of settings, of the protocol and of options
	POSITIOND_WRITE_DOCUMENTS=1 $(SWIFT) test --disable-xctest --filter $(WRITTEN)
	git diff --stat -- config docs man

format: ## format the Swift source in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Examples

clean: ## remove everything that was built
	rm -rf .build
