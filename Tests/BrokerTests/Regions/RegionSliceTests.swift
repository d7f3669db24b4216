import Positioning
import TestSupport
import Testing

@testable import Broker

/// More regions than one turn can judge.
@Suite struct RegionSliceTests {
  /// Circles around the start, so that every fix there may affect each of them.
  private static func circles(_ count: Int) -> [Region] {
    (0..<count).map { number in circle("\(number)") { $0.initial = .always } }
  }

  private func watch(_ count: Int, effort: Int) -> RegionWatch {
    var watch = RegionWatch(Self.circles(count))
    watch.effort = effort
    return watch
  }

  @Test("A slice stays within its limit, except for at most one region", arguments: [10, 1000, 10_000])
  func bounded(count: Int) {
    var monitor = RegionMonitor()
    for region in Self.circles(count) { _ = monitor.add(region, of: 1, fix: nil, now: at(0)) }
    var effort = 300
    var decided = monitor.fixed(fix(0, 0, speed: 0), now: at(0), effort: &effort).count
    #expect(effort <= 0 || !monitor.isBusy)
    #expect(effort > -10, "\(effort)")
    var slices = 1
    while monitor.isBusy {
      effort = 300
      let events = monitor.continueJudging(now: at(0), effort: &effort)
      #expect(effort > -10 && events.count <= 150, "\(events.count)")
      decided += events.count
      slices += 1
    }
    #expect(decided == count && slices <= count / 90 + 1, "\(slices)")
  }

  @Test("In slices there are the same events as at once, for a resting device")
  func sameEvents() {
    var whole = self.watch(50, effort: .max)
    var sliced = self.watch(50, effort: 20)
    let fixes = still(0...5, 0)
    whole.see(fixes)
    for fix in fixes {
      sliced.see(fix)
      while sliced.monitor.isBusy { sliced.continueJudging() }
    }
    let events = { (watch: RegionWatch) in watch.events.map { "\($0.event.kind) \($0.event.id)" } }
    #expect(events(whole).count == 50 && Set(events(sliced)) == Set(events(whole)))
  }

  @Test("If newer fixes arrive before all regions are judged, each region has its turn with the newest fix")
  func fair() {
    let (count, effort) = (200, 30)
    var watch = self.watch(count, effort: effort)
    var judged: [String: Double] = [:]
    for second in 0...20 {
      let now = Double(second)
      watch.see(fix(now, 0, speed: 0))
      watch.continueJudging()
      for event in watch.events where judged[event.region.id] == nil {
        judged[event.region.id] = now
        #expect(event.event.fix?.arrival == at(now), "judged by a fix that was not the newest")
      }
    }
    // Each costs three steps.
    #expect(judged.count == count)
    #expect((judged.values.max() ?? .infinity) < Double(count / (effort / 3)), "\(judged.values.max() ?? 0)")
  }

  @Test("The path to a fix begins at the last one by which the region was judged, not at later ones")
  func skippedFix() {
    // Both are passed between the first fix and the last; the one in the middle comes while the second waits.
    var watch = RegionWatch()
    for number in 0..<2 { watch.add(circle("\(number)", 0, 0) { $0.notify = [.crossed] }) }
    watch.see(still(0...1, -300))
    #expect(watch.state("0") == .outside && watch.state("1") == .outside)
    watch.effort = 1
    watch.see(fix(2, 300, speed: 300))
    #expect(watch.monitor.isBusy)
    watch.see(fix(3, 600, speed: 300))
    watch.effort = .max
    watch.continueJudging()
    let crossed = watch.events.filter { $0.event.kind == .crossed }
    #expect(crossed.map(\.region.id).sorted() == ["0", "1"])
    #expect(crossed.allSatisfy { $0.event.passage.map { $0.lowerBound > at(1) && $0.upperBound < at(3) } ?? false })
  }

  @Test(
    "A less accurate fix hides no path from regions that wait for their turn",
    arguments: [[12.0, 600], [20, 36], [12, 600, 600], [24, 600]])
  func vagueFix(accuracies: [Double]) {
    var watch = RegionWatch()
    for number in 0..<3 { watch.add(circle("\(number)", 0, 0) { $0.notify = [.crossed] }) }
    watch.see(still(0...1, -300))
    watch.effort = 1
    for (number, accuracy) in accuracies.enumerated() {
      watch.see(fix(2 + Double(number), 300 + 10 * Double(number), accuracy95: accuracy, speed: 300))
      #expect(watch.monitor.isBusy)
    }
    watch.effort = .max
    watch.continueJudging()
    watch.see(fix(10, 400, speed: 0))
    let crossed = watch.events.filter { $0.event.kind == .crossed }
    #expect(crossed.map(\.region.id).sorted() == ["0", "1", "2"])
  }

  @Test("Regions that are removed or changed before their turn are not judged")
  func goneMeanwhile() {
    var watch = self.watch(3, effort: 1)
    watch.see(fix(0, 0, speed: 0))
    watch.monitor.remove(id: "1", of: "me")
    watch.monitor.remove(id: "2", of: "me")
    watch.add(circle("far", 5000, 0) { $0.initial = .always })
    watch.effort = .max
    watch.continueJudging()
    #expect(watch.events.map { "\($0.event.kind) \($0.event.id)" } == ["enter 0"] && watch.state("far") == .unknown)
  }

  @Test("Deadlines that are due together are handled in slices too")
  func deadlines() {
    var watch = RegionWatch()
    for number in 0..<100 { watch.add(circle("\(number)") { $0.expiresIn = .seconds(5) }) }
    watch.effort = 30
    #expect(watch.monitor.nextDeadline == at(5))
    var effort = 30
    let first = watch.monitor.deadlineReached(now: at(5), effort: &effort)
    #expect(first.count == 30 && watch.monitor.nextDeadline == at(5))
    #expect(watch.wait(until: at(5)).count == 70 && watch.monitor.nextDeadline == nil)
  }
}

/// The same for clients.
@Suite struct RegionTurnTests {
  private static func add(_ count: Int, to daemon: inout VirtualDaemon, client: UInt64 = 1) {
    for number in 0..<count {
      daemon.call(.addRegion(circle("\(number)") { $0.initial = .always }), client: client)
    }
  }

  @Test("A fix that affects thousands of regions delays nobody: the rest is judged in the next turns")
  func turns() {
    var daemon = VirtualDaemon()
    Self.add(3000, to: &daemon)
    let first = daemon.fix().regionEvents
    #expect(first.count > 100 && first.count < 1500, "\(first.count)")
    #expect(daemon.deadline == daemon.now)
    // Another client is served between the slices.
    daemon.connect(2)
    #expect(daemon.answer(.lastFix(), client: 2) != nil)
    let rest = daemon.advance(by: 0).regionEvents
    #expect(Set((first + rest).map(\.id)).count == 3000 && rest.count + first.count == 3000)
    #expect(daemon.deadline.map { $0 > daemon.now } ?? true)
  }

  @Test("A withdrawal from thousands of regions counts at once, and they are moved in the following turns")
  func withdrawal() throws {
    var daemon = VirtualDaemon()
    Self.add(1000, to: &daemon)
    daemon.fix()
    daemon.advance(by: 0)
    let before = daemon.settings.access
    let actions = daemon.change { $0.isEnabled = false }
    #expect(actions.regionEvents.isEmpty && daemon.deadline == daemon.now)
    let (page, omitted) = try daemon.answer(.listRegions()).regions()
    #expect(page.count + omitted == 1000 && page.allSatisfy { $0.state == .unknown })
    // No region is lost while it is being moved.
    #expect(daemon.answer(.removeRegion(id: "700")) == .region(.unknown, warning: nil))
    daemon.change { $0 = before }
    #expect(daemon.answer(.regionState(id: "999")) == .region(.unknown, warning: nil))
    daemon.call(.addRegion(circle("701", 9000, 0)))
    daemon.advance(by: 1)
    let events = daemon.fix().regionEvents + daemon.advance(by: 0).regionEvents
    #expect(Set(events.map(\.id)).count == 998 && events.count == 998)
    #expect(events.allSatisfy { $0.state == .inside && $0.id != "700" && $0.id != "701" })
  }

  @Test("A client that leaves frees its regions' room at once, and they are removed in the following turns")
  func leaving() {
    var settings = BrokerSettings.open
    settings.maxRegionsPerUser = 1000
    var daemon = VirtualDaemon(settings: settings)
    Self.add(1000, to: &daemon)
    daemon.connect(2, uid: 1001)
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.machine.holdings[1001].regions == 0)
    #expect(daemon.answer(.addRegion(circle("new")), client: 2) == .region(.unknown, warning: nil))
    #expect(daemon.fix().regionEvents.isEmpty)
    daemon.advance(by: 0)
    #expect(daemon.machine.feeds.regionCount(in: .everything) == 1)
    #expect(!daemon.machine.feeds.isWorkLeft(now: daemon.now))
  }
}
