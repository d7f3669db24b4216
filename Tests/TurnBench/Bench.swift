import Broker
import Glibc
import Positioning
import ReceiverPorts

/// The broker's decisions under a load, driven like by the daemon's loop, with the time of each turn.
///
/// The clock is the processor's time of this thread, so other work of the machine does not count.
struct Bench {
  private var machine: BrokerMachine
  private(set) var now = Instant(sinceBoot: .seconds(1000))
  private var deadline: Instant?
  private var serial: UInt64 = 0
  private var clients: UInt64 = 0
  /// The times of the turns since `measure` began, in milliseconds.
  private var turns: [Double] = []
  /// Events of the disk and of decisions that must still be handled: in turns of their own.
  private var owed: [BrokerEvent] = []

  init(stored: StoredState = StoredState(), changing change: (inout BrokerSettings) -> Void = { _ in }) {
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    // More than the memory allows otherwise, to show what grows.
    settings.maxRequests = .max
    settings.maxSubscriptions = .max
    settings.maxRegions = .max
    settings.maxCorners = .max
    settings.maxNames = .max
    change(&settings)
    let began = Self.clock()
    self.machine = BrokerMachine(settings: settings, stored: stored, seed: 1, now: self.now)
    self.turns = [Self.clock() - began]
    self.settings = settings
    let device = ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true)
    self.send(.receiver(.devices([device])))
  }

  private var settings: BrokerSettings

  mutating func connect(uid: UInt32) -> ClientID {
    self.clients += 1
    let id = ClientID(self.clients)
    self.send(.clientConnected(id, Principal(uid: uid, gid: 100, pid: 1, user: "user\(uid)")))
    return id
  }

  mutating func leave(_ client: ClientID) { self.send(.clientDisconnected(client)) }

  mutating func call(_ what: Call, as client: ClientID) {
    self.serial += 1
    self.send(.called(CallID(client: client, serial: self.serial), what))
    self.reportOwed()
  }

  mutating func fix(north meters: Double = 0) {
    let seconds = self.now.sinceBoot.seconds
    var report = PositionReport(
      device: "/dev/ttyACM0", mode: .threeDimensional, time: Timestamp(seconds: 1_700_000_000 + seconds),
      arrival: self.now)
    report.latitude = 50 + meters / 111_000
    report.longitude = 8
    report.eph = 4
    self.send(.receiver(.position(report)))
  }

  /// The master switch of the configuration.
  mutating func enable(_ isOn: Bool) {
    self.settings.access.isEnabled = isOn
    self.send(.settingsChanged(self.settings))
  }

  mutating func pass(_ seconds: Double) {
    let end = self.now + .seconds(seconds)
    self.settle(until: end)
    self.now = end
  }

  /// The longest turn of the body, and all of them together, milliseconds.
  mutating func measure(_ body: (inout Bench) -> Void) -> (longest: Double, total: Double) {
    self.settle(until: self.now)
    self.turns = []
    body(&self)
    self.settle(until: self.now)
    return self.result
  }

  var result: (longest: Double, total: Double) {
    (self.turns.max() ?? 0, self.turns.reduce(0, +))
  }

  private mutating func settle(until end: Instant) {
    self.reportOwed()
    while let deadline, deadline <= end {
      self.now = max(self.now, deadline)
      self.send(.deadlineReached)
      self.reportOwed()
    }
  }

  private mutating func reportOwed() {
    while !self.owed.isEmpty { self.send(self.owed.removeFirst()) }
  }

  private mutating func send(_ event: BrokerEvent) {
    if event == .deadlineReached { self.deadline = nil }
    let began = Self.clock()
    let actions = self.machine.handle(event, now: self.now)
    self.turns.append(Self.clock() - began)
    for action in actions {
      switch action {
      case .setDeadline(let deadline): self.deadline = deadline
      case .setReceiver(let isOn): self.send(.receiver(.source(isOn ? .streaming : .idle)))
      case .store(let number, _): self.owed.append(.stored(number))
      default: break
      }
    }
  }

  /// Milliseconds of processor time of this thread.
  private static func clock() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
