import Positioning
import ReceiverPorts
import ReceiverSimulator
import Testing

@testable import Gpsd

@Suite("A recording is processed like a live connection")
struct RecordedSessionTests {
  private static let banner = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  private static let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/x","activated":"2026"}]}"#
  private static let watch = #"{"class":"WATCH","enable":true,"json":true}"#

  private static func tpv(_ second: Int, mode: Int = 3) -> String {
    let time =
      "2026-02-21T00:\(second / 60 < 10 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
    return #"{"class":"TPV","device":"/dev/x","mode":\#(mode),"time":"\#(time)","lat":1.5,"lon":2.5}"#
  }

  private func replay(
    _ lines: [String], pacing: RecordedSession.Pacing, silence: Duration = .zero, device: String? = nil
  ) -> [RecordedSession.TimedEvent] {
    RecordedSession.replay(
      Array(lines.joined(separator: "\r\n").utf8), settings: GpsdSettings(device: device),
      silentAfter: .seconds(8), start: .at(100), pacing: pacing, silence: silence)
  }

  private func positions(_ events: [RecordedSession.TimedEvent]) -> [Double] {
    events.compactMap {
      guard case .position(let report) = $0.event else { return nil }
      #expect(report.arrival == $0.moment)
      return ($0.moment - .at(100)).seconds
    }
  }

  private func sources(_ events: [RecordedSession.TimedEvent]) -> [SourceState] {
    events.compactMap { if case .source(let source) = $0.event { source } else { nil } }
  }

  @Test("A whole recording streams, at the requested pace")
  func whole() {
    let lines = [Self.banner, Self.devices, Self.watch, Self.tpv(0), Self.tpv(1), Self.tpv(1), Self.tpv(3)]
    let byTime = self.replay(lines, pacing: .receiverTime)
    #expect(self.sources(byTime) == [.opening, .streaming])
    #expect(self.positions(byTime) == [0, 1, 1, 3])
    #expect(self.positions(self.replay(lines, pacing: .every(.milliseconds(250)))) == [1, 1.25, 1.5, 1.75])
    #expect(self.positions(self.replay(lines, pacing: .every(.zero))) == [0, 0, 0, 0])
  }

  @Test("A recording that began late streams as well", arguments: 0...3)
  func lateBegin(missing: Int) {
    let lines = [Self.banner, Self.devices, Self.watch, Self.tpv(0), Self.tpv(1)]
    let events = self.replay(Array(lines.dropFirst(missing)), pacing: .receiverTime)
    #expect(self.sources(events) == [.opening, .streaming])
    #expect(self.positions(events) == [0, 1])
  }

  @Test("Time that goes back or jumps counts as a second")
  func leaps() {
    let lines = [Self.tpv(100), Self.tpv(90), Self.tpv(91), Self.tpv(500), Self.tpv(502)]
    #expect(self.positions(self.replay(lines, pacing: .receiverTime)) == [0, 1, 2, 3, 5])
  }

  @Test("Stamps before the lines set the pace, across the end of a month too")
  func stamps() {
    let lines = [
      "2026-02-28 23:59:59.500000: " + Self.tpv(0), "2026-03-01 00:00:00.000000: " + Self.tpv(1),
      "2026-03-01 00:00:01: " + Self.tpv(2), Self.tpv(3), "2026-03-01 00:00:02.250000: " + Self.tpv(4),
    ]
    #expect(self.positions(self.replay(lines, pacing: .stamps)) == [0, 0.5, 1.5, 1.5, 2.75])
  }

  @Test("A gap in it is silence, and so is its end")
  func holes() {
    let lines = [Self.tpv(0), Self.tpv(1), Self.tpv(31), Self.tpv(32)]
    let events = self.replay(lines, pacing: .receiverTime, silence: .seconds(300))
    #expect(
      self.sources(events) == [
        .opening, .streaming, .receiverMissing(.silent("/dev/x")), .streaming, .receiverMissing(.silent("/dev/x")),
      ])
    #expect(self.positions(events) == [0, 1, 31, 32])
  }

  @Test("Garbage, long lines and other devices in it are left out")
  func garbage() {
    let lines = [
      "# a comment", Self.tpv(0), "{", String(repeating: "x", count: 100_000),
      Self.tpv(1).replacing("/dev/x", with: "/dev/y"),
      Self.tpv(2),
    ]
    let events = self.replay(lines, pacing: .receiverTime, device: "/dev/x")
    #expect(self.positions(events) == [0, 2])
  }

  @Test(
    "Damaged recordings neither crash nor hang, and lead to no invalid number",
    arguments: 0..<20 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let lines = [Self.banner, Self.devices, Self.watch] + (0..<40).map { Self.tpv($0) }
    let whole = Array(lines.joined(separator: "\r\n").utf8)
    for _ in 0..<20 {
      var recording = whole
      for _ in 0..<40 {
        let place = Int.random(in: 0..<recording.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: recording[place] = UInt8.random(in: 0...255, using: &random)
        case 1: recording.remove(at: place)
        case 2: recording.insert(contentsOf: recording[place...].prefix(50), at: place)
        default: recording.insert(contentsOf: Array("9e9\n]}{[".utf8).shuffled(using: &random), at: place)
        }
      }
      let events = RecordedSession.replay(
        recording, silentAfter: .seconds(8), start: .at(0), pacing: .receiverTime, silence: .seconds(100))
      for case .position(let report) in events.map(\.event) {
        #expect(report.latitude.map { (-90...90).contains($0) } ?? true)
        #expect(report.longitude.map { (-180...180).contains($0) } ?? true)
      }
    }
  }

  @Test("An empty recording has no events")
  func empty() {
    #expect(self.sources(self.replay([], pacing: .receiverTime)) == [.opening])
  }
}
