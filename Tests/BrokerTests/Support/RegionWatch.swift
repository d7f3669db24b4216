import Positioning

@testable import Broker

/// A monitor in virtual time: it gets fixes and moments, and its deadlines pass in between.
struct RegionWatch {
  var monitor = RegionMonitor()
  private(set) var events: [RegionFinding] = []
  private(set) var now = at(0)
  /// The effort of each call.
  var effort = Int.max

  /// One holder's regions, from the start on.
  init(_ regions: [Region] = []) {
    for region in regions { self.add(region) }
  }

  @discardableResult
  mutating func add(
    _ region: Region, of holder: Holder = "me", restored: RegionSnapshot? = nil, fix: Fix? = nil
  ) -> [String] {
    self.take(self.monitor.add(region, of: holder, restored: restored, fix: fix, now: self.now))
  }

  /// Feeds fixes, each at its arrival, and returns the events of them and of the deadlines before them.
  @discardableResult
  mutating func see(_ fixes: Fix...) -> [String] { self.see(fixes) }

  @discardableResult
  mutating func see(_ fixes: [Fix]) -> [String] {
    fixes.flatMap { fix in
      self.wait(until: fix.arrival) + self.take(self.fixed(fix))
    }
  }

  private mutating func fixed(_ fix: Fix) -> [RegionFinding] {
    var effort = self.effort
    return self.monitor.fixed(fix, now: fix.arrival, effort: &effort)
  }

  /// Another turn.
  @discardableResult
  mutating func continueJudging() -> [String] {
    var effort = self.effort
    return self.take(self.monitor.continueJudging(now: self.now, effort: &effort))
  }

  /// Lets the deadlines up to that moment pass.
  @discardableResult
  mutating func wait(until moment: Instant) -> [String] {
    var events: [String] = []
    while let deadline = self.monitor.nextDeadline, deadline <= moment {
      self.now = max(deadline, self.now)
      var effort = self.effort
      events += self.take(self.monitor.deadlineReached(now: self.now, effort: &effort))
    }
    self.now = max(moment, self.now)
    return events
  }

  func state(_ id: String = "home") -> RegionState? { self.monitor.state(id: id, of: "me") }

  private mutating func take(_ events: [RegionFinding]) -> [String] {
    self.events += events
    return events.map { "\($0.event.kind) \($0.event.id)" }
  }
}

extension RegionMonitor {
  /// In the order of adding.
  func regions(of holder: Holder) -> [MonitoredRegion] { self.regions(of: holder, after: nil, atMost: .max).regions }

  /// All is judged at once.
  mutating func fixed(_ fix: Fix, now: Instant) -> [RegionFinding] {
    var effort = Int.max
    return self.fixed(fix, now: now, effort: &effort)
  }

  /// The holder leaves, and all its regions are removed.
  mutating func removeAll(of holder: Holder) {
    self.depart(holder)
    while self.takeDeparted() != nil {}
  }
}

/// One fix each second at one place.
func still(
  _ seconds: ClosedRange<Int>, _ east: Double, _ north: Double = 0, accuracy95: Double? = 12, speed: Double? = 0
) -> [Fix] {
  seconds.map { fix(Double($0), east, north, accuracy95: accuracy95, speed: speed) }
}
