/// What the clients of a workload received, and when; seconds.
struct Deliveries {
  /// For each tracker.
  var fixes: [[Double]]
  /// For each one-shot.
  var answers: [Double?]
  /// For each fence.
  var events: [[(at: Double, isInside: Bool)]]

  init(_ workload: Workload) {
    self.fixes = workload.trackers.map { _ in [] }
    self.answers = workload.oneShots.map { _ in nil }
    self.events = workload.fences.map { _ in [] }
  }
}

/// How many deadlines there were, and how many were kept.
struct Judgement {
  private(set) var deadlines = 0
  private(set) var kept = 0
  /// Fixes and events that came late, and by how much in all.
  private(set) var late = 0
  private(set) var lateness = 0.0

  /// A fix that comes within the receiver's cycle is in time.
  private static let cycle = 1.0
  /// Without sky for so long before it a deadline counts for nobody.
  private static let sky = 60.0

  static func + (one: Judgement, other: Judgement) -> Judgement {
    var sum = one
    sum.deadlines += other.deadlines
    sum.kept += other.kept
    sum.late += other.late
    sum.lateness += other.lateness
    return sum
  }

  private mutating func judge(isKept: Bool, lateBy lateness: Double? = nil) {
    self.deadlines += 1
    if isKept { self.kept += 1 }
    if !isKept, let lateness {
      self.late += 1
      self.lateness += lateness
    }
  }

  init() {}

  init(_ deliveries: Deliveries, of workload: Workload) {
    for (tracker, fixes) in zip(workload.trackers, deliveries.fixes) { self.judge(tracker, fixes, workload) }
    for (request, answer) in zip(workload.oneShots, deliveries.answers) {
      guard workload.hasSky(from: request.at, through: request.deadline) else { continue }
      self.judge(isKept: answer.map { $0 <= request.deadline } ?? false)
    }
    for (fence, events) in zip(workload.fences, deliveries.events) { self.judge(fence, events, workload) }
  }

  /// The fixes are due in a beat that begins with the first one. One that is late, or early by more than the tolerance,
  /// begins a new beat. After one that is late by no more than that the beat before may go on as well.
  private mutating func judge(_ tracker: Workload.Tracker, _ fixes: [Double], _ workload: Workload) {
    var due = (fixes.first ?? tracker.span.lowerBound) + tracker.interval
    let tolerance = max(tracker.tolerance, Self.cycle)
    // By how much late fixes have moved the beat.
    var moved = 0.0
    func counts(_ moment: Double) -> Bool {
      moment < tracker.span.upperBound && workload.hasSky(from: moment - Self.sky, through: moment + Self.cycle)
    }
    for fix in fixes.dropFirst() {
      var missed = due
      while missed + tracker.interval < fix - Self.cycle {
        if counts(missed) { self.judge(isKept: false) }
        missed += tracker.interval
      }
      if counts(missed) { self.judge(isKept: fix <= missed + Self.cycle, lateBy: fix - missed) }
      if fix < missed - tolerance {
        let isOnBeat = fix >= missed - moved - tolerance
        (due, moved) = ((isOnBeat ? missed - moved : fix) + tracker.interval, 0)
      } else if fix <= missed + Self.cycle {
        due = missed + tracker.interval
      } else {
        moved += fix - missed
        if moved > tolerance { moved = 0 }
        due = fix + tracker.interval
      }
    }
    while due < tracker.span.upperBound - Self.cycle {
      if counts(due) { self.judge(isKept: false) }
      due += tracker.interval
    }
  }

  private mutating func judge(
    _ fence: Workload.Fence, _ events: [(at: Double, isInside: Bool)], _ workload: Workload
  ) {
    var isInside = fence.contains(workload.place(at: 0))
    var crossings: [(at: Double, isInside: Bool)] = []
    for second in 1..<workload.seconds where fence.contains(workload.place(at: second)) != isInside {
      isInside.toggle()
      crossings.append((Double(second), isInside))
    }
    var isSeen = true
    for (index, crossing) in crossings.enumerated() {
      let deadline = crossing.at + fence.latency + Workload.Fence.confirmation
      // Who only passes may be gone before anybody has to notice, and then nobody has to notice that either.
      let next = index + 1 < crossings.count ? crossings[index + 1].at : .infinity
      let wasSeen = isSeen
      isSeen = next > deadline
      guard isSeen, wasSeen, workload.hasSky(from: crossing.at, through: deadline) else { continue }
      let event = events.first { $0.at >= crossing.at - 60 && $0.at < next && $0.isInside == crossing.isInside }
      self.judge(isKept: event.map { $0.at <= deadline } ?? false, lateBy: event.map { $0.at - deadline })
    }
  }
}
