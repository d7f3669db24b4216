import Positioning
import Testing

@testable import Broker

/// The events of a device that walks into a circle of 50 m and out again, or passes through, and their delays.
@Suite struct PassingDeviceTests {
  private static let runs = 100

  /// A pass along a straight line from 250 m before the middle to 250 m after it, at some distance from it.
  private struct Pass {
    var speed: Double
    /// Metres between the line and the middle.
    var offset: Double
    var truth: [(seconds: Double, east: Double)] = []
    var fixes: [Fix] = []
    var rivalFixes: [RivalFix] = []

    init(speed: Double, offset: Double, seed: UInt64, stay: Double = 0) {
      self.speed = speed
      self.offset = offset
      var error = SimulatedError(seed: seed)
      var random = SeededRandom(seed: ~seed)
      // The fixes of a second do not begin where the circle does.
      var east = -250.0 - Double.random(in: 0..<1, using: &random) * speed
      var stayed = 0.0
      var seconds = 0.0
      while east < 250 {
        let isStaying = east >= 0 && stayed < stay
        let (e, n, accuracy95) = error.next()
        let reported = max((isStaying ? 0 : speed) + random.gaussians().0 * 0.2, 0)
        self.truth.append((seconds, east))
        self.fixes.append(fix(seconds, east + e, offset + n, accuracy95: accuracy95, speed: reported))
        let distance = ((east + e) * (east + e) + (offset + n) * (offset + n)).squareRoot()
        self.rivalFixes.append(RivalFix(seconds: seconds, distance: distance, accuracy95: accuracy95, speed: reported))
        if isStaying { stayed += 1 } else { east += speed }
        seconds += 1
      }
    }

    func run(_ rule: some RivalRule) -> [(seconds: Double, isEnter: Bool)] {
      var run = RivalRun(rule, isInside: false)
      for fix in self.rivalFixes { run.see(fix) }
      return run.events
    }

    func watch() -> [RegionFinding] {
      var watch = RegionWatch([circle { $0.notify = [.enter, .exit, .crossed] }])
      watch.see(self.fixes)
      return watch.events
    }
  }

  @Test("A walk in and out causes two events, a quarter of a minute after the border")
  func walk() {
    var rows: [String: (events: Double, enter: Double, exit: Double)] = [:]
    for run in 0..<Self.runs {
      let pass = Pass(speed: 1.4, offset: 0, seed: UInt64(run), stay: 120)
      let enter = pass.truth.first { $0.east >= -rivalRadius }?.seconds ?? 0
      let exit = pass.truth.first { $0.east >= rivalRadius }?.seconds ?? 0
      let rules: [(String, [(seconds: Double, isEnter: Bool)])] = [
        ("ours", pass.watch().map { ($0.at.sinceBoot.seconds, $0.event.kind == .enter) }),
        ("overlap 85/15, 20 s hold", pass.run(OverlapRule(hold: 20))),
      ]
      for (rule, events) in rules {
        var row = rows[rule] ?? (0, 0, 0)
        row.events += Double(events.count)
        row.enter += ((events.first { $0.isEnter }?.seconds ?? 999) - enter) / Double(Self.runs)
        row.exit += ((events.last { !$0.isEnter }?.seconds ?? 999) - exit) / Double(Self.runs)
        rows[rule] = row
      }
    }
    var lines = [label("walk in and out at 1.4 m/s", 44) + "   events   enter, s   exit, s"]
    for (rule, row) in rows.sorted(by: { $0.key > $1.key }) {
      lines.append(
        label(rule, 44) + column(row.events / Double(Self.runs), 9, 2) + column(row.enter, 11, 1)
          + column(row.exit, 10, 1))
    }
    print(lines.joined(separator: "\n"))
    let ours = rows["ours"] ?? (0, 0, 0)
    #expect(ours.events == Double(2 * Self.runs))
    #expect(ours.enter > 10 && ours.enter < 18 && ours.exit > 20 && ours.exit < 32)
  }

  private struct Shares {
    /// Of all passes.
    var entered = 0.0
    var seen = 0.0
    var fixed10 = 0.0
    var fixed20 = 0.0
    /// Wrong events: another enter, or a crossing beside an enter.
    var surplus = 0
  }

  @Test("A drive through is reported at any speed, as an enter or as a crossing", arguments: [0.0, 35])
  func driveThrough(offset: Double) {
    var lines = [
      label(offset == 0 ? "drive through the centre" : "drive past the centre at \(Int(offset)) m", 32)
        + "   enter+exit   with crossed   10 s hold   20 s hold"
    ]
    for speed in [1.4, 5, 10, 30] {
      let shares = Self.shares(speed: speed, offset: offset)
      lines.append(
        label("\(speed) m/s", 32) + column(100 * shares.entered, 11) + " %" + column(100 * shares.seen, 13) + " %"
          + column(100 * shares.fixed10, 10) + " %" + column(100 * shares.fixed20, 10) + " %")
      #expect(shares.surplus == 0)
      #expect(shares.seen >= shares.entered && shares.entered >= shares.fixed10 && shares.fixed10 >= shares.fixed20)
      if offset == 0 {
        #expect(shares.entered >= 0.95 && shares.seen >= 0.99)
        if speed >= 10 { #expect(shares.fixed10 <= 0.05 && shares.fixed20 == 0) }
      } else {
        #expect(shares.entered >= 0.4 && shares.seen >= 0.85)
      }
    }
    print(lines.joined(separator: "\n"))
  }

  private static func shares(speed: Double, offset: Double) -> Shares {
    var shares = Shares()
    let one = 1 / Double(self.runs)
    for run in 0..<self.runs {
      let pass = Pass(speed: speed, offset: offset, seed: UInt64(run) + 1000)
      let kinds = pass.watch().map(\.event.kind)
      let isEntered = kinds == [.enter, .exit]
      if isEntered { shares.entered += one }
      if isEntered || kinds == [.crossed] { shares.seen += one }
      if kinds.count > (isEntered ? 2 : 1) { shares.surplus += 1 }
      if pass.run(FixedHoldRule(hold: 10)).count == 2 { shares.fixed10 += one }
      if pass.run(FixedHoldRule(hold: 20)).count == 2 { shares.fixed20 += one }
    }
    return shares
  }
}
