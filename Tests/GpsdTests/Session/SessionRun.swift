import Positioning
import ReceiverPorts

@testable import Gpsd

/// A session in virtual time: a driver whose gpsd is the test.
struct SessionRun {
  private var session: GpsdSession
  private(set) var now = Instant.at(1000)
  /// The timer's deadline.
  private(set) var armed: Instant?
  /// How many requests gpsd got.
  private var sent = 0
  /// Everything since the last read.
  private var actions: [GpsdSession.Action] = []
  /// Whether the driver has a connection, or is connecting.
  private(set) var isOpen = false

  init(device: String? = nil, host: String = "127.0.0.1", jitterSeed: UInt64 = 1) {
    self.session = GpsdSession(
      settings: GpsdSettings(host: host, device: device), silence: .seconds(8), jitterSeed: jitterSeed)
  }

  /// A session whose receiver reports.
  static func streaming(device: String? = nil, cycle: Duration? = nil) -> SessionRun {
    var run = SessionRun(device: device)
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0", cycle: cycle), .watch(device: device), .report())
    _ = run.takeActions()
    return run
  }

  private mutating func perform(_ actions: [GpsdSession.Action]) {
    self.actions += actions
    for action in actions {
      switch action {
      case .connect: self.isOpen = true
      case .close: self.isOpen = false
      case .arm(let deadline): self.armed = deadline
      case .disarm: self.armed = nil
      case .send: self.sent += 1
      case .emit, .log, .wrote, .received, .assistRefused: break
      }
    }
  }

  mutating func start() { self.perform(self.session.started(now: self.now)) }
  mutating func write(_ bytes: [UInt8]) { self.perform(self.session.write(bytes)) }
  mutating func assist(_ bytes: [UInt8]) { self.perform(self.session.assist(bytes)) }
  mutating func askForPackets() { self.perform(self.session.askForPackets(now: self.now)) }
  mutating func expectSilence(_ isExpected: Bool) { self.session.expectSilence(isExpected) }
  mutating func stop() { self.perform(self.session.stopped()) }
  mutating func connected() { self.perform(self.session.connected(now: self.now)) }

  mutating func fail(_ reason: String) {
    self.isOpen = false
    self.perform(self.session.connectionFailed(reason, now: self.now))
  }

  mutating func end(_ end: ConnectionEnd) {
    self.isOpen = false
    self.perform(self.session.connectionEnded(end, now: self.now))
  }

  mutating func receive(_ messages: GpsdMessage...) {
    for message in messages {
      self.perform(self.session.received(message, now: self.now))
    }
  }

  /// Advances the time, with the deadlines on the way.
  mutating func pass(_ seconds: Double) {
    let end = self.now + .seconds(seconds)
    while let armed, armed <= end {
      self.now = max(self.now, armed)
      self.armed = nil
      self.perform(self.session.deadlineReached(now: self.now))
    }
    self.now = end
  }

  /// Advances the time, and gpsd answers every request at once.
  mutating func passAnswering(_ seconds: Double, with answer: GpsdMessage = .list("/dev/ttyACM0")) {
    let end = self.now + .seconds(seconds)
    while let armed, armed <= end {
      let asked = self.sent
      self.pass(max(0, (armed - self.now).seconds))
      if self.sent > asked, self.isOpen { self.receive(answer) }
    }
    self.pass(max(0, (end - self.now).seconds))
  }

  /// The process does not run for so long.
  mutating func skip(_ seconds: Double) {
    self.now = self.now + .seconds(seconds)
    self.perform(self.session.gapEnded(.seconds(seconds)))
  }

  mutating func changeSilence(to silence: Duration) { self.session.changeSilence(to: silence) }

  /// Advances the time to the next deadline, which is handled. Returns how long that took, in seconds.
  @discardableResult
  mutating func passToDeadline() -> Double {
    guard let armed else { return 0 }
    let wait = armed - self.now
    self.now = armed
    self.armed = nil
    self.perform(self.session.deadlineReached(now: armed))
    return wait.seconds
  }

  /// Advances the time with a report each second.
  mutating func passReporting(_ seconds: Int) {
    for _ in 0..<seconds {
      self.pass(1)
      self.receive(.report())
    }
  }

  mutating func takeActions() -> [GpsdSession.Action] {
    defer { self.actions = [] }
    return self.actions
  }

  /// The states of the path since the last read, and nothing else.
  mutating func takeSources() -> [SourceState] {
    self.takeActions().compactMap {
      if case .emit(.source(let source)) = $0 { source } else { nil }
    }
  }

  /// The requests since the last read.
  mutating func takeSent() -> [String] {
    self.takeActions().compactMap {
      if case .send(let request) = $0 { request } else { nil }
    }
  }
}
