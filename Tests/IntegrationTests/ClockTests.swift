import EventLoop
import Glibc
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import ReceiverSimulator

/// Debian's chronyd, which has the time from the receiver, with a real gpsd and a simulated u-blox, in a time that passes faster.
///
/// gpsd finds no pulse on a pseudoterminal, and without one gpsd 3.22 sends nothing to a socket. So the test sends chrony what gpsd
/// would: the receiver's time of each second, while gpsd reads it and it runs.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ClockTests {
  @Test func `for two hours chrony's time is right to 1 ms, with the receiver off most of the time`() async throws {
    try await withLoop { loop in
      let stage = try ClockStage(["time.keep=1ms"], on: loop)
      _ = try stage.fixture.waitForStatus("the need") { $0["clock"]?["needed"] == true }
      let why = try stage.control("status", "--why")
      #expect(why.contains("This machine's clock needs the receiver"), "\(why)")
      try loop.drive(until: "the first time") { stage.said.map { $0 < .milliseconds(0.5) } ?? false }
      let (began, poweredBefore) = (stage.now, try stage.poweredTime)
      stage.forget()
      try loop.drive(for: TestDeadline.duration * 5, until: "two hours") { stage.now - began > .seconds(7200) }
      let powered = try stage.poweredTime - poweredBefore
      let starts = try stage.fixture.client().call("status.get")["power"]?["starts"]?["total"]
      print(
        "the clock in \(((stage.now - began).seconds / 60).rounded()) min: the receiver ran \(powered.seconds.rounded()) s in "
          + "\(Int(starts?.double ?? 0)) starts; chrony said that its time was right to \(stage.worstSaid), and it was wrong by "
          + "\(stage.worstTrue) at most")
      // Whatever else runs on this machine is as late by the factor.
      #expect(stage.worstSaid <= .milliseconds(1.1))
      #expect(stage.worstTrue <= .milliseconds(1))
      #expect(powered < .seconds(7200 / 3), "\(powered)")
    }
  }

  @Test func `without the setting a clock loses the receiver, and nothing changes but the words`() async throws {
    try await withLoop { loop in
      let stage = try ClockStage([], on: loop)
      let client = try stage.fixture.client()
      let subscription = try client.call("position.subscribe")["subscription"] ?? .null
      try loop.drive(until: "a time") { stage.said != nil }
      _ = try client.call("subscription.cancel", ["subscription": subscription])
      _ = try stage.fixture.waitForStatus("the receiver off, and what chrony says") {
        $0["power"]?["state"] == "off" && $0["clock"]?["figure"]?["reference"] == "GPS"
      }
      let (began, powered) = (stage.now, try stage.poweredTime)
      try loop.drive(until: "half an hour") { stage.now - began > .seconds(1800) }
      #expect(try stage.poweredTime == powered)
      let time = try client.call("time.get")
      #expect(time["receiver"]?["difference"] != nil && time["receiver"]?["uncertainty"] == 2, "\(time)")
      #expect(time["clock"]?["referenceClock"] == true, "\(time)")
      #expect(try stage.control("time").contains("chrony follows GPS"))
      #expect(try stage.control("status").contains("keep= in [time] turns it on"))
      let doctor = try stage.control("doctor", code: nil)
      #expect(doctor.contains("has no time from it") && doctor.contains("keep= in [time]"), "\(doctor)")
    }
  }
}

/// A receiver, chrony, and what the two have to do with each other. Everything belongs to the test's loop but for the fixture.
///
/// The clock that chrony is to learn is wrong by a quarter of a second, runs wrong by 20 millionths, and by up to a half more or less
/// as the day warms and cools. chronyd runs with `-x`: it sets no clock, and says by how much it would.
private final class ClockStage {
  let fixture: IntegrationFixture
  /// What chrony said last of how right its time is; `nil`: it has none.
  private(set) var said: Duration?
  /// The worst since `forget`: what chrony said, and how wrong its time really was.
  private(set) var (worstSaid, worstTrue) = (Duration.zero, Duration.zero)
  private let loop: EventLoop
  private let clock: FastClock
  private let folder: TemporaryFolder
  private let port: TCPReservation
  private let chronyd: RunningProgram
  private let socket: FileDescriptor
  private let began: Instant
  private var timers: [LoopTimer] = []

  /// Of the time that passes.
  private static let factor = 50

  init(_ configuration: [String], on loop: EventLoop) throws {
    let time = try FastTime(factor: Self.factor)
    (self.loop, self.clock) = (loop, time.clock)
    let folder = try TemporaryFolder()
    self.folder = folder
    self.port = try TCPReservation()
    let lines = [
      "refclock SOCK \(folder.file("gpsd.sock")) refid GPS poll 4", "cmdport \(self.port.port)",
      "bindcmdaddress 127.0.0.1", "bindcmdaddress /", "pidfile \(folder.file("pid"))", "port 0", "",
    ]
    try File.write(Array(lines.joined(separator: "\n").utf8), to: folder.file("chrony.conf"))
    self.chronyd = try RunningProgram(
      try Self.program(), ["-x", "-d", "-U", "-u", "root", "-f", folder.file("chrony.conf")],
      environment: time.environment, on: loop)
    try self.chronyd.waitToSay("Disabled control of system clock")
    self.socket = try FileDescriptor(adopting: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    let number = self.socket.rawValue
    try loop.drive(until: "chrony's socket") {
      unsafe withUnixAddress(folder.file("gpsd.sock")) { unsafe connect(number, $0, $1) } == 0
    }
    self.began = time.clock.time(at: Clocks.system.sinceBoot())
    var settings = IntegrationFixture.Settings()
    settings.receiver.receiver = ReceiverModel.Settings(kind: .ublox, keepsRunning: true)
    settings.gpsdArguments = []
    settings.configuration =
      ["receiver.rung=ublox", "receiver.linger=60s", "time.chrony-port=\(self.port.port)"] + configuration
    settings.time = time
    self.fixture = try IntegrationFixture(settings)
    try self.every(.seconds(1)) { try $0.sendTime() }
    try self.every(.seconds(20)) { $0.ask() }
  }

  /// Where it is installed, or was unpacked without being installed.
  private static func program() throws -> String {
    let places = ["/usr/sbin/chronyd", "\(PackageRoot.path)/.build/chrony/usr/sbin/chronyd"]
    guard let place = places.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw TimedOut("chronyd is not there: scripts/bootstrap unpacks it")
    }
    return place
  }

  var now: Instant { self.clock.time(at: Clocks.system.sinceBoot()) }

  /// How long the receiver has run.
  var poweredTime: Duration {
    get throws {
      let log = try #require(try self.fixture.onLoop { $0.receiver?.powerLog })
      return log.poweredTime(until: self.now)
    }
  }

  func forget() { (self.worstSaid, self.worstTrue) = (.zero, .zero) }

  /// What positionctl prints.
  ///
  /// - Parameter code: The expected exit code; `nil`: any.
  func control(_ words: String..., code: Int32? = 0) throws -> String {
    let run = try RunningProgram(
      Programs.path("positionctl"), ["--socket", self.fixture.socket] + words, on: self.loop)
    let ended = try run.waitForExit()
    if let code { #expect(ended == code, "\(run.output)") }
    return run.output
  }

  // MARK: chrony

  private func every(_ interval: Duration, _ work: @escaping (ClockStage) throws -> Void) throws {
    var timer: LoopTimer?
    timer = try self.loop.timer(accuracy: .microseconds(100)) { [unowned self] in
      do { try work(self) } catch { Issue.record("\(error)") }
      timer?.arm(at: Clocks.system.sinceBoot() + interval / Self.factor)
    }
    timer?.arm(at: Clocks.system.sinceBoot())
    if let timer { self.timers.append(timer) }
  }

  /// By how much the receiver's time is ahead of the clock.
  private func offset(at now: Instant) -> Double {
    let (seconds, day) = ((now - self.began).seconds, 7200 / (2 * Double.pi))
    return 0.25 + 20e-6 * seconds + 0.5e-6 * day * (1 - cos(seconds / day))
  }

  /// One datagram, as gpsd sends it: the clock's time, by how much the receiver's is ahead, and a number by which chrony knows it.
  private func sendTime() throws {
    let now = self.now
    let isGiven = try self.fixture.onLoop { parts in
      // The fourth fix is the first whose time gpsd gives away.
      parts.receiver.map { receiver in
        receiver.isOpened && receiver.powerLog.entries.last.map { $0.isOn && now - $0.at > .seconds(8) } ?? false
      }
    }
    guard isGiven == true else { return }
    let wall = Clocks.system.wall() + (now - Clocks.system.sinceBoot())
    var bytes: [UInt8] = []
    func add(_ value: some Any) { unsafe withUnsafeBytes(of: value) { unsafe bytes += $0 } }
    add(Int64(wall / .seconds(1)))
    add((wall.components.attoseconds / 1_000_000_000_000))
    add(self.offset(at: now))
    for value in [0, 0, 0, 0x534F_434B] as [Int32] { add(value) }
    _ = unsafe send(self.socket.rawValue, bytes, bytes.count, Int32(MSG_DONTWAIT))
  }

  private func ask() {
    ChronySocket.ask(on: self.loop, port: self.port.port) { [weak self] figure in
      guard let self, let figure else { return }
      self.said = figure.error
      guard let error = figure.error else { return }
      let wrong = (figure.correction.seconds - self.offset(at: self.now)).magnitude
      self.worstSaid = max(self.worstSaid, error)
      self.worstTrue = max(self.worstTrue, .seconds(wrong))
    }
  }
}
