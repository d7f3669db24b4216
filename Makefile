# The tasks of this source tree; `make` lists them.
#
# Each target installs what it needs, so any of them can be the first on a fresh machine.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# systemd searches these folders below /usr and below /usr/local.
UNITS = $(PREFIX)/lib/systemd/system
USERS = $(PREFIX)/lib/sysusers.d
FOLDERS = $(PREFIX)/lib/tmpfiles.d
# Units of the users' own sessions.
SESSION_UNITS = $(PREFIX)/lib/systemd/user
# The system bus reads policies from this folder below /usr alone; elsewhere an administrator's folder is the place.
BUS = $(if $(filter /usr,$(PREFIX)),/usr/share,/etc)/dbus-1/system.d
DOCUMENTS = $(PREFIX)/share/doc/positiond
SHARED = $(PREFIX)/share/positiond
MANUALS = $(PREFIX)/share/man
BASH_COMPLETIONS = $(PREFIX)/share/bash-completion/completions
# zsh searches this folder below /usr/local; Debian's packages have one of their own.
ZSH_COMPLETIONS = $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS = $(PREFIX)/share/fish/vendor_completions.d

INSTALLED_DOCUMENTS = $(addprefix docs/,agents.md configuration.md features.md faq.md fleet.md from-android.md from-core-location.md from-geoclue.md \
  from-gpsd.md geoclue.md gpsd.md limits.md logging.md nmea.md \
  operations.md permission.md power.md programs.md protocol.md reduced-precision.md start.md trust.md wake.md) config/positiond-receiver.rules \
  config/positiond-wake.rules SECURITY.md
INSTALLED_UNITS = positiond.service positiond.socket positiond-nmea.socket positiond-gpsd.socket \
  positiond-gpsd-filter.service positiond-usb-off@.service positiond-usb-on@.service \
  positiond-geoclue.service positiond-metrics.socket positiond-metrics@.service positiond-metrics.service \
  positiond-metrics.timer
INSTALLED_SHARED = positiond-gpsd.nft positiond-alerts.yml positiond-dashboard.json
INSTALLED_MANUALS = $(filter-out man/positiond-mqtt.8 man/positiond-desktop.1 man/positiond-history.1,$(wildcard man/*.[1-9]))

PROGRAMS = positiond positionctl positionsim positiond-geoclue
# Its package is another one, so that positiond needs no MQTT library.
BRIDGE = positiond-mqtt
# Its package is another one too: who installs it wants prompts on the desktop.
DESKTOP = positiond-desktop
# So is that of the recorder: who installs it wants a history.
HISTORY = positiond-history
# Where Debian's packages have their Python modules; below /usr/local the folder depends on Python's version.
PYTHON_MODULES = $(PREFIX)/lib/python3/dist-packages
PYTHON_METADATA = $(PYTHON_MODULES)/positiond-$(shell sed -n 's/^version = "\(.*\)"/\1/p' python/pyproject.toml).dist-info
EXAMPLES = Example Follow Agent
DEBUG = .build/debug
RELEASE = .build/release
# These flags make the programs smaller in memory: they export no symbols, because nothing loads them as libraries,
# functions with the same code are merged, and the relocations, which the loader reads at the start, are packed.
LINKED = -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker --icf=safe \
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now
# The live tests run these programs. The others run the same code with the checks of exclusive access and of actors.
OPTIMISED = -c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -disable-dynamic-actor-isolation $(LINKED)
RELEASE_FLAGS = $(OPTIMISED) -Xlinker -s
# The daemon with its symbols, so that callgrind can name the function of each instruction.
SYMBOLS = .build/symbols

# SwiftPM locks the build folder, so two builds at a time would only wait for each other.
.NOTPARALLEL:
.PHONY: help bootstrap build test test-live test-as-user test-long check check-c check-dependents check-filter check-power check-wake
.PHONY: check-containers check-threads in-containers test-large-programs
.PHONY: bench-turns bench-history bench-energy bench-opening bench-hostile world world-night world-seeds fuzz soak planted mutants
.PHONY: bench-instructions bench-socket bench-memory demo release deb test-system install
.PHONY: install-positiond install-mqtt install-desktop install-history install-python uninstall documents format clean

help: ## show this list
	@echo "make TARGET, where TARGET is"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

# What installs missing packages; a package's build has them already.
BOOTSTRAP ?= scripts/bootstrap

bootstrap: ## install the missing Debian packages
	@$(BOOTSTRAP)

build: bootstrap ## build everything for development
	$(SWIFT) build --build-tests

# The tests that only compute run first and alone: beside them, the tests with real time limits would time out.
PURE = '^(BrokerTests|CGPSTests|ConfigurationTests|GeodesyTests|JSONRPCTests|PositioningTests|PositionProtocolTests|MQTTBridgeTests|FuzzTests|SimulatedWorldTests|TrustTests|ReceiverTests|NotationsTests)\.'
TEST = $(SWIFT) test --skip-build --parallel --disable-xctest
# On two cores, with more tests at a time, clients would reach their time limits. The programs that they start are those
# that are installed: optimised, and without the checks of a debug build.
LIVE = POSITIOND_PROGRAMS=$(CURDIR)/$(RELEASE) $(TEST) --experimental-maximum-parallelization-width 24

test: build release world-seeds ## run all tests, the live ones with the programs of a release, and fixed worlds, and check that the documents name tests that passed
	@# The log is shown, and kept for check-features.
	bash -o pipefail -c "$(TEST) --filter $(PURE) 2>&1 | tee .build/test.log"
	bash -o pipefail -c "$(LIVE) --skip $(PURE) 2>&1 | tee -a .build/test.log"
	scripts/check-python $(RELEASE) --tests
	scripts/check-features .build/test.log

# Of what `make build release` built; in a copy of the tree too.
test-live:
	$(LIVE) --skip $(PURE)

test-as-user: build release ## as root, run the live tests as an ordinary user in a folder that nobody else may enter
	scripts/test-as-user

test-long: build ## run the broker's tests with ten times as many random worlds
	POSITIOND_TEST_LENGTH=10 $(TEST) --filter '^BrokerTests\.'

# The daemon's code in it is compiled as what is installed.
WORLD = $(SWIFT) build $(OPTIMISED) --product world

world-seeds: bootstrap ## live in the simulated worlds of fixed seeds
	$(WORLD)
	scripts/world-seeds $(RELEASE)/world

world: bootstrap ## live in simulated worlds for ten minutes, or SECONDS=n, from SEED=n on, and hold what is promised
	$(WORLD)
	$(RELEASE)/world --seconds $(or $(SECONDS),600) --from $(or $(SEED),1)

world-night: bootstrap ## the same on all processors until it is stopped, going on where the last night ended
	$(WORLD)
	scripts/world-night $(RELEASE)/world

planted: bootstrap ## plant known defects in a copy, and see which law of the simulated world finds each; TESTS=1: or which test
	@scripts/planted $(if $(TESTS),--tests)

mutants: bootstrap ## make COUNT=n small wrong changes, drawn by SEED=n, in a copy, and see which of them nothing notices
	@scripts/mutants --count $(or $(COUNT),200) --seed $(or $(SEED),1)

fuzz: bootstrap ## feed what reads others' bytes with any bytes, each for a minute or SECONDS=n; TARGETS= names some
	scripts/fuzz $(or $(SECONDS),60) $(TARGETS)

soak: build release ## let a release live for a simulated week, or HOURS=n, 30 or SPEED=n times as fast, and compare it with the simulated world
	$(WORLD)
	POSITIOND_SOAK=$(or $(HOURS),168) POSITIOND_SOAK_SPEED=$(or $(SPEED),30) $(LIVE) --filter 'IntegrationTests.SoakTests'

check: build check-c ## check format, words, scripts, documents and units, and run check-c
	@scripts/bootstrap check
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Examples
	scripts/check-checks
	scripts/check-words
	scripts/check-tests
	scripts/check-shell
	scripts/check-docs $(DEBUG)
	scripts/check-python $(DEBUG)
	scripts/check-notations $(DEBUG)
	scripts/check-schemas $(DEBUG)
	scripts/check-example $(DEBUG)
	scripts/check-units $(DEBUG)/positiond
	scripts/check-metrics $(DEBUG)
	scripts/check-start $(DEBUG)
	scripts/check-seam $(DEBUG)
	scripts/planted --apply

check-c: bootstrap ## run the C code under AddressSanitizer and UndefinedBehaviorSanitizer
	scripts/check-c

check-threads: bootstrap ## run what uses several threads under ThreadSanitizer, in a copy of the tree
	scripts/check-threads

check-dependents: bootstrap ## build a program that depends on the Swift library, by a version and by a path
	scripts/check-dependents

check-filter: release ## test in a container, as root, that the packet filter reserves gpsd for positiond
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap container
	scripts/check-filter

check-power: release ## test in a container, as root, that units turn the receiver off and on
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap container
	scripts/check-power

check-wake: release ## test in a container, as root, that events start the listed units and no others
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap container
	$(SWIFT) build $(RELEASE_FLAGS) --product startunit
	scripts/check-wake

check-containers: in-containers ## as root, run all of these and test-system in containers; says what a machine without them leaves out
	scripts/check-containers

# What check-containers runs.
in-containers: release deb
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap container
	$(SWIFT) build $(RELEASE_FLAGS) --product startunit

bench-turns: bootstrap ## measure the time of one turn of the broker, with different numbers of clients and regions
	$(SWIFT) build -c release --product turnbench
	$(RELEASE)/turnbench

bench-history: bootstrap ## measure a user's history of a million fixes: its size, what recording and questions cost
	$(SWIFT) build -c release --product historybench
	$(RELEASE)/historybench

bench-energy: bootstrap ## compare what the receiver draws with other strategies, and draw docs/energy.svg
	$(SWIFT) build -c release --product energybench
	$(RELEASE)/energybench docs/energy.svg

bench-opening: release ## measure how long gpsd takes to open a receiver, by its options
	@scripts/bench-opening --programs $(RELEASE)

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

bench-memory: release ## measure the daemon's memory in use and idle, beside GeoClue's
	@scripts/bench-memory --programs $(RELEASE)

release: bootstrap ## build what is installed: optimised, and independent of a Swift toolchain
	@# The examples are not installed; they show that a program with the Swift library builds.
	for program in $(PROGRAMS) $(BRIDGE) $(DESKTOP) $(HISTORY) $(EXAMPLES); do $(SWIFT) build $(RELEASE_FLAGS) --product $$program || exit; done
	scripts/check-linkage $(PROGRAMS:%=$(RELEASE)/%) $(RELEASE)/$(BRIDGE) $(RELEASE)/$(DESKTOP) $(RELEASE)/$(HISTORY)

deb: bootstrap ## build the Debian packages in .build/deb, and check them with lintian
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap package
	rm -rf .build/deb && mkdir -p .build/deb
	DEB_RULES_REQUIRES_ROOT=no PACKAGES=$(CURDIR)/.build/deb debian/rules binary
	DEB_RULES_REQUIRES_ROOT=no debian/rules clean
	for package in .build/deb/*.deb; do scripts/check-deb $$package || exit; done

test-system: deb ## test the packages in a container with its own systemd, as root
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap container
	scripts/test-system .build/deb/positiond_*.deb
	scripts/test-programs .build/deb

# Packages of some hundred MB. Home Assistant installs what else it needs when it starts.
LARGE = .build/home-assistant
test-large-programs: bootstrap release ## install Firefox, Chromium and Home Assistant, and try them with positiond
	@[ "$(BOOTSTRAP)" = true ] || scripts/bootstrap large
	[ -x $(LARGE)/bin/hass ] || { python3 -m venv $(LARGE) && \
	  $(LARGE)/bin/pip install --quiet homeassistant==2024.3.3 'josepy<2'; }
	scripts/test-large-programs $(RELEASE)

# Root often has no Swift toolchain, so this only copies, and fails if something was not built.
install: install-positiond install-mqtt install-desktop install-history ## install below DESTDIR and PREFIX what `make release` built

install-positiond:
	@for program in $(PROGRAMS); do \
	  [ -x $(RELEASE)/$$program ] || { echo "$(RELEASE)/$$program is missing; run 'make release' first" >&2; exit 1; }; \
	done
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(PROGRAMS:%=$(RELEASE)/%)
	install -D -m 0644 -t $(DESTDIR)$(DOCUMENTS) $(INSTALLED_DOCUMENTS)
	install -D -m 0644 -t $(DESTDIR)$(SHARED) $(INSTALLED_SHARED:%=config/%)
	install -D -m 0644 systemd/positiond.sysusers $(DESTDIR)$(USERS)/positiond.conf
	install -D -m 0644 systemd/positiond.tmpfiles $(DESTDIR)$(FOLDERS)/positiond.conf
	install -D -m 0644 -t $(DESTDIR)$(BUS) config/positiond-geoclue.conf
	install -d $(DESTDIR)$(UNITS) $(DESTDIR)/etc/positiond/positiond.conf.d
	for unit in $(INSTALLED_UNITS); do \
	  sed -e 's|=/usr/bin/|=$(PREFIX)/bin/|' -e 's|=/usr/lib/|=$(PREFIX)/lib/|' -e 's|/usr/share/|$(PREFIX)/share/|' systemd/$$unit \
	    >$(DESTDIR)$(UNITS)/$$unit && chmod 0644 $(DESTDIR)$(UNITS)/$$unit || exit; \
	done
	install -D -m 0755 systemd/usb-power $(DESTDIR)$(PREFIX)/lib/positiond/usb-power
	install -D -m 0644 systemd/positiond-gpsd-filter.conf $(DESTDIR)$(UNITS)/nftables.service.d/positiond-gpsd-filter.conf
	@if [ -e $(DESTDIR)/etc/positiond/positiond.conf ]; then \
	  echo "$(DESTDIR)/etc/positiond/positiond.conf exists and stays unchanged"; \
	else \
	  install -m 0644 config/positiond.conf $(DESTDIR)/etc/positiond/positiond.conf; \
	fi
	@for page in $(INSTALLED_MANUALS); do \
	  install -D -m 0644 $$page $(DESTDIR)$(MANUALS)/man$${page##*.}/$${page##*/} || exit; \
	done
	install -d $(DESTDIR)$(BASH_COMPLETIONS) $(DESTDIR)$(ZSH_COMPLETIONS) $(DESTDIR)$(FISH_COMPLETIONS)
	umask 022; $(RELEASE)/positionctl completion bash >$(DESTDIR)$(BASH_COMPLETIONS)/positionctl
	umask 022; $(RELEASE)/positionctl completion zsh >$(DESTDIR)$(ZSH_COMPLETIONS)/_positionctl
	umask 022; $(RELEASE)/positionctl completion fish >$(DESTDIR)$(FISH_COMPLETIONS)/positionctl.fish
	@[ -n "$(DESTDIR)" ] || echo "Now: systemd-sysusers && systemd-tmpfiles --create positiond.conf &&" \
	  "systemctl daemon-reload && systemctl enable --now positiond"

install-mqtt:
	@[ -x $(RELEASE)/$(BRIDGE) ] || { echo "$(RELEASE)/$(BRIDGE) is missing; run 'make release' first" >&2; exit 1; }
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(RELEASE)/$(BRIDGE)
	install -D -m 0644 -t $(DESTDIR)$(DOCUMENTS) docs/mqtt.md
	install -D -m 0644 systemd/$(BRIDGE).sysusers $(DESTDIR)$(USERS)/$(BRIDGE).conf
	install -d $(DESTDIR)$(UNITS) $(DESTDIR)/etc/positiond/$(BRIDGE).conf.d
	sed -e 's|=/usr/bin/|=$(PREFIX)/bin/|' -e 's|/usr/share/|$(PREFIX)/share/|' systemd/$(BRIDGE).service \
	  >$(DESTDIR)$(UNITS)/$(BRIDGE).service && chmod 0644 $(DESTDIR)$(UNITS)/$(BRIDGE).service
	@if [ -e $(DESTDIR)/etc/positiond/$(BRIDGE).conf ]; then \
	  echo "$(DESTDIR)/etc/positiond/$(BRIDGE).conf exists and stays unchanged"; \
	else \
	  install -m 0644 config/$(BRIDGE).conf $(DESTDIR)/etc/positiond/$(BRIDGE).conf; \
	fi
	install -D -m 0644 man/$(BRIDGE).8 $(DESTDIR)$(MANUALS)/man8/$(BRIDGE).8

install-desktop:
	@[ -x $(RELEASE)/$(DESKTOP) ] || { echo "$(RELEASE)/$(DESKTOP) is missing; run 'make release' first" >&2; exit 1; }
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(RELEASE)/$(DESKTOP)
	install -d $(DESTDIR)$(SESSION_UNITS)
	sed -e 's|=/usr/bin/|=$(PREFIX)/bin/|' -e 's|/usr/share/|$(PREFIX)/share/|' systemd/$(DESKTOP).service \
	  >$(DESTDIR)$(SESSION_UNITS)/$(DESKTOP).service && chmod 0644 $(DESTDIR)$(SESSION_UNITS)/$(DESKTOP).service
	install -D -m 0644 man/$(DESKTOP).1 $(DESTDIR)$(MANUALS)/man1/$(DESKTOP).1

install-history:
	@[ -x $(RELEASE)/$(HISTORY) ] || { echo "$(RELEASE)/$(HISTORY) is missing; run 'make release' first" >&2; exit 1; }
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(RELEASE)/$(HISTORY)
	install -D -m 0644 -t $(DESTDIR)$(DOCUMENTS) docs/history.md
	install -D -m 0644 -t $(DESTDIR)$(SHARED) config/$(HISTORY).conf
	install -d $(DESTDIR)$(SESSION_UNITS)
	sed -e 's|=/usr/bin/|=$(PREFIX)/bin/|' -e 's|/usr/share/|$(PREFIX)/share/|' systemd/$(HISTORY).service \
	  >$(DESTDIR)$(SESSION_UNITS)/$(HISTORY).service && chmod 0644 $(DESTDIR)$(SESSION_UNITS)/$(HISTORY).service
	install -D -m 0644 man/$(HISTORY).1 $(DESTDIR)$(MANUALS)/man1/$(HISTORY).1

# For the Debian package; from source, pip installs it. pip and other packages read the metadata.
install-python:
	install -D -m 0644 -t $(DESTDIR)$(PYTHON_MODULES)/positiond python/positiond/*.py python/positiond/py.typed
	install -d $(DESTDIR)$(PYTHON_METADATA)
	echo 'Metadata-Version: 2.1' >$(DESTDIR)$(PYTHON_METADATA)/METADATA
	sed -n -e 's/^name = "\(.*\)"/Name: \1/p' -e 's/^version = "\(.*\)"/Version: \1/p' \
	  -e 's/^description = "\(.*\)"/Summary: \1/p' -e 's/^requires-python = "\(.*\)"/Requires-Python: \1/p' \
	  python/pyproject.toml >>$(DESTDIR)$(PYTHON_METADATA)/METADATA
	chmod 0644 $(DESTDIR)$(PYTHON_METADATA)/METADATA
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/doc/python3-positiond python/README.md

# The configuration and what positiond stored are the administrator's: the last line shows how to remove them.
uninstall: ## remove what `make install` installed, except the configuration
	@[ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ] || \
	  systemctl disable --now positiond.service positiond.socket positiond-nmea.socket positiond-gpsd.socket \
	    positiond-gpsd-filter.service positiond-geoclue.service positiond-metrics.socket positiond-metrics.timer \
	    $(BRIDGE).service || true
	rm -f $(PROGRAMS:%=$(DESTDIR)$(PREFIX)/bin/%) $(DESTDIR)$(PREFIX)/bin/$(BRIDGE) $(DESTDIR)$(DOCUMENTS)/mqtt.md \
	  $(DESTDIR)$(PREFIX)/bin/$(DESKTOP) $(DESTDIR)$(SESSION_UNITS)/$(DESKTOP).service \
	  $(DESTDIR)$(MANUALS)/man1/$(DESKTOP).1 \
	  $(DESTDIR)$(PREFIX)/bin/$(HISTORY) $(DESTDIR)$(SESSION_UNITS)/$(HISTORY).service $(DESTDIR)$(SHARED)/$(HISTORY).conf \
	  $(DESTDIR)$(MANUALS)/man1/$(HISTORY).1 $(DESTDIR)$(DOCUMENTS)/history.md \
	  $(DESTDIR)$(USERS)/$(BRIDGE).conf $(DESTDIR)$(UNITS)/$(BRIDGE).service $(DESTDIR)$(MANUALS)/man8/$(BRIDGE).8 \
	  $(patsubst %,$(DESTDIR)$(DOCUMENTS)/%,$(notdir $(INSTALLED_DOCUMENTS))) \
	  $(DESTDIR)$(PREFIX)/lib/positiond/usb-power $(DESTDIR)$(BUS)/positiond-geoclue.conf $(INSTALLED_SHARED:%=$(DESTDIR)$(SHARED)/%) $(DESTDIR)$(USERS)/positiond.conf $(DESTDIR)$(FOLDERS)/positiond.conf \
	  $(INSTALLED_UNITS:%=$(DESTDIR)$(UNITS)/%) $(DESTDIR)$(UNITS)/nftables.service.d/positiond-gpsd-filter.conf \
	  $(foreach page,$(INSTALLED_MANUALS),$(DESTDIR)$(MANUALS)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	  $(DESTDIR)$(BASH_COMPLETIONS)/positionctl $(DESTDIR)$(ZSH_COMPLETIONS)/_positionctl \
	  $(DESTDIR)$(FISH_COMPLETIONS)/positionctl.fish
	-rmdir --ignore-fail-on-non-empty $(wildcard $(DESTDIR)$(DOCUMENTS) $(DESTDIR)$(SHARED) \
	  $(DESTDIR)$(PREFIX)/lib/positiond \
	  $(DESTDIR)$(UNITS)/nftables.service.d)
	@[ -n "$(DESTDIR)" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
	@[ -n "$(DESTDIR)" ] || echo "The configuration, what positiond stored, and its user are left. To remove them:" \
	  "rm -r /etc/positiond /var/lib/positiond /run/positiond; deluser --system positiond; deluser --system positiond-geoclue; " \
	  "deluser --system positiond-mqtt; delgroup position"

# The tests that hold these documents to the code.
WRITTEN = 'ConfigurationTests.DocumentTests|MQTTBridgeTests.DocumentTests|HistoryTests.DocumentTests|PositionProtocolTests.ProtocolDocumentTests/tables|ControlCommandsTests.HelpTests/manualPageIsWritten|ControlCommandsTests.MonitorLayoutTests/captures|ReceiverSimulatorTests.ManualPageTests|SystemdTests.LogTextTests/documented'

documents: bootstrap ## write the documents, the Python and the captures that are made from the code's tables and layouts
	POSITIOND_WRITE_DOCUMENTS=1 $(SWIFT) test --disable-xctest --filter $(WRITTEN)
	scripts/write-python $(DEBUG)
	git diff --stat -- config docs man python Tests/ControlCommandsTests/Captures

format: ## format the Swift source in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Examples

clean: ## remove everything that was built
	rm -rf .build
