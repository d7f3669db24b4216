import EventLoop
import Glibc
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The bridge with MQTT brokers that send what they should not.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HostileBrokerTests {
  /// Accepts the connection.
  private static let welcome: [UInt8] = [0x20, 2, 0, 0]
  /// The longest length of a packet: 268435455 bytes.
  private static let longest: [UInt8] = [0xFF, 0xFF, 0xFF, 0x7F]
  /// The memory that systemd lets the bridge allocate.
  private static let memory: Int = {
    let unit = Documents.text("systemd/positiond-mqtt.service")
    return (unit.firstMatch(of: /\nLimitDATA=(\d+)M\n/).flatMap { Int($0.output.1) } ?? 0) << 20
  }()

  /// A bridge with events, and the MQTT broker's answer to it, until the bridge has reported that.
  ///
  /// - Returns: How many events it acknowledged, and what it logged.
  @discardableResult
  private static func meet(
    _ answer: HostileBroker.Answer, _ comment: String,
    finally: @escaping @Sendable (RunningProgram) throws -> Void = { _ in }
  ) async throws -> (acknowledged: Int, log: String) {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      for _ in 0..<5 { inbox.occur() }
      let mqtt = try MosquittoFixture(on: loop)
      let broker = try HostileBroker(at: mqtt.socket, answer, on: loop)
      let bridge = try mqtt.bridge(to: inbox.daemon.path, memory: self.memory)
      try bridge.waitToSay("no MQTT broker: ")
      let acknowledged = inbox.acknowledged
      #expect(bridge.exit == nil, "\(comment): \(bridge.output)")
      try finally(bridge)
      // And when there is a real one, it goes on where it was.
      broker.end()
      try mqtt.start()
      try loop.drive(until: "the events after \(comment)") { inbox.acknowledged == 5 }
      bridge.send(SIGTERM)
      #expect(try bridge.waitForExit() == 0, "\(comment): \(bridge.output)")
      #expect(!bridge.output.contains("Success"), "\(comment): \(bridge.output)")
      return (acknowledged, bridge.output)
    }
  }

  @Test(
    arguments: [
      [0x20, 0], [0x20, 1, 0], [0x20, 2, 0], [0x20, 3, 0, 0, 0], [0x20], [0x20] + longest + [0, 0],
      [0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0, 0], [0x20, 2, 0xFF, 0xFF], [0x2F, 2, 0, 0], [0x40, 2, 0, 1],
      [0x90, 3, 0, 1, 1],
      [0x30, 5, 0, 3, 97, 47, 98], [0x00, 0], [0xF0, 0], [0xD0, 0], [0x10, 2, 0, 0],
    ] as [[UInt8]])
  func `an answer to the connection that is none is reported, and nothing is taken`(bytes: [UInt8]) async throws {
    let met = try await Self.meet(.init(bytes: bytes), "\(bytes)")
    #expect(met.acknowledged == 0)
  }

  @Test(
    arguments: [
      // Confirmations of a wrong length.
      [0x40, 0], [0x40, 1, 0], [0x40, 3, 0, 1, 0], [0x40] + longest + [0, 1],
      [0x40, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0, 1],
      [0x40, 2, 0], [0x4F, 2, 0, 1],
      // Of messages that were never sent, and with steps of QoS 2.
      [0x40, 2, 0, 0], [0x40, 2, 0xFF, 0xFF, 0x40, 2, 0x40, 0], [0x50, 2, 0xFF, 0xFF], [0x62, 2, 0, 99],
      [0x70, 2, 0, 99],
      // Messages that the bridge did not subscribe to, whole and cut.
      [0x30, 3, 0, 1, 97], [0x32, 5, 0, 1, 97, 0, 1], [0x34, 5, 0, 1, 97, 0, 1], [0x30, 2, 0xFF, 0xFF], [0x30, 1, 0],
      [0x36, 5, 0, 1, 97, 0, 1], [0x32, 3, 0, 1, 97], [0x30, 0], [0x30, 4, 0, 2, 0xC0, 0x80], [0x30, 40, 0, 1, 97],
      // What only a client sends, and what a connection has once.
      [0x10, 0], [0x20, 2, 0, 0], [0x20, 2, 0, 5], [0x82, 6, 0, 1, 0, 1, 35, 1], [0xA2, 5, 0, 1, 0, 1, 97], [0xC0, 0],
      [0xE0, 0],
      [0xB0, 2, 0, 1], [0x90, 0], [0x90, 1, 0], [0xD0, 1, 0],
    ] as [[UInt8]])
  func `nonsense on an accepted connection confirms nothing`(bytes: [UInt8]) async throws {
    let met = try await Self.meet(.init(bytes: Self.welcome + bytes), "\(bytes)")
    #expect(met.acknowledged == 0)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `random packets, some of them cut, end no bridge`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var bytes = Bool.random(using: &random) ? Self.welcome : []
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let body = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.append(UInt8.random(in: 0...255, using: &random))
      // Most lengths are right, so that what follows is looked at.
      let isRight = Int.random(in: 0..<4, using: &random) > 0
      bytes.append(isRight ? UInt8(body.count) : UInt8.random(in: 0...255, using: &random))
      bytes += body
    }
    bytes.removeLast(Int.random(in: 0..<min(4, bytes.count), using: &random))
    try await Self.meet(.init(bytes: bytes), "seed \(seed)")
  }

  /// What 256 MB consist of.
  enum Flood: CaseIterable {
    /// One message, which does not end.
    case one
    /// Many of QoS 2, which are stored until a release that does not come.
    case many

    var answer: HostileBroker.Answer {
      let megabyte = [UInt8](repeating: 0, count: 1 << 20)
      let (first, repeated): ([UInt8], [UInt8]) =
        switch self {
        case .one: ([0x30] + longest + [0, 1, 97], megabyte)
        case .many: ([], [0x34, 0x80, 0x80, 0x40, 0, 1, 97, 0, 1] + megabyte.dropLast(5))
        }
      return .init(bytes: welcome + first, repeated: repeated, repetitions: 255, closes: false)
    }
  }

  @Test(arguments: Flood.allCases)
  func `an MQTT broker that sends 256 MB gets no more memory than the unit allows`(flood: Flood) async throws {
    #expect(Self.memory >= 16 << 20)
    let met = try await Self.meet(flood.answer, "256 MB") { bridge in
      let status = String(decoding: try File.read("/proc/\(bridge.pid)/status"), as: UTF8.self)
      let peak = try #require(status.firstMatch(of: /VmHWM:\s*(\d+) kB/).flatMap { Int($0.output.1) })
      // The code and the shared libraries come on top.
      #expect(peak << 10 < Self.memory + 64 << 20, "\(peak) KiB")
    }
    #expect(met.log.contains("it sends more than fits into memory"), "\(met.log)")
  }
}
