# Everything that is done with this source tree, by name; `make` lists it.
#
# Each target brings what it needs, so that any of them can be the first one on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Where systemd looks beside its own folders: below /usr, and below /usr/local.
UNITS = $(PREFIX)/lib/systemd/system
USERS = $(PREFIX)/lib/sysusers.d
DOCUMENTS = $(PREFIX)/share/doc/positiond
MANUALS = $(PREFIX)/share/man

PROGRAMS = positiond positionctl positionsim
EXAMPLES = Example Follow Agent
DEBUG = .build/debug
RELEASE = .build/release
OPTIMISED = -c release --static-swift-stdlib -Xlinker --gc-sections
RELEASE_FLAGS = $(OPTIMISED) -Xlinker -s
# Where the daemon is with the names of its functions, by which a count says whose it is.
SYMBOLS = .build/symbols

# Two builds at a time would only wait for each other.
.NOTPARALLEL:
.PHONY: help bootstrap build test test-long check check-c check-filter check-wake bench-turns bench-hostile
.PHONY: bench-instructions bench-socket demo release install documents format clean

help: ## this list
	@echo "make TARGET, where TARGET is"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

bootstrap: ## install the Debian packages that are missing; nothing where none is
	@scripts/bootstrap

build: bootstrap ## build everything for development
	$(SWIFT) build --build-tests

# Those that only compute come first, by themselves: they would keep those waiting that talk to the world.
PURE = '^(BrokerTests|CGPSTests|ConfigurationTests|GeodesyTests|JSONRPCTests|PositioningTests|PositionProtocolTests)\.'
TEST = $(SWIFT) test --skip-build --parallel --disable-xctest
# Of the others so many at a time: with more of them two cores keep those waiting that have a client's patience.
LIVE = $(TEST) --experimental-maximum-parallelization-width 24

test: build ## run all tests, and compare what the documents say of them
	@# Seen as they run, and kept for what is compared with them.
	bash -o pipefail -c "$(TEST) --filter $(PURE) 2>&1 | tee .build/test.log"
	bash -o pipefail -c "$(LIVE) --skip $(PURE) 2>&1 | tee -a .build/test.log"
	scripts/check-features .build/test.log

test-long: build ## run the broker's tests with ten times as many random worlds
	POSITIOND_TEST_LENGTH=10 $(TEST) --filter '^BrokerTests\.'

check: build check-c ## read the source, the scripts, the units and what the programs link, and try the C
	@scripts/bootstrap check
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples
	scripts/check-checks
	scripts/check-words
	scripts/check-tests
	scripts/check-shell
	scripts/check-docs $(DEBUG)
	scripts/check-linkage $(PROGRAMS:%=$(DEBUG)/%)
	scripts/check-units $(DEBUG)/positiond

check-c: bootstrap ## run the C under the sanitizers of addresses and of undefined behaviour
	scripts/check-c

check-filter: release ## show in a container, as root, that the packet filter keeps gpsd for positiond
	scripts/check-filter

check-wake: release ## show in a container, as root, that listed units are started and no others
	$(SWIFT) build $(RELEASE_FLAGS) --product startunit
	scripts/check-wake

bench-turns: bootstrap ## print what one turn of the broker costs, at several sizes of what makes it dear
	$(SWIFT) build -c release --product turnbench
	$(RELEASE)/turnbench

demo: ## show the whole thing at work with a simulated receiver
	@scripts/demo

bench-hostile: release ## show what others notice of a user who does all the harm that the limits leave
	@scripts/bench-hostile --programs $(RELEASE)

bench-instructions: bootstrap ## count the instructions of a cached one-shot; fail if they are more than those on record
	@scripts/bootstrap bench
	@# Linked with the names of its functions, and then again as it is installed.
	$(SWIFT) build $(OPTIMISED) -Xlinker -S --product positiond
	install -D -t $(SYMBOLS) $(RELEASE)/positiond
	$(SWIFT) build $(RELEASE_FLAGS) --product positiond
	@scripts/bench-instructions --programs $(SYMBOLS)

bench-socket: release ## measure a cached one-shot and a fan-out beside bare C on the same kind of socket
	@scripts/bootstrap bench
	@scripts/bench-socket --programs $(RELEASE)

release: bootstrap ## build what is installed: optimised, and without need of a Swift toolchain
	for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE_FLAGS) --product $$program || exit; done
	@# As a program that uses the Swift library is built; they are not installed.
	for program in $(EXAMPLES); do $(SWIFT) build $(RELEASE_FLAGS) --product $$program || exit; done
	scripts/check-linkage $(PROGRAMS:%=$(RELEASE)/%)

# As root, who often has no Swift, only copies: what is missing was not built before.
install: ## install below DESTDIR and PREFIX what `make release` built
	@for program in $(PROGRAMS); do \
	  [ -x $(RELEASE)/$$program ] || { echo "$(RELEASE)/$$program is not there; run 'make release' first" >&2; exit 1; }; \
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
	  echo "$(DESTDIR)/etc/positiond/positiond.conf is there already and stays as it is"; \
	else \
	  install -m 0644 config/positiond.conf $(DESTDIR)/etc/positiond/positiond.conf; \
	fi
	@for page in $(wildcard man/*.[1-9]); do \
	  install -D -m 0644 $$page $(DESTDIR)$(MANUALS)/man$${page##*.}/$${page##*/} || exit; \
	done
	@[ -n "$(DESTDIR)" ] || echo "Now: systemd-sysusers && systemctl daemon-reload && systemctl enable --now positiond"

documents: bootstrap ## write anew what is made from the table of settings
	POSITIOND_WRITE_DOCUMENTS=1 $(SWIFT) test --disable-xctest --filter ConfigurationTests.DocumentTests
	git diff --stat -- config docs

format: ## format the Swift source in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Examples

clean: ## remove everything that was built
	rm -rf .build
