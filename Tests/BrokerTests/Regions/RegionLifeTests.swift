import Positioning
import Testing

@testable import Broker

/// Adding, changing, restoring and ending regions; stays that last.
@Suite struct RegionLifeTests {
  private func inside(_ region: Region) -> RegionWatch {
    var watch = RegionWatch([region])
    watch.see(fix(0, 0, speed: 0))
    return watch
  }

  @Test("Each holder has its own regions, in the order of adding; several holders may use the same id")
  func holders() {
    var watch = RegionWatch([circle("b"), circle("a"), circle("c")])
    watch.add(circle("a", 900), of: "you")
    #expect(watch.monitor.regions(of: "me").map(\.region.id) == ["b", "a", "c"])
    #expect(watch.monitor.count == 4 && watch.monitor.count(of: "me") == 3 && watch.monitor.count(of: "nobody") == 0)
    watch.see(fix(1, 0))
    #expect(watch.monitor.state(id: "a", of: "me") == .inside && watch.monitor.state(id: "a", of: "you") == .outside)
    #expect(watch.monitor.remove(id: "a", of: "me") == .inside)
    #expect(watch.monitor.remove(id: "a", of: "me") == nil && watch.monitor.state(id: "a", of: "me") == nil)
    #expect(watch.monitor.state(id: "a", of: "you") == .outside)
    watch.monitor.removeAll(of: "me")
    #expect(watch.monitor.count == 1 && watch.monitor.regions(of: "me").isEmpty)
    #expect(watch.monitor.regions(of: "you").map(\.state) == [.outside])
  }

  @Test("Holder and id are distinct, whatever their characters")
  func separateNames() {
    var watch = RegionWatch()
    for (holder, id) in [("a", "b+c"), ("a+b", "c"), ("a+b+c", ""), ("", "a+b+c")] {
      watch.add(circle(id), of: "\(holder)")
    }
    #expect(watch.monitor.count == 4 && watch.monitor.count(of: "a") == 1)
    watch.monitor.remove(id: "c", of: "a+b")
    #expect(watch.monitor.state(id: "b+c", of: "a") == .unknown && watch.monitor.count == 3)
  }

  @Test("The events of one fix are ordered by holder, then by the order of adding")
  func order() {
    var watch = RegionWatch()
    for (holder, id) in [("zoe", "1"), ("ann", "9"), ("zoe", "0"), ("ann", "1")] {
      watch.add(circle(id) { $0.initial = .always }, of: "\(holder)")
    }
    watch.see(fix(1, 0))
    let order = watch.events.map { "\($0.holder.durable?.name ?? "") \($0.region.id)" }
    #expect(order == ["ann 9", "ann 1", "zoe 1", "zoe 0"])
  }

  @Test("The same id with another shape begins again; a pending vote is dropped")
  func newShape() {
    var watch = self.inside(circle())
    watch.see(fix(1, 300, speed: 0))
    #expect(watch.monitor.isPending)
    #expect(watch.add(circle("home", 300) { $0.initial = .ifInside }) == [])
    #expect(watch.state() == .unknown && !watch.monitor.isPending)
    #expect(watch.monitor.count == 1)
    #expect(watch.see(fix(2, 300, speed: 0)) == ["enter home"])
    // A new radius is a new shape as well.
    watch.add(circle("home", 300, radius: 60))
    #expect(watch.state() == .unknown)
  }

  @Test("The same shape keeps its state and its pending vote, and takes the new options")
  func sameShape() {
    var watch = self.inside(circle { $0.notify = [] })
    watch.see(fix(1, 300, speed: 0))
    #expect(watch.add(circle { $0.initial = .always }, fix: fix(1, 300, speed: 0)) == [])
    #expect(watch.state() == .inside)
    #expect(watch.see(fix(11, 300, speed: 0)) == ["exit home"])
    #expect(watch.monitor.regions(of: "me").map(\.region.initial) == [.always])
  }

  @Test("A restored region reports every change, and nothing that did not change")
  func restored() {
    for (state, place, expected) in [
      (RegionState.inside, 0.0, []), (.outside, 500, []), (.inside, 500, ["exit home"]), (.outside, 0, ["enter home"]),
      (.unknown, 0, ["enter home"]),
    ] {
      var watch = RegionWatch()
      let snapshot = RegionSnapshot(state: state, since: state == .unknown ? nil : at(-5000))
      watch.add(circle { $0.initial = .always }, restored: snapshot, fix: fix(0, place, speed: 0))
      watch.see(still(1...30, place))
      #expect(watch.events.map { "\($0.event.kind) \($0.event.id)" } == expected, "\(state) at \(place)")
      if expected.isEmpty { #expect(watch.monitor.snapshot(id: "home", of: "me") == snapshot) }
    }
  }

  @Test("A dwell is delivered once for each stay, after its time since the enter")
  func dwell() throws {
    var watch = RegionWatch([
      circle {
        $0.notify = [.enter, .exit, .dwell]
        $0.dwellTime = .seconds(300)
      }
    ])
    watch.see(fix(0, 500, speed: 0))
    #expect(watch.see(still(1...11, 0)) == ["enter home"])
    #expect(watch.see(still(12...310, 0)) == [])
    // At its deadline, between two fixes.
    #expect(watch.monitor.nextDeadline == at(311))
    #expect(watch.wait(until: at(310.9)) == [])
    #expect(watch.wait(until: at(311)) == ["dwell home"])
    let finding = try #require(watch.events.last)
    #expect(finding.event.state == .inside && finding.event.fix == nil && finding.at == at(311))
    #expect(watch.monitor.snapshot(id: "home", of: "me")?.hasDwelled ?? false)
    #expect(watch.wait(until: at(5000)) == [])
    #expect(watch.see(still(5001...5011, 500)) == ["exit home"])
    #expect(watch.see(still(5012...5022, 0)) == ["enter home"])
    #expect(watch.see(still(5023...5400, 0)) == ["dwell home"])
  }

  @Test(
    "Time in which nobody looked makes no dwell: it takes a fix inside, or one after which the device cannot have left")
  func unseenDwell() {
    let region = circle(radius: 100) {
      $0.notify = [.enter, .exit, .dwell]
      $0.dwellTime = .seconds(30)
    }
    var watch = self.inside(region)
    watch.see(still(1...10, 0))
    #expect(watch.wait(until: at(50)) == [], "nobody knows where the device is")
    // It is 20 km away, or where it was.
    var away = watch
    #expect(away.see(still(51...70, 20_000)) == ["exit home"])
    #expect(watch.see(fix(51, 0, speed: 0)) == ["dwell home"])
    // A report that was held back while nobody looked shows where the device was then.
    var late = fix(51, 0, speed: 0)
    late.lag = .seconds(40)
    var held = self.inside(region)
    held.see(still(1...10, 0))
    #expect(held.see(late) == [])
    #expect(held.see(fix(52, 0, speed: 0)) == ["dwell home"])
    // From the middle of a large region it takes longer than the dwell to the edge.
    var large = self.inside(
      circle(radius: 5000) {
        $0.notify = [.dwell]
        $0.dwellTime = .seconds(60)
      })
    #expect(large.wait(until: at(59)) == [])
    #expect(large.wait(until: at(60)) == ["dwell home"])
    // Not for a device that is faster.
    var fast = RegionWatch([
      circle(radius: 5000) {
        $0.notify = [.dwell]
        $0.dwellTime = .seconds(60)
      }
    ])
    fast.see(fix(0, 0, speed: 100))
    #expect(fast.wait(until: at(500)) == [])
  }

  @Test("A stay that ends early is no dwell; during a vote to leave no dwell is delivered")
  func noDwell() {
    let region = circle {
      $0.notify = [.exit, .dwell]
      $0.dwellTime = .seconds(60)
    }
    var watch = self.inside(region)
    #expect(watch.see(still(1...55, 0) + still(56...65, 300)) == [])
    #expect(watch.see(fix(66, 300, speed: 0)) == ["exit home"])
    #expect(watch.wait(until: at(500)) == [])
    // The vote to leave was wrong: the dwell follows with the fix that shows it.
    var other = self.inside(region)
    #expect(other.see(still(1...55, 0) + still(56...64, 300)) == [])
    #expect(other.see(fix(65, 0, speed: 0)) == ["dwell home"])
    #expect(other.events.last?.event.fix?.arrival == at(65))
  }

  @Test("A restored stay counts for a dwell from the first fix inside on, and is not delivered twice")
  func restoredDwell() {
    let region = circle {
      $0.notify = [.dwell]
      $0.dwellTime = .seconds(300)
    }
    var watch = RegionWatch()
    watch.add(region, restored: RegionSnapshot(state: .inside, since: at(-200)))
    #expect(watch.wait(until: at(1000)) == [])
    #expect(watch.see(still(1001...1300, 0)) == [])
    #expect(watch.see(fix(1301, 0)) == ["dwell home"])
    #expect(watch.see(still(1302...2000, 0)) == [])
    var dwelled = RegionWatch()
    dwelled.add(region, restored: RegionSnapshot(state: .inside, since: at(-200), hasDwelled: true))
    #expect(dwelled.see(still(1...500, 0)) == [])
  }

  @Test("Time in which the daemon did not run does not count for a dwell, unless the last fix proves the stay")
  func absentDwell() {
    let region = circle {
      $0.notify = [.dwell]
      $0.dwellTime = .seconds(300)
    }
    var watch = self.inside(region)
    watch.see(still(1...100, 0))
    watch.monitor.wasAbsent(for: .seconds(3600), until: at(3700))
    #expect(watch.see(still(3701...4000, 0)) == [])
    #expect(watch.see(fix(4001, 0)) == ["dwell home"])
    // From the middle of a large region the device cannot have left meanwhile.
    var large = self.inside(
      circle(radius: 30_000) {
        $0.notify = [.dwell]
        $0.dwellTime = .seconds(300)
      })
    large.see(still(1...100, 0))
    large.monitor.wasAbsent(for: .seconds(100), until: at(200))
    #expect(large.see(still(201...299, 0)) == [])
    #expect(large.wait(until: at(300)) == ["dwell home"])
  }

  @Test("A region ends at its expiry, with one event")
  func expiry() throws {
    var watch = self.inside(
      circle {
        $0.notify = []
        $0.expiresIn = .seconds(100)
      })
    watch.add(circle("other"))
    #expect(watch.monitor.nextDeadline == at(100))
    #expect(watch.wait(until: at(99)) == [])
    #expect(watch.wait(until: at(100)) == ["expired home"])
    #expect(watch.events.last?.event.state == .inside && watch.events.last?.event.fix == nil)
    #expect(watch.state() == nil && watch.monitor.count == 1 && watch.monitor.nextDeadline == nil)
    #expect(watch.wait(until: at(1000)) == [])
    #expect(watch.see(still(1001...1050, 500)) == [])
  }

  @Test("Adding it again restarts its time, or removes the end; a restored end is unchanged")
  func expiryAgain() {
    var watch = RegionWatch([circle { $0.expiresIn = .seconds(100) }])
    watch.wait(until: at(60))
    watch.add(circle { $0.expiresIn = .seconds(100) })
    #expect(watch.monitor.nextDeadline == at(160))
    watch.add(circle())
    #expect(watch.monitor.nextDeadline == nil)
    watch.add(circle("kept") { $0.expiresIn = .seconds(100) }, restored: RegionSnapshot(expiry: at(75)))
    #expect(watch.monitor.nextDeadline == at(75))
    // Its time ended while the daemon was not running.
    watch.add(circle("gone") { $0.expiresIn = .seconds(100) }, restored: RegionSnapshot(expiry: at(-10)))
    #expect(watch.wait(until: at(60)) == ["expired gone"])
  }

  @Test("Each changed region is listed once, with its present state")
  func changes() {
    var watch = RegionWatch([
      circle("a") {
        $0.notify = [.dwell]
        $0.dwellTime = .seconds(5)
      }, circle("b", 1000), circle("c") { $0.expiresIn = .seconds(20) }, circle("d"),
    ])
    #expect(watch.monitor.takeChanges().isEmpty)
    watch.see(fix(1, 0))
    watch.wait(until: at(10))
    watch.monitor.remove(id: "d", of: "me")
    let changes = watch.monitor.takeChanges().sorted { $0.id < $1.id }
    #expect(changes.map(\.id) == ["a", "b", "c"] && changes.allSatisfy { $0.holder == "me" })
    #expect(changes.map(\.snapshot?.state) == [.inside, .outside, .inside])
    #expect(changes[0].snapshot == RegionSnapshot(state: .inside, since: at(1), hasDwelled: true))
    #expect(watch.monitor.takeChanges().isEmpty)
    watch.see(still(11...15, 0))
    #expect(watch.monitor.takeChanges().isEmpty)
    watch.wait(until: at(20))
    #expect(watch.monitor.takeChanges() == [.init(holder: "me", id: "c", snapshot: nil)])
    watch.add(circle("a", radius: 80))
    #expect(watch.monitor.takeChanges() == [.init(holder: "me", id: "a", snapshot: RegionSnapshot())])
  }

  @Test("Removed and expired regions leave nothing behind, however many there were")
  func nothingLeft() {
    var watch = RegionWatch()
    var random = SeededRandom(seed: 7)
    for round in 0..<20 {
      for number in 0..<50 {
        let shape = randomShape(around: LocalPlane.place(0), size: Double.random(in: 5...5000, using: &random), &random)
        watch.add(
          Region(
            id: "\(number)", shape: shape, notify: [.enter, .crossed, .dwell], dwellTime: .seconds(3),
            latency: random.oneIn(2) ? .seconds(60) : nil, expiresIn: random.oneIn(3) ? .seconds(2) : nil),
          of: "\(number % 7)")
      }
      watch.see(still((round * 10)...(round * 10 + 5), Double(round)))
    }
    for holder in 0..<7 { watch.monitor.removeAll(of: "\(holder)") }
    #expect(watch.monitor.count == 0 && watch.monitor.nextDeadline == nil && !watch.monitor.isPending)
    #expect(
      watch.monitor.index.nodes.allSatisfy(\.isEmpty) && watch.monitor.active.isEmpty && watch.monitor.holders.isEmpty)
    #expect(watch.monitor.crossingCount == 0 && watch.monitor.latencies.next == nil)
    #expect(watch.monitor.nextProbe(after: fix(0, 0), speedBound: 70, now: at(0)) == nil)
  }
}
