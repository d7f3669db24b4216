import EventLoop
import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Gpsd
@testable import ReceiverSimulator

@Suite("The driver, against a real gpsd and a receiver on a pseudoterminal", .timeLimit(.minutes(TestDeadline.minutes)))
struct RealGpsdTests {
  private static let receiver = Simulation.Settings(receiver: .init(firstStart: .ready, keepsRunning: true))

  /// A folder, a receiver and its gpsd, which all end with this object.
  private final class Bench {
    let folder: TemporaryFolder
    let receiver: SimulatedReceiver
    let loop: EventLoop
    var gpsd: GpsdProcess?
    let device: String
    private let reservation: TCPReservation

    /// - Parameter arguments: `-b` saves the six seconds of detection.
    init(on loop: EventLoop, linkName: String = "receiver") throws {
      self.loop = loop
      self.folder = try TemporaryFolder()
      self.device = self.folder.file(linkName)
      self.reservation = try TCPReservation()
      self.receiver = SimulatedReceiver(settings: RealGpsdTests.receiver, on: loop, link: self.device)
      try self.receiver.start()
    }

    func startGpsd(_ arguments: [String] = ["-b"], devices: [String]? = nil) throws {
      self.gpsd = try GpsdProcess(
        devices: devices ?? [self.device], folder: self.folder.path, on: self.loop, port: self.reservation,
        arguments: arguments)
    }

    /// Kills it and waits for its end, which releasing the object does.
    func killGpsd() { self.gpsd = nil }

    /// Notifies gpsd that the device was added (`+`) or removed (`-`), as udev's rule does.
    func announceDevice(_ sign: String) throws { try #require(self.gpsd).control("\(sign)\(self.device)") }

    var port: UInt16 { self.reservation.port }
  }

  @Test("Reports arrive, with the device configured by a long path, and without", arguments: [true, false])
  func streams(isConfigured: Bool) async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop, linkName: "usb-a_receiver_with_a_long_name-if00-port0-0123456789")
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, device: isConfigured ? bench.device : nil, on: loop)
      listener.start()
      try loop.drive(until: "a fix") {
        listener.positions.contains { $0.mode == .threeDimensional && $0.latitude != nil && $0.time != nil }
      }
      #expect(listener.source == .streaming)
      #expect(listener.positions.allSatisfy { $0.device == bench.device })
      #expect(!listener.log.contains { $0.contains("instead of") })
      try loop.drive(until: "the sky") {
        listener.events.contains { if case .sky(let sky) = $0 { sky.satellites?.isEmpty == false } else { false } }
      }
      listener.stop()
    }
  }

  @Test("A device that gpsd does not have is reported by its path")
  func notConfigured() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, device: "/dev/gps9", on: loop)
      listener.start()
      try loop.drive(until: "it is missed") {
        if case .receiverMissing(.notConfiguredDevice("/dev/gps9", present: _)) = listener.source {
          true
        } else {
          false
        }
      }
      #expect(listener.positions.isEmpty)
    }
  }

  @Test("A gpsd without a device is reported as such")
  func noDevice() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd(devices: [])
      let listener = try Listener(port: bench.port, on: loop)
      listener.start()
      try loop.drive(until: "it is missed") { listener.source == .receiverMissing(.noDevice) }
    }
  }

  @Test("If gpsd is killed and started again, there is one end and one new beginning")
  func killed() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, on: loop)
      listener.start()
      try loop.drive(until: "reports") { listener.source == .streaming }
      let before = listener.sources.count
      bench.killGpsd()
      try loop.drive(until: "it is refused") {
        if case .gpsdDown(.unreachable) = listener.source { true } else { false }
      }
      let reports = listener.positions.count
      try bench.startGpsd()
      try loop.drive(until: "reports again") { listener.source == .streaming && listener.positions.count > reports }
      // However often it was tried in between: down was reported once for each reason, and then it streamed.
      let states = listener.sources.dropFirst(before)
      #expect(states.count { $0 == .streaming } == 1 && states.last == .streaming, "\(states)")
      #expect(states.first.map { if case .gpsdDown = $0 { true } else { false } } == true, "\(states)")
      #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "\(states)")
    }
  }

  @Test("A receiver that falls silent is reported in time, and read when it sends again")
  func silent() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, on: loop)
      listener.start()
      try loop.drive(until: "reports") { listener.source == .streaming }
      bench.receiver.goSilent()
      try loop.drive(until: "silence is reported") {
        listener.source == .receiverMissing(.silent(bench.device))
      }
      bench.receiver.speak()
      try loop.drive(until: "reports again") { listener.source == .streaming }
    }
  }

  @Test("A receiver that is back in a few seconds is read again, as far as gpsd supports it")
  func enumeratesAnew() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, on: loop)
      listener.start()
      try loop.drive(until: "reports") { listener.source == .streaming }
      bench.receiver.unplug()
      try loop.drive(until: "it is missed") {
        if case .receiverMissing = listener.source { true } else { false }
      }
      bench.receiver.replug()
      if !listener.events.contains(.gpsdVersion("3.22")) {
        // Later releases remove a lost device in a few seconds, and wait for udev.
        try loop.drive(until: "gpsd has struck it off") {
          listener.source == .receiverMissing(.unplugged(bench.device))
        }
        try bench.announceDevice("+")
      }
      // gpsd 3.22 either reopens it or, if it checked in the moment it was away, has removed it for good: both are
      // reported as such.
      try loop.drive(until: "reports again, or gpsd without it") {
        switch listener.source {
        case .streaming, .receiverMissing(.noDevice), .receiverMissing(.unplugged): true
        default: false
        }
      }
      if listener.source != .streaming { try bench.announceDevice("+") }
      try loop.drive(until: "reports again") { listener.source == .streaming }
    }
  }

  @Test("A receiver that was away for long is read when gpsd is notified of it, as by udev")
  func pluggedInLater() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, on: loop)
      listener.start()
      try loop.drive(until: "reports") { listener.source == .streaming }
      bench.receiver.unplug()
      try bench.announceDevice("-")
      try loop.drive(until: "it is missed") {
        listener.source == .receiverMissing(.unplugged(bench.device))
      }
      try loop.drive(for: .seconds(1))
      bench.receiver.replug()
      try bench.announceDevice("+")
      try loop.drive(until: "reports again") { listener.source == .streaming }
    }
  }

  @Test("A probe finds an unwatched receiver closed, and a watched one open")
  func probe() async throws {
    try await withLoop { loop in
      let bench = try Bench(on: loop)
      try bench.startGpsd()
      let listener = try Listener(port: bench.port, on: loop)
      var isOpen: Bool?
      var isProbing = false
      var isOver = false
      // gpsd refuses connections for its first milliseconds.
      try loop.drive(until: "gpsd listens") {
        if isOver {
          isOver = false
          _ = try loop.runOnce(timeout: .milliseconds(50))
        }
        if !isProbing {
          isProbing = true
          listener.probe {
            isOpen = $0
            (isProbing, isOver) = (false, $0 == nil)
          }
        }
        return isOpen != nil
      }
      #expect(isOpen == false)
      listener.start()
      try loop.drive(until: "reports") { listener.source == .streaming }
      isOpen = nil
      listener.probe { isOpen = $0 }
      try loop.drive(until: "the probe's end") { isOpen != nil }
      #expect(isOpen == true)
      #expect(listener.source == .streaming)
    }
  }
}
