import Positioning
import ReceiverPorts
import UBX

@testable import Receiver
@testable import ReceiverSimulator

/// A simulated u-blox and the machine that assists its starts, in virtual time: gpsd, which passes on what both say, with its
/// delay.
struct AssistRun {
  /// What the power cut takes with it.
  enum Cut { case receiver, device }

  static let place = Coordinate(latitude: 48.14, longitude: 11.58)
  /// The wall clock's time at the beginning.
  static let begin = Timestamp(milliseconds: 1_769_860_800_000)  // 2026-01-31T12:00:00Z
  /// From the daemon to the receiver, and back.
  static let delay: Duration = .milliseconds(30)

  private(set) var now = Instant.boot
  var model: ReceiverModel
  var machine: AssistMachine?
  let rung: PowerRung
  var clockError: Duration? = .milliseconds(50)
  /// How wrong the clock is.
  var clockOffset = Duration.zero
  /// The files, and whether the disk takes them.
  var file: [UInt8]?
  var aside: [UInt8]?
  var isDiskFull = false
  var folder: [(name: String, bytes: [UInt8])] = []
  /// gpsd's name of the receiver's firmware.
  var firmware: String? = "SW ROM CORE 3.01 (107888),HW 00080000"
  var driver = "u-blox"
  var refusal: String?
  /// How far the device is moved while its power is off, in metres, to the north.
  var moved = 0.0

  private(set) var reports: [Assistance] = []
  private(set) var log: [(kind: LogKind, text: String)] = []
  private(set) var written: [[UInt8]] = []
  private(set) var releases = 0
  private(set) var isFixed = false
  private var isPlugged = true
  private var isStreaming = false
  private var arrivals: [(at: Instant, bytes: [UInt8])] = []
  private var nextReport = Instant.boot

  /// - Parameter isAssisted: Whether there is a machine at all.
  init(
    _ knowledge: Knowledge.Settings = Knowledge.Settings(), rung: PowerRung = .ublox, isAssisted: Bool = true,
    seed: UInt64 = 1
  ) {
    var knowledge = knowledge
    knowledge.seed = seed
    var settings = ReceiverModel.Settings(kind: .ublox, keepsRunning: true, boot: .milliseconds(300))
    settings.knowledge = knowledge
    self.model = ReceiverModel(settings: settings, at: .boot)
    self.rung = rung
    if isAssisted { self.machine = AssistMachine(rung: rung, device: nil) }
    // Reports do not begin with the power.
    self.nextReport = .boot + .milliseconds(Int64(seed &* 137 % 1000))
  }

  private var truth: Knowledge.Truth {
    Knowledge.Truth(time: self.time, coordinate: self.coordinate)
  }

  var time: Timestamp { Self.begin + (self.now - .boot) }

  private var coordinate: Coordinate {
    Coordinate(latitude: Self.place.latitude + self.moved / 111_195, longitude: Self.place.longitude)
  }

  // MARK: The daemon

  mutating func send(_ event: AssistMachine.Event) {
    let clock = AssistClock(time: self.time + self.clockOffset, error: self.clockError)
    let actions = self.machine?.received(event, now: self.now) { clock } ?? []
    for action in actions { self.perform(action) }
  }

  private mutating func perform(_ action: AssistMachine.Action) {
    switch action {
    case .write(let bytes):
      self.written.append(bytes)
      if let refusal { return self.send(.refused(refusal)) }
      self.arrivals.append((self.now + Self.delay, bytes))
    case .askForPackets: break
    case .load(let dialect, let time): self.send(.loaded(self.loaded(dialect, time)))
    case .keep(let kept): if self.isDiskFull { self.send(.keepFailed("no room")) } else { self.file = kept.bytes }
    case .setAside: (self.aside, self.file) = (self.file, nil)
    case .report(let assistance): self.reports.append(assistance)
    case .log(let kind, let message): self.log.append((kind, message.text))
    case .release: self.releases += 1
    }
  }

  /// As ``AssistFiles`` does it.
  private mutating func loaded(_ dialect: AssistDialect, _ time: Timestamp) -> LoadedAssistance {
    var loaded = LoadedAssistance()
    if let file {
      do throws(UnreadableAssistance) {
        loaded.kept = try KeptAssistance(parsing: file)
      } catch {
        (self.aside, self.file) = (file, nil)
        loaded.problems.append("the file \(error.reason)")
      }
    }
    for (name, bytes) in self.folder { loaded.predicted.add(bytes, name: name, for: dialect, at: time) }
    return loaded
  }

  /// Somebody begins to use the receiver.
  mutating func begin() {
    self.send(.needed(true))
    self.send(.session(isOn: true))
    self.connect()
  }

  private mutating func connect() {
    guard self.isPlugged, !self.isStreaming else { return }
    self.isStreaming = true
    self.send(
      .devices([ReceiverDevice(path: "/dev/gps0", driver: self.driver, subtype: self.firmware, isActivated: true)]))
    self.send(.source(.streaming))
  }

  // MARK: Time

  /// Lets time pass.
  mutating func pass(_ duration: Duration, until isReached: (AssistRun) -> Bool = { _ in false }) {
    let end = self.now + duration
    while !isReached(self) {
      let next = [self.machine?.nextDeadline, self.arrivals.map(\.at).min(), self.nextReport].compactMap { $0 }.min()
      guard let next, next <= end else { break }
      self.now = max(self.now, next)
      if let deadline = self.machine?.nextDeadline, deadline <= self.now { self.send(.deadlineReached) }
      self.deliver()
      if self.nextReport <= self.now {
        self.nextReport = self.nextReport + .seconds(1)
        self.report()
      }
    }
    if !isReached(self) { self.now = end }
  }

  /// Lets time pass in which nobody looks.
  mutating func skip(_ duration: Duration) {
    self.now = self.now + duration
    let behind = self.now - self.nextReport
    self.nextReport = self.nextReport + .seconds(Int64(behind.seconds.rounded(.up)))
  }

  private mutating func deliver() {
    let due = self.arrivals.filter { $0.at <= self.now }
    self.arrivals.removeAll { $0.at <= self.now }
    for (_, bytes) in due where self.isPlugged {
      let answer = self.model.received(bytes, at: self.now, truth: self.truth)
      for frame in UBXFrame.sequence(answer).frames { self.send(.packet(frame)) }
    }
  }

  private mutating func report() {
    guard self.isPlugged else { return }
    var report: PositionReport
    switch self.model.activity(at: self.now) {
    case .off, .starting: return
    case .searching, .stopped:
      report = PositionReport(device: "/dev/gps0", mode: .noFix, arrival: self.now)
      self.isFixed = false
    case .tracking:
      report = PositionReport(device: "/dev/gps0", mode: .threeDimensional, time: self.time, arrival: self.now)
      (report.latitude, report.longitude) = (self.coordinate.latitude, self.coordinate.longitude)
      (report.ellipsoidalAltitude, report.eph) = (520, 4)
      self.isFixed = true
    }
    self.send(.report(report))
  }

  // MARK: Power

  mutating func unplug() {
    self.isPlugged = false
    (self.isStreaming, self.isFixed, self.arrivals) = (false, false, [])
    self.model.unplugged(at: self.now)
    self.send(.devices([]))
    self.send(.source(.receiverMissing(.unplugged("/dev/gps0"))))
  }

  mutating func plug() {
    self.isPlugged = true
    self.model.replugged(at: self.now)
    self.connect()
  }

  /// The power fails for so long.
  mutating func cutPower(_ duration: Duration, of cut: Cut) {
    self.unplug()
    self.skip(duration)
    guard cut == .device, self.machine != nil else { return self.plug() }
    self.isPlugged = true
    self.model.replugged(at: self.now)
    self.machine = AssistMachine(rung: self.rung, device: nil)
    self.begin()
  }

  /// Seconds until the next report with a fix, from now on; infinite: none within two minutes.
  mutating func timeToFix() -> Double {
    let begin = self.now
    self.pass(.seconds(120)) { $0.isFixed }
    return self.isFixed ? (self.now - begin).seconds : .infinity
  }

  /// A receiver that has had its fix for long enough that what it knows is kept.
  static func settled(
    _ knowledge: Knowledge.Settings = Knowledge.Settings(), rung: PowerRung = .ublox, isAssisted: Bool = true,
    seed: UInt64 = 1
  ) -> AssistRun {
    var run = AssistRun(knowledge, rung: rung, isAssisted: isAssisted, seed: seed)
    run.begin()
    run.pass(.seconds(180))
    return run
  }

  /// A file of predicted orbits for so many days from the beginning.
  static func predictions(days: Int, satellites: UInt8 = 12) -> [UInt8] {
    (0..<days).flatMap { day -> [UInt8] in
      let date = (Self.begin + .seconds(day * 86_400)).calendar
      return (1...satellites).flatMap { satellite -> [UInt8] in
        let head: [UInt8] = [0, 0, satellite, 0, UInt8(date.year - 2000), UInt8(date.month), UInt8(date.day), 0]
        return UBXFrame(0x13, 0x20, payload: head + [UInt8](repeating: 0x5A, count: 68)).bytes
      }
    }
  }
}
