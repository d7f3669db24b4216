import Gpsd
import Positioning
import ReceiverPorts
import ReceiverSimulator
import TestSupport
import Testing

@testable import Trust

/// The recorded logs of honest receivers, as gpsd decodes them, each judged on its own.
///
/// The time between two reports is the receiver's, since a log has no other.
@Suite("Honest receivers' logs", .timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  /// Logs that alarm, and what speaks against them.
  private static let alarms: [String: IntegrityReasons] = [:]

  @Test("Nothing speaks against an honest receiver", arguments: Corpus.logs)
  func honest(name: String) throws {
    let events = try Self.events(of: name)
    var judge = IntegrityJudge()
    var reasons: Set<IntegrityReason> = []
    for timed in events {
      let device: String?
      switch timed.event {
      case .position(let report):
        judge.received(report, maximumSpeed: 500)
        device = report.device
      case .sky(let sky):
        judge.received(sky)
        device = sky.device
      case .reception(let report):
        judge.received(report)
        device = report.device
      case .errorEstimate, .attitude, .source, .power, .devices, .superseded, .gpsdVersion: continue
      }
      reasons.formUnion(judge.verdict(of: device).reasons.list)
    }
    #expect(IntegrityReasons(reasons) == Self.alarms[name] ?? [], "\(name): \(reasons)")
  }

  @Test("The logs are long enough for some of them to be trusted, and hold the skies of many receivers")
  func content() throws {
    var (positions, skies, trusted) = (0, 0, 0)
    for name in Corpus.logs {
      var judge = IntegrityJudge()
      var isTrusted = false
      for timed in try Self.events(of: name) {
        switch timed.event {
        case .position(let report):
          positions += report.hasPosition ? 1 : 0
          judge.received(report, maximumSpeed: 500)
          isTrusted = isTrusted || judge.verdict(of: report.device).integrity == .trusted
        case .sky(let sky): skies += sky.satellites?.isEmpty == false ? 1 : 0
        case .errorEstimate, .attitude, .reception, .source, .power, .devices, .superseded, .gpsdVersion: break
        }
      }
      trusted += isTrusted ? 1 : 0
    }
    #expect(
      Corpus.logs.count >= 20 && positions > 500 && skies > 200 && trusted > 0, "\(positions), \(skies), \(trusted)")
  }

  /// The logs have the receivers' own messages, which gpsd passes on as lines of digits.
  @Test("No recorded u-blox says that it is jammed or spoofed, and some say that they are not")
  func words() throws {
    var (statements, clear) = (0, 0)
    for name in Corpus.logs {
      let said = Self.receptions(in: try File.read(try #require(Corpus.folder) + "/" + name))
      var judge = IntegrityJudge()
      for (second, reception) in said.enumerated() {
        judge.received(ReceptionReport(reception: reception, arrival: .boot + .seconds(second)))
        #expect(judge.verdict(of: nil) == Verdict(), "\(name): \(reception)")
        clear += reception.spoofing == .clear ? 1 : 0
      }
      statements += said.count
    }
    #expect(statements > 160 && clear > 150, "\(statements), \(clear)")
  }

  /// What the u-blox messages of a log say.
  private static func receptions(in log: [UInt8]) -> [Reception] {
    let decoder = GpsdDecoder()
    return log.indices.dropLast(8).compactMap { start in
      guard log[start] == 0xB5, log[start + 1] == 0x62 else { return nil }
      let length = Int(log[start + 4]) + Int(log[start + 5]) << 8 + 8
      let line = log[start...].prefix(length).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      guard case .reception(let report) = decoder.decode(Array(line.utf8), arrival: .boot) else { return nil }
      return report.reception
    }
  }

  private static func events(of name: String) throws -> [RecordedSession.TimedEvent] {
    let path = try #require(Corpus.folder) + "/" + name
    let decoded = try SystemProgram.run("/bin/sh", ["-c", "exec gpsdecode 2>/dev/null <\"$0\"", path])
    try #require(decoded.code == 0, "gpsdecode failed: \(decoded.words.suffix(200))")
    return RecordedSession.replay(
      Array(decoded.words.utf8), silentAfter: .seconds(3600), start: Instant(sinceBoot: .seconds(5000)),
      pacing: .receiverTime)
  }
}
