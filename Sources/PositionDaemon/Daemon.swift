import Broker
package import Configuration
package import EventLoop
import Glibc
import Gpsd
import PositionProtocol
import Positioning
import Receiver
import Server
import Systemd

/// Creates all parts of the daemon, connects them, and runs them on one loop.
package final class Daemon {
  /// The signals that the daemon handles.
  package static let signals = endSignals + [reloadSignal]
  private static let endSignals = [SIGTERM, SIGINT]
  private static let reloadSignal = SIGHUP
  /// How long the start waits for the lookups of users and groups; later results are applied when they arrive.
  private static let accountsAtStart: Duration = .seconds(1)

  private let loop: EventLoop
  private let ports: Ports
  private let broker: Broker
  private let server: PositionServer
  private let receiver: ReceiverController
  private let persistence: Persistence
  private let accounts: AccountService
  private let inUse: InUseFile
  private let log: Log
  private let world: World
  private var settings: Settings
  /// The results of the lookups of users and groups in the rules.
  private var ruleAccounts: [AccountQuery: AccountLookup<Account>]
  /// How often the configuration was reloaded.
  private var reloads = 0
  private let began: Instant
  private var watches: [ProcessWatch] = []
  /// Armed once nothing has needed the daemon for long enough: it ends in a turn of its own.
  private var idleEnd: LoopTimer?
  private var isStopping = false

  /// Opens the store, and connects the parts; nobody is served yet.
  ///
  /// - Throws: What keeps it from starting, with a description for the log.
  package init(settings: Settings, on loop: EventLoop, in world: World) throws {
    self.settings = settings
    self.world = world
    self.log = world.log
    self.log.threshold = settings.logLevel
    try world.openFiles(settings.server.maxClients)
    self.loop = loop
    self.began = loop.readClock()
    let ports = Ports(on: loop, in: world)
    self.ports = ports
    let (persistence, stored) = Persistence.open(settings.store, on: loop, now: self.began, in: world)
    self.persistence = persistence
    let log = self.log
    let accounts = try AccountService(loop: loop, subordinates: world.subordinates, system: world.account)
    self.accounts = accounts
    let questions = settings.accountQuestions
    let answers = try accounts.wait(
      for: questions.union(stored.users.map { .user($0) }), within: Self.accountsAtStart)
    self.ruleAccounts = answers.filter { questions.contains($0.key) }
    let owners = [UInt32: OwnerAccount](answers)
    let broker = Broker(
      settings: settings.broker(answers) { log.write(.ruleUnmatched, "\($0)") }, stored: stored.with(owners),
      seed: loop.randomNumber(), now: self.began, executor: loop, ports: ports)
    self.broker = broker
    let write: (LogKind, LogMessage) -> Void = { log.write($0, $1) }
    let report: (BrokerEvent) -> Void = { event in
      let now = loop.now
      broker.assumeIsolated { $0.handle(event, now: now) }
    }
    self.server = PositionServer(
      loop: loop, report: report, daemon: settings.serverInfo, log: write, accounts: accounts,
      denial: { call, requirement in broker.assumeIsolated { $0.denial(of: call, requirement) } },
      access: { principal in broker.assumeIsolated { $0.access(of: principal) } },
      holdings: { client in broker.assumeIsolated { $0.holdings(of: client) } })
    self.inUse = InUseFile(beside: settings.socket.path, on: world.disk, clocks: loop.clocks, log: write)
    // A store that nobody could read may hold that the receiver is turned off.
    let stopped = stored.stoppedReceiver ?? (persistence.isOpen ? nil : settings.power.possiblyStopped)
    self.receiver = try ReceiverController(
      loop: loop, settings, stopped: stopped, store: { ports.store($0, report: $1) },
      emit: { event in
        report(.receiver(event))
        ports.receiverReported()
      }, in: world)
    ports.connect(
      Ports.Parts(
        server: self.server, receiver: self.receiver,
        timer: try loop.timer(accuracy: .milliseconds(1)) { report(.deadlineReached) }, persistence: persistence,
        inUse: self.inUse, report: report,
        end: { [unowned self] in self.idleEnd?.arm(at: self.loop.now) }))
    loop.onGap { [weak self] gap in self?.gapEnded(gap) }
    accounts.onLearned = { [unowned self] in self.learned($0, $1) }
    // First, so that data of a user number whose owner has changed has no effect.
    report(.ownersLearned(owners))
    try persistence.begin { [unowned self] store in
      switch store {
      case .error(let error): report(.storeChanged(error: error))
      case .unopened(let reason): report(.storeUnopened(reason))
      case .opened(let stored): self.storeOpened(stored)
      }
    }
    self.receiver.begin()
  }

  deinit {
    // The parts hold the broker, which holds the ports.
    self.ports.disconnect()
  }

  /// Serves until a signal ends it; returns the exit status.
  package func run() throws -> Int32 {
    try self.begin()
    defer { self.end() }
    return try self.loop.run()
  }

  /// Nobody runs the loop any more.
  package func end() { self.inUse.end() }

  /// Opens the doors. Whoever runs the loop serves from then on.
  package func begin() throws {
    for number in Self.endSignals {
      self.watches.append(try self.loop.onSignal(number) { [unowned self] in self.stop() })
    }
    self.watches.append(try self.loop.onSignal(Self.reloadSignal) { [unowned self] in self.reload() })
    let listeners = try Listeners.open(self.settings, on: self.loop, in: self.world)
    for (listener, door) in listeners.all { try self.server.serve(on: listener, at: door) }
    if listeners.arePassed {
      self.idleEnd = try self.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.endIdle() }
    } else if self.settings.broker.exitWhenIdle != nil {
      self.log.write(
        .configurationError,
        "\("exit-when-idle in [server]", .key) has no effect: systemd did not make all sockets, and would not start "
          + "positiond again")
    }
    _ = try self.loop.feedWatchdog()
    self.inUse.begin()
    self.world.notify(.ready, self.ports.statusLine)
    self.log.write(.serving, "positiond \(Release.version) serves")
    // Most of the start's code is not needed again.
    self.loop.giveBackMemory()
  }

  /// The loop did not run for a time. Whoever measures an effort learns it first, before anything counts as overdue.
  private func gapEnded(_ gap: Duration) {
    self.receiver.gapEnded(gap)
    self.world.units.gapEnded(gap)
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.gapEnded(gap), now: now) }
  }

  /// The store could be opened only now. Its names wait until their users are looked up, as when a directory is slow at the
  /// start.
  private func storeOpened(_ stored: StoredState) {
    if let stopped = stored.stoppedReceiver { self.receiver.learn(stopped) }
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.storeOpened(stored.with([:])), now: now) }
    self.accounts.ask(Set(stored.users.map { .user($0) })) { [unowned self] answers in
      guard !self.isStopping else { return }
      for case (.user, .found(let user)) in answers { self.server.learned(user) }
      let now = self.loop.now
      self.broker.assumeIsolated { $0.handle(.ownersLearned([UInt32: OwnerAccount](answers)), now: now) }
    }
  }

  // MARK: Signals

  /// Starts a receiver that was stopped, then answers pending requests, stores what must last, notifies every client,
  /// releases the receiver, and ends when everything is written. A second signal waits neither for the receiver nor for
  /// clients that do not read.
  private func stop() {
    guard !self.isStopping else { return self.loop.stop() }
    self.isStopping = true
    self.persistence.stopOpening()
    self.world.notify(.stopping, "stopping")
    self.log.write(.stopping, "stopping")
    self.receiver.end { [unowned self] in self.finish() }
  }

  /// Nothing needs the daemon. A client that is connecting now waits in systemd's socket, and starts the next daemon.
  private func endIdle() {
    guard !self.isStopping, self.server.isEmpty else { return }
    self.server.stopAccepting()
    self.log.write(.stopping, "nothing needs positiond; the next connection starts it again")
    self.stop()
  }

  private func finish() {
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.stopping, now: now) }
    // The flushed queues include answers that wait for the disk.
    self.persistence.close()
    self.server.stop(reason: .shuttingDown) { [unowned self] in
      self.log.write(.stopping, "all clients have disconnected")
      self.loop.stop()
    }
  }

  /// Reloads the configuration. An invalid one is ignored. A valid one is applied once its users are looked up, or that
  /// took too long.
  private func reload() {
    guard !self.isStopping else { return }
    self.world.notify(.reloading(since: self.loop.clocks.monotonic()), "reading the configuration")
    self.reloads += 1
    switch self.world.configuration() {
    case .failure(let errors):
      for error in errors.all { self.log.write(.configurationError, "\(error)") }
      self.log.write(.configurationError, "the configuration has errors, keeping the old one")
      self.world.notify(.ready, self.ports.statusLine)
    case .success(let new):
      let number = self.reloads
      let kept = self.broker.assumeIsolated { $0.keptUsers }
      // Group members may have changed together with the rules.
      self.accounts.ask(new.accountQuestions.union(kept.map { .user($0) })) { [unowned self] answers in
        // A later reload replaces this one.
        guard number == self.reloads, !self.isStopping else { return }
        self.take(self.settings.reloaded(with: new), answers)
        self.world.notify(.ready, self.ports.statusLine)
      }
    }
  }

  private func take(_ reload: SettingsReload, _ answers: [AccountQuery: AccountLookup<Account>]) {
    var settings = reload.settings
    // The changes are logged at the old level or the new one.
    let level = settings.logLevel
    self.log.threshold = max(self.log.threshold, level)
    for change in reload.changes { self.log.write(.configurationApplied, "\(change, .key, change.name)") }
    if reload.changes.isEmpty { self.log.write(.configurationApplied, "the configuration is unchanged") }
    do throws(OpenFiles.TooFewDescriptors) {
      try self.world.openFiles(settings.server.maxClients)
    } catch {
      settings.server.maxClients = self.settings.server.maxClients
      self.log.write(.configurationError, "\(error); keeping max-clients=\(settings.server.maxClients)")
    }
    self.log.threshold = level
    self.settings = settings
    self.ruleAccounts = answers.filter { settings.accountQuestions.contains($0.key) }
    self.receiver.changeSilence(to: settings.broker.fixes.lossAfter)
    self.server.change(settings.serverInfo)
    for case (.user, .found(let user)) in answers { self.server.learned(user) }
    self.changeBroker(owners: [UInt32: OwnerAccount](answers))
  }

  private func changeBroker(owners: [UInt32: OwnerAccount]) {
    let broker = self.settings.broker(self.ruleAccounts) { self.log.write(.ruleUnmatched, "\($0)") }
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.settingsChanged(broker, owners: owners), now: now) }
  }

  /// A lookup has a result after those who waited for it went on without.
  private func learned(_ question: AccountQuery, _ account: Account?) {
    guard !self.isStopping else { return }
    let lookup: AccountLookup<Account> = account.map { .found($0) } ?? .absent
    switch question {
    case .client(let uid, _):
      // Without an account nothing changes: the client has no name already. One whose number is another user's is that
      // user's from its next connection on.
      guard account?.number == uid else { return }
      self.reportOwner(of: uid, lookup)
    case .user(let uid): self.reportOwner(of: uid, lookup)
    // A call of an administrator, which was answered that the system cannot say it.
    case .name: return
    case .userNumber, .groupNumber:
      guard self.ruleAccounts[question] != nil else { return }
      self.ruleAccounts[question] = lookup
      self.changeBroker(owners: [:])
    }
  }

  private func reportOwner(of uid: UInt32, _ lookup: AccountLookup<Account>) {
    if case .found(let user) = lookup { self.server.learned(user) }
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.ownersLearned([uid: OwnerAccount(lookup)]), now: now) }
  }
}
