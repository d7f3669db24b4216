import Positioning

extension RegionMonitor {
  /// A new fix, or a better one of the newest epoch. The events of one call are ordered by holder, and then as the
  /// regions were added.
  ///
  /// - Parameter effort: The effort that is left. If regions wait already, the others wait behind them.
  mutating func fixed(_ fix: Fix, now: Instant, effort: inout Int) -> [Event] {
    self.candidatesExamined = 0
    guard let (observation, continuation) = self.trail.extend(by: fix) else { return [] }
    let wasBusy = self.isBusy
    self.observation = observation
    self.candidatesExamined += self.active.count
    for slot in self.active + self.quietRegions(observation, on: continuation) { self.wait(slot, on: continuation) }
    return wasBusy ? [] : self.continueJudging(now: now, effort: &effort)
  }

  /// Judges waiting regions, as far as the effort allows.
  mutating func continueJudging(now: Instant, effort: inout Int) -> [Event] {
    guard let observation else { return [] }
    var found: [OrderedEvent] = []
    while effort > 0, let (slot, serial) = self.waiting.next() {
      effort -= 1
      guard self.entries[slot]?.serial == serial, let continuation = self.entries[slot]?.waits.take(),
        !self.isDeparting(slot)
      else { continue }
      for (observation, continuation) in self.due(observation, on: continuation) {
        let (events, spent) = self.judge(slot, observation, on: continuation, now: now)
        effort -= spent
        found += events.map { OrderedEvent(event: $0, serial: serial) }
      }
    }
    return OrderedEvent.inOrder(found)
  }

  /// The fixes by which a waiting region is judged: the newest. If that one is too inaccurate for the path, first the
  /// fix at the end of the path, because the path to it would be lost otherwise.
  private func due(_ newest: RegionObservation, on continuation: Trail.Continuation) -> [(
    RegionObservation, Trail.Continuation
  )] {
    guard self.trail.isNewestAside, let end = self.trail.end else {
      return [(newest, continuation.leading(to: newest))]
    }
    switch continuation {
    case .aside: return [(newest, .aside)]
    case .from, .broken: return [(end, continuation.leading(to: end)), (newest, .aside)]
    }
  }

  /// Queues a region to be judged by the newest fix. The path of a waiting region still begins where it did.
  private mutating func wait(_ slot: Int, on continuation: Trail.Continuation) {
    guard let entry = self.entries[slot] else { return }
    switch entry.waits {
    case .from, .broken: break
    // It would have been judged by an inaccurate fix, from which no path continues.
    case .aside: self.entries[slot]?.waits = continuation
    case nil:
      self.entries[slot]?.waits = continuation
      self.waiting.append(slot, serial: entry.serial)
    }
  }

  /// The quiet regions that the fix may change.
  private mutating func quietRegions(_ observation: RegionObservation, on continuation: Trail.Continuation) -> [Int] {
    let place = observation.place.cartesian
    var segment = Segment(from: place, to: place)
    var includesCrossing = false
    if case .from(let start) = continuation, self.crossingCount > 0 {
      segment = Segment(from: start.place.cartesian, to: place)
      includesCrossing = true
    }
    let finding = self.index.search(along: segment, sigma: observation.sigma, includesCrossing: includesCrossing)
    self.candidatesExamined += finding.examined
    return finding.slots.filter { self.entries[$0]?.activePlace == nil }
  }

  /// Compares one region with a fix.
  mutating func judge(
    _ slot: Int, _ observation: RegionObservation, on continuation: Trail.Continuation, now: Instant
  ) -> (events: [Event], effort: Int) {
    guard let isForCrossing = self.entries[slot]?.isForCrossing else { return ([], 0) }
    let voteBefore = self.entries[slot]?.tracker.candidate?.last
    guard let verdict = self.entries[slot]?.tracker.sighted(observation, on: continuation, isForCrossing: isForCrossing)
    else {
      return ([], 0)
    }
    var effort = verdict.effort
    if verdict.vote == .inside, self.entries[slot]?.awaitsDwell ?? false {
      self.entries[slot]?.seen(observation)
      effort += self.entries[slot]?.tracker.geometry.effort ?? 0
    }
    let candidate = self.entries[slot]?.tracker.candidate
    if candidate?.last != voteBefore { self.setAwaited(candidate.map { $0.last + RegionRule.memory }, slot) }
    var events: [Event] = []
    switch verdict.decision {
    case .decided(let state): events += self.decided(slot, from: state, by: observation)
    case .crossed(let passage): events += self.crossed(slot, passage, by: observation)
    case nil: break
    }
    events += self.dwelled(slot, by: observation, at: now)
    self.settle(slot)
    return (events, effort)
  }

  private mutating func decided(_ slot: Int, from before: RegionState, by observation: RegionObservation) -> [Event] {
    self.entries[slot]?.hasDwelled = false
    self.noteChange(slot)
    guard let entry = self.entries[slot] else { return [] }
    let kind: RegionEventKind = entry.tracker.state == .inside ? .enter : .exit
    let isReported: Bool
    if before != .unknown {
      isReported = entry.region.notify.contains(kind)
    } else {
      switch entry.region.initial {
      case .none: isReported = false
      case .ifInside: isReported = kind == .enter
      case .always: isReported = true
      }
    }
    guard isReported else { return [] }
    var finding = entry.event(kind, observation: observation, at: observation.arrival)
    finding.event.isInitial = before == .unknown
    return [finding]
  }

  private func crossed(_ slot: Int, _ passage: ClosedRange<Instant>, by observation: RegionObservation) -> [Event] {
    guard var finding = self.entries[slot]?.event(.crossed, observation: observation, at: observation.arrival) else {
      return []
    }
    finding.event.isInferred = true
    finding.event.passage = passage
    // The probability of the last fix, which is outside, does not describe the crossing.
    finding.event.probability = nil
    return [finding]
  }

  /// A long stay, as far as fixes show it: time in which nobody looked makes none, nor does a vote to leave that is
  /// pending.
  private mutating func dwelled(_ slot: Int, by observation: RegionObservation?, at now: Instant) -> [Event] {
    guard self.entries[slot]?.isDwell(at: now) ?? false else { return [] }
    self.entries[slot]?.hasDwelled = true
    self.noteChange(slot)
    return self.entries[slot].map { [$0.event(.dwell, observation: observation, at: now)] } ?? []
  }
}

// MARK: Deadlines

extension RegionMonitor {
  /// - Parameter effort: The effort that is left. Regions that are not reached remain due.
  mutating func deadlineReached(now: Instant, effort: inout Int) -> [Event] {
    var found: [OrderedEvent] = []
    while effort > 0, let due = self.deadlines.popDue(now: now) {
      effort -= 1
      guard let serial = self.entries[due.slot]?.serial, !self.isDeparting(due.slot) else { continue }
      let events: [Event]
      switch due {
      case .expiry(let slot): events = self.expired(slot, now: now)
      case .dwell(let slot):
        self.entries[slot]?.dwellArmed = nil
        events = self.dwelled(slot, by: nil, at: now)
      case .awaited(let slot):
        self.setAwaited(nil, slot)
        events = []
      }
      found += events.map { OrderedEvent(event: $0, serial: serial) }
    }
    return OrderedEvent.inOrder(found)
  }

  private mutating func expired(_ slot: Int, now: Instant) -> [Event] {
    guard let entry = self.entries[slot] else { return [] }
    self.freeSlot(slot)
    let key = Key(holder: entry.holder, id: entry.region.id)
    self.changes[key] = Change(holder: entry.holder, id: entry.region.id, snapshot: nil)
    return [entry.event(.expired, observation: nil, at: now)]
  }

  /// An event with its order among those of the same moment.
  private struct OrderedEvent {
    let event: Event
    let serial: UInt64

    /// Ordered by holder, then as the regions were added, then as the events occurred, rather than as the search found
    /// them.
    static func inOrder(_ found: [OrderedEvent]) -> [Event] {
      if found.count < 2 { return found.map(\.event) }
      return found.enumerated().sorted { left, right in
        (left.element.event.holder, left.element.serial, left.offset)
          < (right.element.event.holder, right.element.serial, right.offset)
      }.map(\.element.event)
    }
  }
}

extension Trail.Continuation {
  /// The path to a fix of a waiting region. The fixes in between show that the fix belongs to the path.
  fileprivate func leading(to observation: RegionObservation) -> Trail.Continuation {
    switch self {
    case .from(let start): Trail.isGap(from: start, to: observation) ? .broken : self
    case .broken, .aside: self
    }
  }
}

extension RegionMonitor.DeadlineKey {
  var slot: Int {
    switch self {
    case .expiry(let slot), .dwell(let slot), .awaited(let slot): slot
    }
  }
}
