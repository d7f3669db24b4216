import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// When the planner turns a receiver on and off whose release is verified; moments are seconds after boot.
@Suite struct ReceiverPlannerTests {
  /// A planner, and when it turned the receiver on and off.
  private struct Bench {
    var planner: ReceiverPlanner
    var needs = Needs()
    private(set) var now = at(0)
    /// When the receiver was turned on and off.
    private(set) var switches: [(on: Bool, at: Double)] = []

    init(memory: ReceiverMemory = ReceiverMemory(), _ change: (inout PowerPolicy) -> Void = { _ in }) {
      var policy = PowerPolicy()
      policy.isVerified = true
      change(&policy)
      self.planner = ReceiverPlanner(policy: policy, memory: memory)
    }

    private mutating func plan() {
      if let isOn = self.planner.planned(self.needs, now: self.now) {
        // To a microsecond, since a number of seconds is not exact.
        self.switches.append((isOn, (self.now.sinceBoot.seconds * 1_000_000).rounded() / 1_000_000))
      }
    }

    /// Lets time pass, with the planner's deadlines on the way.
    mutating func pass(to seconds: Double) {
      while let deadline = self.planner.nextDeadline, deadline <= at(seconds) {
        self.now = max(self.now, deadline)
        self.plan()
      }
      self.now = at(seconds)
    }

    mutating func need(_ needs: Need...) {
      self.needs = Needs()
      for need in needs { self.needs.add(need) }
      self.plan()
    }

    /// A fix, after which these are the needs.
    mutating func fix(_ needs: Need...) {
      self.planner.fixed(now: self.now)
      self.needs = Needs()
      for need in needs { self.needs.add(need) }
      self.plan()
    }

    var starts: [Double] { self.switches.filter(\.on).map(\.at) }
    var ends: [Double] { self.switches.filter { !$0.on }.map(\.at) }
  }

  /// That of a receiver whose hot starts take 2 s.
  private static func quick(collected: Double) -> ReceiverMemory {
    var memory = ReceiverMemory(collected: at(collected))
    for _ in 0..<300 { memory.starts.learn(.seconds(2), after: .hot) }
    return memory
  }

  @Test("Between two fixes it sleeps, and wakes so early that the fix comes when it is due")
  func sleeps() {
    var bench = Bench(memory: Self.quick(collected: 0))
    bench.need(.from(at(600)))
    #expect(bench.switches.isEmpty)
    bench.pass(to: 700)
    // The lead is the 2 s that a start takes, and the width of a step of the learner.
    #expect(bench.starts.count == 1 && bench.ends.isEmpty)
    #expect(bench.starts[0] <= 598 && bench.starts[0] > 597)
    bench.fix(.from(at(1200)))
    #expect(bench.ends == [700], "what is announced needs no linger")
    #expect(bench.planner.nextWake?.reason == .due && bench.planner.nextWake?.due == at(1200))
  }

  @Test(
    "A start that would just not be hot any more is made a little earlier, if that pays",
    arguments: [
      // The fix that is so early counts; it is worth a short wait; and a longer one is not.
      (3610, 7210, 7195), (3640, 7240, 7195), (3650, 7250, 7205),
      // The next one after two minutes would be the slow one.
      (7090, 7210, 7165),
      // It is too late for that.
      (7197, 7310, 7265),
    ] as [(Double, Double, Double)])
  func lastHotStart(before: Double, due: Double, start: Double) {
    // 2 hours after 0 it is not hot any more, and takes 45 s at most, as is assumed.
    var bench = Bench(memory: Self.quick(collected: 0))
    bench.need(.from(at(before)))
    bench.pass(to: before)
    bench.fix(.from(at(due)))
    bench.pass(to: due)
    #expect(bench.starts.dropFirst() == [start])
  }

  @Test("A sleep that is shorter than the start and the least sleep does not pay")
  func shortInterval() {
    var bench = Bench(memory: Self.quick(collected: 0))
    bench.need(.now)
    for second in stride(from: 6.0, through: 60, by: 6) {
      bench.pass(to: second)
      bench.fix(.from(at(second + 6)))
    }
    #expect(bench.ends.isEmpty)
  }

  @Test("Where a release is not verified, nothing is released that is needed within five minutes of the linger")
  func unverified() {
    var bench = Bench(memory: Self.quick(collected: 0)) { $0.isVerified = false }
    bench.need(.now)
    bench.pass(to: 2)
    bench.fix(.from(at(310)))
    bench.pass(to: 200)
    bench.fix(.from(at(310)))
    bench.pass(to: 310)
    #expect(bench.ends.isEmpty)
    bench.fix(.from(at(710)))
    bench.pass(to: 700)
    #expect(bench.ends == [370])
    bench.pass(to: 710)
    #expect(bench.starts.count == 2 && bench.starts[1] < 708 && bench.starts[1] > 707)
  }

  @Test("A linger in which nobody came is half as long the next time; one that was too short is long again")
  func linger() {
    var bench = Bench(memory: Self.quick(collected: 5000))
    var lingers: [Double] = []
    for start in stride(from: 1000.0, to: 6000, by: 1000) {
      bench.pass(to: start)
      bench.need(.now)
      bench.pass(to: start + 2)
      bench.fix()
      bench.pass(to: start + 900)
      lingers.append((bench.ends.last ?? 0) - start - 2)
    }
    #expect(lingers == [60, 30, 15, 10, 10])
    // Two requests, 25 s apart: the linger of 10 s is over when the second one comes.
    bench.pass(to: 7000)
    bench.need(.now)
    bench.fix()
    bench.pass(to: 7025)
    bench.need(.now)
    bench.fix()
    bench.pass(to: 8000)
    #expect(bench.ends.last == 7085)
  }

  @Test("Ten requests five seconds apart are one start, however short the linger has become")
  func burst() {
    var bench = Bench(memory: Self.quick(collected: 0))
    for start in [1000.0, 3000, 5000, 7000] {
      let before = bench.starts.count
      for number in stride(from: 0.0, to: 10, by: 1) {
        bench.pass(to: start + number * 5)
        bench.need(.now)
        bench.pass(to: start + number * 5 + 2)
        bench.fix()
      }
      bench.pass(to: start + 1000)
      #expect(bench.starts.count == before + 1)
    }
  }

  // MARK: Without a fix

  @Test("The first lock gets a quarter of an hour; after that the pauses double, up to an hour")
  func noSky() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 4 * 3600)
    // Searches of a minute follow, since no satellite is in view.
    let pauses = zip(bench.ends, bench.starts.dropFirst()).map { $1 - $0 }
    #expect(bench.ends[0] == 900)
    #expect(Array(pauses.prefix(7)) == [60, 120, 240, 480, 960, 1920, 3600])
    #expect(zip(bench.starts, bench.ends).dropFirst().allSatisfy { $1 - $0 == 60 })
  }

  @Test("A search goes on while satellites are in view, up to a quarter of an hour")
  func satellites() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 970)
    #expect(bench.starts == [0, 960])
    for second in stride(from: 970.0, to: 4000, by: 10) {
      bench.pass(to: second)
      bench.planner.saw(satellites: true, now: bench.now)
    }
    #expect(bench.ends == [900, 1860, 2880])
  }

  @Test("A new demand ends a pause, and the next one is short again")
  func newDemand() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 1400)
    #expect(!bench.planner.isOn)
    bench.planner.demanded(now: bench.now)
    bench.need(.now)
    #expect(bench.planner.isOn)
    bench.pass(to: 1400 + 900 + 60)
    #expect(bench.starts.suffix(2) == [1400, 2360])
  }

  @Test("A receiver that is plugged in again is searched anew; while it is gone nothing is given up")
  func replug() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 600)
    bench.planner.sourceChanged(to: .receiverMissing(.unplugged("a")), now: bench.now)
    bench.need(.now)
    bench.pass(to: 6000)
    #expect(bench.planner.isOn)
    bench.planner.sourceChanged(to: .streaming, now: bench.now)
    bench.need(.now)
    bench.pass(to: 6899)
    #expect(bench.ends.isEmpty)
    bench.pass(to: 6900)
    #expect(bench.ends == [6900])
  }

  @Test("After the receiver was plugged in again the pauses are short again")
  func pausesAfterReplug() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 1150)
    #expect(bench.starts == [0, 960, 1140])
    bench.planner.sourceChanged(to: .receiverMissing(.unplugged("a")), now: bench.now)
    bench.planner.sourceChanged(to: .streaming, now: bench.now)
    bench.need(.now)
    bench.pass(to: 4000)
    #expect(bench.ends.dropFirst(2).first == 2050 && bench.starts.dropFirst(3).first == 2110)
  }

  @Test("After a fix the pauses are short again")
  func pausesAfterFix() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 1150)
    #expect(bench.starts == [0, 960, 1140])
    bench.fix(.now)
    bench.pass(to: 4000)
    // The fix is lost at once, and searched for five minutes.
    #expect(bench.ends.dropFirst(2).first == 1450 && bench.starts.dropFirst(3).first == 1510)
  }

  @Test("A fix that is lost is searched for five minutes")
  func lost() {
    var bench = Bench(memory: Self.quick(collected: 0))
    bench.need(.now)
    for second in stride(from: 1.0, through: 1000, by: 1) {
      bench.pass(to: second)
      bench.fix(.now)
    }
    bench.pass(to: 1299)
    #expect(bench.ends.isEmpty)
    bench.pass(to: 1360)
    #expect(bench.ends == [1300] && bench.starts == [0, 1360])
  }

  @Test func `who asks while a lost fix is searched for begins the five minutes anew`() {
    var bench = Bench(memory: Self.quick(collected: 0))
    bench.need(.now)
    bench.pass(to: 10)
    bench.fix(.now)
    bench.pass(to: 300)
    bench.planner.demanded(now: bench.now)
    bench.need(.now)
    bench.pass(to: 599)
    #expect(bench.ends.isEmpty)
    bench.pass(to: 660)
    #expect(bench.ends == [600] && bench.starts == [0, 660])
  }

  @Test("Who goes during a pause takes the retry with him")
  func goneDuringPause() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 920)
    bench.need()
    #expect(bench.planner.nextDeadline == nil && !bench.planner.isBackedOff)
  }

  // MARK: What is learned

  @Test("The first lock of which nothing is known is not learned, the next ones are, each in its class")
  func learning() {
    var bench = Bench()
    bench.need(.now)
    bench.pass(to: 40)
    bench.fix()
    let first = bench.planner.memory
    #expect(TimeToFirstFix.OffTime.allCases.allSatisfy { first.starts.starts(after: $0) == 0 })
    #expect(first.collected == at(40))
    for (moment, offTime) in [(1000.0, TimeToFirstFix.OffTime.hot), (40 + 3 * 3600, .warm), (9 * 3600, .cold)] {
      bench.pass(to: moment)
      bench.need(.now)
      bench.pass(to: moment + 20)
      bench.fix()
      #expect(bench.planner.memory.starts.starts(after: offTime) == 1, "\(offTime)")
    }
  }

  @Test("A start that waited for the source, and one without success, are not learned")
  func notLearned() {
    var bench = Bench(memory: ReceiverMemory(collected: at(0)))
    bench.need(.now)
    bench.planner.sourceChanged(to: .gpsdDown(.mute), now: bench.now)
    bench.planner.sourceChanged(to: .streaming, now: bench.now)
    bench.pass(to: 10)
    bench.fix()
    bench.pass(to: 1000)
    bench.need(.now)
    bench.pass(to: 3000)
    #expect(bench.planner.memory.starts == TimeToFirstFix())
  }

  @Test("A start in which no satellite was in view is not learned")
  func noSatellites() {
    var bench = Bench(memory: ReceiverMemory(collected: at(0)))
    bench.need(.now)
    bench.pass(to: 5)
    bench.planner.saw(satellites: false, now: bench.now)
    bench.pass(to: 30)
    bench.fix()
    #expect(bench.planner.memory.starts == TimeToFirstFix())
  }

  // MARK: Hot starts

  @Test("Once in two hours it stays on for thirty seconds, if that keeps the next start hot")
  func collects() {
    var memory = Self.quick(collected: 0)
    for _ in 0..<5 { memory.starts.learn(.seconds(40), after: .warm) }
    var bench = Bench(memory: memory)
    var times: [Double] = []
    var due = 600.0
    bench.need(.from(at(due)))
    while due < 86_000 {
      bench.pass(to: due)
      due += 600
      for _ in 0..<40 where bench.planner.isOn {
        bench.fix(.from(at(due)))
        bench.pass(to: bench.now.sinceBoot.seconds + 1)
      }
    }
    times = zip(bench.starts, bench.ends).map { $1 - $0 }
    #expect(times.count { $0 >= 30 } == 12 || times.count { $0 >= 30 } == 13)
    #expect(times.allSatisfy { $0 < 4 || $0 >= 30 && $0 < 35 })
  }

  @Test("A start only to stay hot is made where cold ones take minutes, and not where they do not")
  func refreshes() {
    var slow = Self.quick(collected: 0)
    for _ in 0..<20 { slow.starts.learn(.seconds(250), after: .cold) }
    var bench = Bench(memory: slow)
    bench.need(.from(at(5 * 3600)))
    bench.pass(to: 7200)
    #expect(bench.starts.count == 1)
    bench.pass(to: 7230)
    for second in stride(from: 0.0, through: 40, by: 1) where bench.planner.isOn {
      bench.pass(to: 7230 + second)
      bench.fix(.from(at(5 * 3600)))
    }
    #expect(bench.ends.count == 1)
    var other = Bench(memory: Self.quick(collected: 0))
    other.need(.from(at(5 * 3600)))
    other.pass(to: 4.9 * 3600)
    #expect(other.starts.isEmpty)
  }

  @Test(arguments: [true, false])
  func `one that saves power stays on where that takes less than another start`(isDrawingLess: Bool) {
    var memory = ReceiverMemory(collected: at(0))
    // With gpsd's opening of the device.
    for _ in 0..<300 { memory.starts.learn(.seconds(8), after: .hot) }
    var bench = Bench(memory: memory)
    bench.planner.isDrawingLess = isDrawingLess
    bench.need(.from(at(100)))
    bench.pass(to: 100)
    bench.fix(.from(at(120)))
    #expect(bench.planner.isOn == isDrawingLess)
    bench.pass(to: 120)
    bench.fix(.from(at(180)))
    #expect(!bench.planner.isOn)
  }
}
