import EventLoop
import NMEA
import Positioning
import TestSupport
import Testing
import UBX

@testable import ReceiverSimulator

@Suite("The simulated receiver at its device", .timeLimit(.minutes(TestDeadline.minutes))) struct SimulatedReceiverTests
{
  static func settings(
    _ kind: ReceiverKind = .nmea, rate: Int = 25, keepsRunning: Bool = false, faults: [Fault] = []
  ) -> Simulation.Settings {
    Simulation.Settings(
      period: .milliseconds(1000 / rate),
      receiver: .init(kind: kind, firstStart: .ready, keepsRunning: keepsRunning), faults: faults)
  }

  @Test("it is on while a program has its device open, and off otherwise")
  func powerFollowsOpening() async throws {
    try await withLoop { loop in
      let receiver = SimulatedReceiver(settings: Self.settings(), on: loop)
      try receiver.start()
      try loop.drive(for: .milliseconds(150))
      #expect(!receiver.isOpened)
      #expect(receiver.activity() == .off)
      #expect(receiver.groundTruth.isEmpty)
      for round in 1...2 {
        let before = receiver.groundTruth.count
        let reader = try SerialReader(try #require(receiver.path), on: loop)
        try loop.drive(until: "epochs of round \(round)") {
          receiver.groundTruth.count >= before + 5 && reader.text.split(separator: "RMC").count > 4
        }
        #expect(receiver.isOpened)
        reader.close()
        try loop.drive(until: "off") { !receiver.isOpened }
        #expect(receiver.activity() == .off)
      }
      #expect(receiver.groundTruth.allSatisfy { $0.delivery == .sent })
    }
  }

  @Test("the bytes that are read are those that were sent, at round times")
  func bytes() async throws {
    try await withLoop { loop in
      let settings = Self.settings()
      let receiver = SimulatedReceiver(settings: settings, on: loop)
      try receiver.start()
      let reader = try SerialReader(try #require(receiver.path), on: loop)
      var instants: [Int64] = []
      receiver.epochSent = { _ in instants.append(Timestamp.wallClock.milliseconds) }
      try loop.drive(until: "ten epochs") { receiver.groundTruth.count >= 10 }
      receiver.goSilent()
      let expected = receiver.groundTruth.flatMap { settings.nmea.bytes(for: $0.epoch) }
      try loop.drive(until: "all bytes") { reader.bytes.count >= expected.count }
      #expect(reader.bytes == expected)
      for (sent, instant) in zip(receiver.groundTruth, instants) {
        #expect(sent.epoch.time.milliseconds % 40 == 0)
        // Never early; how late depends on the machine's load.
        #expect(instant >= sent.epoch.time.milliseconds)
      }
    }
  }

  @Test("unplugged it is gone for its reader, and replugged it is back at the same path")
  func unplugAndReplug() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let link = folder.file("gps0")
      let receiver = SimulatedReceiver(settings: Self.settings(keepsRunning: true), on: loop, link: link)
      var openings: [Bool] = []
      receiver.openedOrClosed = { openings.append($0) }
      try receiver.start()
      let reader = try SerialReader(link, on: loop)
      try loop.drive(until: "a sentence") { reader.text.contains("GNGGA") }
      receiver.unplug()
      #expect(!receiver.isPlugged)
      #expect(!File.exists(link))
      try loop.drive(until: "the end") { reader.hasEnded }
      let count = receiver.groundTruth.count
      try loop.drive(for: .milliseconds(100))
      #expect(receiver.groundTruth.count == count)
      receiver.replug()
      let again = try SerialReader(link, on: loop)
      try loop.drive(until: "a sentence after the replug") { again.text.contains("GNGGA") }
      #expect(openings == [true, false, true])
      receiver.stop()
      #expect(!File.exists(link))
    }
  }

  @Test("scheduled faults begin and end by themselves")
  func scheduled() async throws {
    try await withLoop { loop in
      let faults = [
        Fault(.unplug, start: .milliseconds(300), duration: .milliseconds(300)),
        Fault(.noSky, start: .milliseconds(800), duration: .milliseconds(200)),
      ]
      let begin = Clocks.system.sinceBoot()
      let receiver = SimulatedReceiver(settings: Self.settings(keepsRunning: true, faults: faults), on: loop)
      try receiver.start()
      try loop.drive(until: "unplugged") { !receiver.isPlugged }
      #expect(Clocks.system.sinceBoot() - begin > .milliseconds(299))
      try loop.drive(until: "plugged in again") { receiver.isPlugged }
      try loop.drive(until: "no sky") { receiver.groundTruth.last?.epoch.solution == nil }
      try loop.drive(until: "a fix again") { receiver.groundTruth.last?.epoch.solution != nil }
    }
  }

  @Test("bytes that nobody reads are lost, and nothing waits")
  func dropsLikeASerialLine() async throws {
    try await withLoop { loop in
      let receiver = SimulatedReceiver(settings: Self.settings(), on: loop)
      try receiver.start()
      receiver.inject(.garbage(bytes: 4096))
      let reader = try SerialReader(try #require(receiver.path), on: loop)
      try loop.drive(until: "the first epoch") { !receiver.groundTruth.isEmpty }
      reader.stopReading()
      try loop.drive(until: "a dropped epoch") { receiver.groundTruth.last?.delivery == .dropped }
      let count = receiver.groundTruth.count
      try loop.drive(until: "ten epochs more") { receiver.groundTruth.count >= count + 10 }
    }
  }

  @Test("it answers the host on the line", arguments: [ReceiverKind.ublox, .mtk])
  func answers(kind: ReceiverKind) async throws {
    try await withLoop { loop in
      let receiver = SimulatedReceiver(settings: Self.settings(kind), on: loop)
      receiver.goSilent()
      try receiver.start()
      let reader = try SerialReader(try #require(receiver.path), on: loop)
      try loop.drive(until: "opened") { receiver.isOpened }
      let question = UBXFrame(0x0A, 0x04).bytes + NMEASentence("PMTK605").bytes
      try reader.write(question)
      let answer =
        kind == .ublox
        ? UBXFrame.version.bytes : NMEASentence("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0").bytes
      try loop.drive(until: "the answer") { reader.bytes.count >= answer.count }
      #expect(reader.bytes == answer)
      #expect(receiver.receivedBytes == question)
    }
  }

  @Test("split and merged epochs arrive whole", arguments: [Fault.Kind.split, .merge])
  func pieces(fault: Fault.Kind) async throws {
    try await withLoop { loop in
      let settings = Self.settings(rate: 10)
      let receiver = SimulatedReceiver(settings: settings, on: loop)
      receiver.inject(fault)
      try receiver.start()
      let reader = try SerialReader(try #require(receiver.path), on: loop)
      try loop.drive(until: "six epochs") { receiver.groundTruth.count >= 6 }
      receiver.goSilent()
      let expected = receiver.groundTruth.prefix(6).flatMap { settings.nmea.bytes(for: $0.epoch) }
      try loop.drive(until: "all bytes") { reader.bytes.count >= expected.count }
      #expect(Array(reader.bytes.prefix(expected.count)) == expected)
      #expect(receiver.groundTruth.contains { $0.delivery == .deferred })
    }
  }

  @Test("a file that is no link is not overwritten")
  func linkRefused() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let path = folder.file("gps0")
      try File.write([1, 2, 3], to: path)
      let receiver = SimulatedReceiver(settings: Self.settings(), on: loop, link: path)
      #expect(throws: SystemError.self) { try receiver.start() }
      #expect(try File.read(path) == [1, 2, 3])
    }
  }
}

@Suite("Replay at a device", .timeLimit(.minutes(TestDeadline.minutes))) struct ReplayPlayerTests {
  static let log = ReplayLog(
    (0..<300).flatMap { NMEASentence("GNTXT,01,01,02,\($0),\(String(repeating: "x", count: 60))").bytes })

  @Test("as fast as the reader reads, every byte arrives, however late the reader is")
  func asTaken() async throws {
    try await withLoop { loop in
      let player = ReplayPlayer(Self.log, pace: .reader, on: loop)
      var isFinished = false
      player.finished = { isFinished = true }
      try player.start()
      try loop.drive(for: .milliseconds(50))
      #expect(player.piecesPlayed == 0)
      let reader = try SerialReader(try #require(player.path), on: loop)
      try loop.drive(until: "some bytes") { !reader.bytes.isEmpty }
      try loop.drive(until: "the end of the log") {
        isFinished && reader.bytes.count == Self.log.pieces.joined().count
      }
      #expect(reader.bytes == Array(Self.log.pieces.joined()))
    }
  }

  @Test("at a line's speed it takes as long as on the line")
  func onTime() async throws {
    try await withLoop { loop in
      let player = ReplayPlayer(Self.log, pace: .line(speed: 9600, factor: 50), on: loop)
      var isFinished = false
      player.finished = { isFinished = true }
      try player.start()
      let reader = try SerialReader(try #require(player.path), on: loop)
      let begin = Clocks.system.sinceBoot()
      try loop.drive(until: "the end of the log") { isFinished }
      let expected = Double(Self.log.pieces.joined().count * 10) / 9600 / 50
      #expect((Clocks.system.sinceBoot() - begin).seconds > expected * 0.95)
      try loop.drive(until: "the last byte") { reader.bytes.count == Self.log.pieces.joined().count }
    }
  }
}
