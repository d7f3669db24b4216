/// The clients of a workload as the strategies see them that are not ours: who waits for a fix, and what is due.
struct Clients {
  private let workload: Workload
  private(set) var deliveries: Deliveries
  /// When the next fix of each tracker is due; `nil`: as soon as possible.
  private var dues: [Double?]
  private var lastFixes: [Double?]
  private var nextOneShot = 0
  private var waiting: [Int] = []
  private var isInside: [Bool?]
  private(set) var now = 0.0
  private(set) var lastFix: Double?
  /// The place of the last fix.
  private(set) var lastPlace = 0.0

  init(_ workload: Workload) {
    self.workload = workload
    self.deliveries = Deliveries(workload)
    self.dues = workload.trackers.map { _ in nil }
    self.lastFixes = workload.trackers.map { _ in nil }
    self.isInside = workload.fences.map { _ in nil }
  }

  mutating func advance(to now: Double) {
    self.now = now
    while self.nextOneShot < self.workload.oneShots.count, self.workload.oneShots[self.nextOneShot].at <= now {
      if let lastFix, now - lastFix <= Workload.OneShot.maximumAge {
        self.deliveries.answers[self.nextOneShot] = now
      } else {
        self.waiting.append(self.nextOneShot)
      }
      self.nextOneShot += 1
    }
    self.waiting.removeAll { self.workload.oneShots[$0].deadline <= now }
  }

  /// There is a fix.
  mutating func fix(at place: Double) {
    self.lastFix = self.now
    self.lastPlace = place
    for index in self.waiting { self.deliveries.answers[index] = self.now }
    self.waiting = []
    for (index, tracker) in self.workload.trackers.enumerated() where tracker.span.contains(self.now) {
      let tolerance = tracker.tolerance
      if let due = self.dues[index], let last = self.lastFixes[index] {
        guard self.now - last >= tracker.interval - tolerance, self.now >= due - tolerance else { continue }
        self.dues[index] = (abs(self.now - due) <= tolerance ? due : self.now) + tracker.interval
      } else {
        self.dues[index] = self.now + tracker.interval
      }
      self.lastFixes[index] = self.now
      self.deliveries.fixes[index].append(self.now)
    }
    for (index, fence) in self.workload.fences.enumerated() {
      let isInside = fence.contains(place)
      if let before = self.isInside[index], before != isInside {
        self.deliveries.events[index].append((self.now, isInside))
      }
      self.isInside[index] = isInside
    }
  }

  // MARK: Needs

  private func isPresent(_ index: Int) -> Bool { self.workload.trackers[index].span.contains(self.now) }

  var isAnybodyThere: Bool {
    self.hasRequests || !self.workload.fences.isEmpty || self.workload.trackers.indices.contains { self.isPresent($0) }
  }

  var hasRequests: Bool { !self.waiting.isEmpty }

  /// Whether somebody waits for the first fix.
  var hasNewcomers: Bool {
    !self.workload.fences.isEmpty && self.lastFix == nil
      || self.workload.trackers.indices.contains { self.dues[$0] == nil && self.isPresent($0) }
  }

  /// Whether somebody asks for more than a receiver gives that saves power.
  var needFullPower: Bool {
    self.workload.trackers.indices.contains { self.isPresent($0) && self.workload.trackers[$0].isNavigator }
  }

  /// The shortest interval of all trackers.
  var interval: Double? {
    var shortest: Double?
    for (index, tracker) in self.workload.trackers.enumerated() where self.isPresent(index) {
      shortest = min(shortest ?? .infinity, tracker.interval)
    }
    return shortest
  }

  /// The next due fix of all trackers that had one.
  var nextDue: Double? {
    var next: Double?
    for (index, due) in self.dues.enumerated() {
      if let due, self.isPresent(index) { next = min(next ?? .infinity, due) }
    }
    return next
  }

  var latency: Double? { self.workload.fences.map(\.latency).min() }

  /// Metres from the last fix to the nearest edge.
  var distanceToEdge: Double {
    self.workload.fences.map { abs(abs(self.lastPlace - $0.middle) - $0.radius) }.min() ?? .infinity
  }
}
