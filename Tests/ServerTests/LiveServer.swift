import Broker
import EventLoop
import Glibc
import Positioning
import ReceiverPorts
import Synchronization
import TestSupport

@testable import Server

/// A server and a broker on a loop of their own, with a real socket and a receiver that the test simulates.
///
/// `@unchecked Sendable`: the thread and the folder are used only when it is created and when it ends.
final class LiveServer: @unchecked Sendable {
  let socket: String
  /// The paths of the other doors.
  let nmeaSocket: String
  let gpsdSocket: String
  private let loop: EventLoop
  private let broker: Broker
  private let ports: TestPorts
  private let thread: LoopThread
  private let folder: TemporaryFolder
  private let epochs = Atomic(0)
  /// The log of the server.
  let log: Log
  /// The clock of the server thread's processor time.
  private let clock: Count

  /// The broker's reaction to an event of the server, if a test replaces it.
  typealias Script = @Sendable (BrokerEvent) -> [Action]?

  /// The source of clients' sensitivity limits.
  enum SensitivitySource {
    case broker
    /// The test sets them, later.
    case nobody
    case fixed(SensitivityLimit)
  }

  /// The lookup of users, on a thread of its own.
  struct Directory: Sendable {
    let answer: @Sendable (AccountQuery) -> AccountLookup<Account>
  }

  /// The principals of clients, in the order in which they connect: the first is 1.
  struct Principals: Sendable {
    let principal: @Sendable (Int) -> Principal
  }

  static let everything = SensitivityLimit(precision: .precise, denial: .switchedOff(remedy: ""))

  /// - Parameters:
  ///   - principal: The principal of every client; `nil`: the real one.
  ///   - peers: What the kernel says of each client, whose user is looked up; `nil`: what it really says.
  ///   - subordinates: The file of subordinate numbers.
  ///   - script: Called first; if it does not handle the event, the broker does.
  init(
    limits: ServerLimits = ServerLimits(), broker settings: BrokerSettings = .open,
    stored: StoredState = StoredState(), principal: Principal? = nil, sensitivity: SensitivitySource = .broker,
    principals: Principals? = nil, peers: Principals? = nil, subordinates: String = SubordinateFile.systemPath,
    accounts: Directory = Directory { $0.ask() },
    script: @escaping Script = { _ in nil }
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("socket")
    self.socket = path
    let (nmeaPath, gpsdPath) = (folder.file("nmea"), folder.file("gpsd"))
    (self.nmeaSocket, self.gpsdSocket) = (nmeaPath, gpsdPath)
    let loop = try EventLoop()
    self.loop = loop
    let ports = TestPorts()
    self.ports = ports
    let broker = Broker(
      settings: settings, stored: stored, seed: 1, now: Clocks.system.sinceBoot(), executor: loop, ports: ports)
    self.broker = broker
    self.folder = folder
    let info = ServerInfo(
      version: "test", limits: limits, broker: settings)
    let started = Latch()
    let (log, clock) = (Log(), Count())
    let admitted = Count()
    self.log = log
    self.clock = clock
    self.thread = try EventLoop.spawnThread(name: "server") {
      do {
        var own = clockid_t()
        unsafe pthread_getcpuclockid(pthread_self(), &own)
        clock.value.store(Int(own), ordering: .relaxed)
        let handle: (BrokerEvent) -> Void = { event in
          if let actions = script(event) { return ports.perform(actions) }
          let now = loop.now
          broker.assumeIsolated { $0.handle(event, now: now) }
          if case .fixed(let limit) = sensitivity, case .clientConnected(let client, _) = event {
            ports.carryOut([.clear(client, limit)])
          }
        }
        if case .broker = sensitivity { ports.sensitivityFromBroker = true }
        let server = PositionServer(
          loop: loop, report: handle, daemon: info,
          log: { _, message in log.lines.withLock { $0.append(message.text) } },
          accounts: try AccountService(
            loop: loop, subordinates: SubordinateFile.reader(of: subordinates), system: accounts.answer),
          identify: (principals ?? principal.map { principal in Principals { _ in principal } }).map { principals in
            { _ in principals.principal(admitted.value.add(1, ordering: .relaxed).newValue) }
          },
          peer: peers.map { peers in { _ in peers.principal(admitted.value.add(1, ordering: .relaxed).newValue) } },
          denial: { call, requirement in broker.assumeIsolated { $0.denial(of: call, requirement) } },
          access: { principal in broker.assumeIsolated { $0.access(of: principal) } },
          holdings: { client in broker.assumeIsolated { $0.holdings(of: client) } })
        let timer = try loop.timer(accuracy: .milliseconds(1)) {
          let now = loop.now
          broker.assumeIsolated { $0.handle(.deadlineReached, now: now) }
        }
        ports.connect(
          server: server, timer: timer,
          stored: { number in
            let now = loop.now
            broker.assumeIsolated { $0.handle(.stored(number), now: now) }
          })
        for (path, door) in [(path, Door.rpc), (nmeaPath, .nmea), (gpsdPath, .gpsd)] {
          try server.serve(on: try UnixSocket.listen(path: path, mode: 0o600, backlog: 64), at: door)
        }
        started.open()
        _ = try loop.run()
        ports.disconnect()
      } catch {
        fatalError("the test's server failed: \(error)")
      }
    }
    started.wait()
  }

  deinit {
    let loop = self.loop
    loop.call { loop.stop() }
    self.thread.join()
  }

  func client() throws -> LineClient { try LineClient(path: self.socket) }

  func nmeaReader() throws -> LineClient { try LineClient(path: self.nmeaSocket) }

  func gpsdClient() throws -> LineClient { try LineClient(path: self.gpsdSocket) }

  /// Sends events of the receiver's side.
  func report(_ events: ReceiverEvent...) {
    let (loop, broker) = (self.loop, self.broker)
    loop.call {
      let now = loop.now
      for event in events { broker.assumeIsolated { $0.handle(.receiver(event), now: now) } }
    }
  }

  /// Reports begin; then a fix, as a receiver would report it now. Each is an epoch of its own.
  func fix(latitude: Double, longitude: Double = 11, eph: Double = 10) {
    var report = PositionReport(device: "/dev/test", mode: .threeDimensional, arrival: Clocks.system.sinceBoot())
    report.time = Timestamp(seconds: Double(self.epochs.add(1, ordering: .relaxed).newValue))
    report.latitude = latitude
    report.longitude = longitude
    report.eph = eph
    self.report(.source(.streaming), .position(report))
  }

  /// The administrator changes the settings.
  func change(_ settings: BrokerSettings) {
    let (loop, broker) = (self.loop, self.broker)
    loop.call {
      let now = loop.now
      broker.assumeIsolated { $0.handle(.settingsChanged(settings), now: now) }
    }
  }

  /// Lookups of users are answered.
  func learn(_ owners: [UInt32: OwnerAccount]) {
    let (loop, broker) = (self.loop, self.broker)
    loop.call {
      let now = loop.now
      broker.assumeIsolated { $0.handle(.ownersLearned(owners), now: now) }
    }
  }

  /// Sends a client a notification without a broker's decision; clients count from 1.
  func notify(_ client: ClientID, _ notifications: [Notification]) {
    let ports = self.ports
    self.loop.call { ports.send(notifications.map { .notify(client, $0) }) }
  }

  /// Executes actions without a broker's decision.
  func perform(_ actions: [Action]) {
    let ports = self.ports
    self.loop.call { ports.send(actions) }
  }

  /// Requests the report that the client has taken everything.
  func reportWhenTaken(_ client: ClientID) {
    let ports = self.ports
    self.loop.call { ports.reportWhenTaken(client) }
  }

  /// How many events the broker has handled.
  var brokerEvents: Int { self.ports.brokerEvents.load(ordering: .relaxed) }

  /// Waits for something that the server does by itself.
  func wait(until isTrue: () -> Bool, what: String) throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while !isTrue() {
      guard monotonicSeconds() < deadline else { throw TimedOut("no \(what)") }
      // The loop runs through a turn.
      _ = self.outboundBytes
    }
  }

  /// The server's processor time since it began, independent of other work of the machine.
  var cpuSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(clockid_t(self.clock.value.load(ordering: .relaxed)), &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes that wait for all clients, once all events before are handled.
  var outboundBytes: Int {
    let (ports, done, bytes) = (self.ports, Latch(), Count())
    self.loop.call {
      bytes.value.store(ports.outboundBytes, ordering: .relaxed)
      done.open()
    }
    done.wait()
    return bytes.value.load(ordering: .relaxed)
  }

  /// Whether the broker has the receiver on.
  var isReceiverOn: Bool { self.ports.isReceiverOn.withLock { $0 } }
}

/// Lines that one thread writes and another reads.
final class Log: Sendable {
  let lines = Mutex<[String]>([])
  var count: Int { self.lines.withLock(\.count) }
}

private final class Count: Sendable {
  let value = Atomic(0)
}

/// `@unchecked Sendable`: the server and the timer are the loop thread's alone.
private final class TestPorts: BrokerPorts, @unchecked Sendable {
  let isReceiverOn = Mutex(false)
  let brokerEvents = Atomic(0)
  private var server: PositionServer?
  private var timer: LoopTimer?
  private var stored: ((UInt64) -> Void)?
  /// Whether the broker sets clients' sensitivity limits.
  var sensitivityFromBroker = false

  func connect(
    server: PositionServer, timer: LoopTimer,
    stored: @escaping (UInt64) -> Void
  ) {
    self.server = server
    self.timer = timer
    self.stored = stored
  }

  var outboundBytes: Int { self.server?.outboundBytes ?? 0 }

  func disconnect() {
    self.server = nil
    self.timer = nil
    self.stored = nil
  }

  func perform(_ actions: [Action]) {
    self.brokerEvents.add(1, ordering: .relaxed)
    self.carryOut(actions.filter { if case .clear = $0 { self.sensitivityFromBroker } else { true } })
    self.server?.flush()
  }

  func send(_ actions: [Action]) {
    self.carryOut(actions)
    self.server?.flush()
  }

  func reportWhenTaken(_ client: ClientID) {
    self.carryOut([.reportWhenTaken(client)])
    self.server?.flush()
  }

  func carryOut(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .answer(let call, let answer): self.server?.answer(call, answer)
      case .notify(let client, let notification): self.server?.notify(client, notification)
      case .setReceiver(let isOn): self.isReceiverOn.withLock { $0 = isOn }
      case .setDeadline(let deadline?): self.timer?.arm(at: deadline)
      case .setDeadline(nil): self.timer?.disarm()
      // A store that works at once.
      case .store(let number, _): self.stored?(number)
      case .reportWhenTaken(let client): self.server?.reportWhenTaken(client)
      case .clear(let client, let limit): self.server?.clear(client, limit)
      case .ask(let client, let prompt): self.server?.ask(client, prompt)
      case .withdraw(let client, let prompt): self.server?.withdraw(client, prompt)
      case .allowSaving, .askClock, .startUnit, .reportStoppedReceiver, .inUse, .end, .log: break
      }
    }
  }
}
