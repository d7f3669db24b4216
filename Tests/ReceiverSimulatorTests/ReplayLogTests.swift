import NMEA
import Positioning
import Testing
import UBX

@testable import ReceiverSimulator

@Suite("Replayed logs") struct ReplayLogTests {
  @Test("a text log is played line by line, without its comments")
  func text() {
    let log = ReplayLog(Array("# Name: puck\r\n\r\n$GPHDT,,T*1B\r\n# moved\n$GPGGA*00\nend".utf8))
    #expect(log.pieces.map { String(decoding: $0, as: UTF8.self) } == ["$GPHDT,,T*1B\r\n", "$GPGGA*00\n", "end"])
  }

  @Test("a binary log is played message by message, with every byte but the leading comments")
  func binary() {
    let first = UBXFrame(0x01, 0x61, payload: [0x0A, 0x23, 0xB5, 0x62]).bytes
    let sentence = NMEASentence("GPHDT,,T").bytes
    let second = UBXFrame(0x0A, 0x04).bytes
    let hash = Array("#\u{7}not a comment\n".utf8)
    let log = ReplayLog(Array("# Größe\n".utf8) + first + sentence + hash + [0xB5, 0x62, 0x01] + second + [0xB5])
    #expect(log.pieces == [first, sentence, hash, [0xB5, 0x62, 0x01], second, [0xB5]])
  }

  @Test("the simulator's output is the same after a replay of its log", arguments: ReceiverKind.allCases)
  func ownOutput(kind: ReceiverKind) {
    var simulation = Simulation(
      settings: .init(receiver: .init(kind: kind, firstStart: .hot, keepsRunning: true)),
      at: FaultTests.start, utc: FaultTests.utc)
    var bytes: [UInt8] = []
    var now = FaultTests.start
    for _ in 0..<20 {
      let next = simulation.nextEpoch(after: now)
      bytes += simulation.epochDue(next.time, at: next.due).pieces.joined()
      now = next.due
    }
    let log = ReplayLog(bytes)
    #expect(Array(log.pieces.joined()) == bytes)
    switch kind {
    case .nmea, .mtk: #expect(log.pieces.allSatisfy { NMEASentence.fields(of: $0[...].dropLast()) != nil })
    case .ublox: #expect(log.pieces.allSatisfy { UBXFrame(parsing: $0) != nil })
    }
  }

  @Test("a piece takes as long as on the serial line, or no time at all")
  func pace() {
    let piece = [UInt8](repeating: 0, count: 96)
    #expect(ReplayPace.line(speed: 9600, factor: 1).duration(of: piece) == .milliseconds(100))
    #expect(ReplayPace.line(speed: 9600, factor: 10).duration(of: piece) == .milliseconds(10))
    #expect(ReplayPace.reader.duration(of: piece) == .zero)
  }

  @Test("any bytes at all are played completely")
  func anyBytes() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<200 {
      let tokens: [UInt8] = [0x0A, 0xB5, 0x62, 0x00, 0x24]
      let bytes = [0x80] + (0..<300).map { _ in tokens[Int.random(in: tokens.indices, using: &random)] }
      #expect(Array(ReplayLog(bytes).pieces.joined()) == bytes)
    }
  }
}
