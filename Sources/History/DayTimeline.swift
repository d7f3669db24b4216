package import Positioning

/// A day, or any other time, as a person remembers it: stays, the ways between them, and gaps with their reasons. It is pure.
package struct DayTimeline: Hashable, Sendable {
  /// One line of it.
  package struct Entry: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      /// - `name`: The region that was entered there; `nil`: none is known.
      case stay(place: Coordinate, accuracy: Double?, name: String?)
      /// - `distance`: Metres.
      case way(distance: Double, fixes: Int)
      /// - `cause`: `nil`: nobody knows why nothing is recorded.
      case gap(Gap.Cause?)
    }

    package var from: Timestamp
    package var until: Timestamp
    package var content: Content
  }

  /// In the order of time. They do not overlap.
  package private(set) var entries: [Entry] = []
  package let fixes: Int
  /// Metres, of all ways.
  package var distance: Double {
    self.entries.reduce(0) { sum, entry in
      if case .way(let distance, _) = entry.content { sum + distance } else { sum }
    }
  }

  /// A shorter time without a fix is no gap.
  static let shortestGap = Duration.seconds(300)

  /// - Parameters:
  ///   - range: The time of the timeline; nothing is shown after `now`.
  ///   - fixes: Those of the range, in order.
  ///   - stays: As recorded; where there are none they are found in the fixes.
  package init(
    _ range: ClosedRange<Timestamp>, fixes: [HistoryFix], stays: [Stay], gaps: [Gap], passages: [Passage],
    now: Timestamp
  ) {
    self.fixes = fixes.count
    let end = min(range.upperBound, now)
    guard range.lowerBound < end else { return }
    let range = range.lowerBound...end
    let names = RegionNames(passages)
    var cursor = range.lowerBound
    for stay in Self.all(stays, and: fixes) {
      let arrival = max(stay.arrival ?? range.lowerBound, cursor)
      let departure = min(stay.departure ?? end, end)
      guard arrival < departure else { continue }
      self.addWay(from: cursor, until: arrival, fixes, gaps)
      self.entries.append(
        Entry(
          from: arrival, until: departure,
          content: .stay(place: stay.place, accuracy: stay.accuracy, name: names.name(of: stay))))
      cursor = departure
    }
    self.addWay(from: cursor, until: end, fixes, gaps)
  }

  /// The recorded stays, and those found in fixes outside of them.
  package static func all(_ stays: [Stay], and fixes: [HistoryFix]) -> [Stay] {
    let found = StayFinder.stays(in: fixes).filter { found in
      !stays.contains { stay in
        (stay.arrival ?? .earliest) <= (found.departure ?? .latest)
          && (stay.departure ?? .latest) >= (found.arrival ?? .earliest)
      }
    }
    return (stays + found).sorted { ($0.arrival ?? .earliest) < ($1.arrival ?? .earliest) }
  }

  /// What is between two stays: ways, and gaps where fixes are missing.
  private mutating func addWay(from: Timestamp, until: Timestamp, _ fixes: [HistoryFix], _ gaps: [Gap]) {
    guard from < until else { return }
    // The way ends with the first fix of the stay.
    let last = fixes.firstPlace(from: until)
    let isNear = fixes.indices.contains(last) && fixes[last].time - until <= Self.shortestGap
    let part = fixes[fixes.firstPlace(from: from)..<(isNear ? last + 1 : last)]
    var start = part.startIndex
    var cursor = from
    for place in part.indices where place > part.startIndex {
      let isBreak =
        part[place].time - part[place - 1].time > Self.shortestGap
        && (part[place].beginsSegment || gaps.explain(part[place - 1].time, part[place].time) != nil)
      guard isBreak else { continue }
      self.add(part[start..<place], after: &cursor, gaps)
      start = place
    }
    self.add(part[start...], after: &cursor, gaps, limit: until)
    self.addGap(from: cursor, until: until, gaps)
  }

  private mutating func add(
    _ part: ArraySlice<HistoryFix>, after cursor: inout Timestamp, _ gaps: [Gap], limit: Timestamp? = nil
  ) {
    guard let first = part.first, let last = part.last else { return }
    self.addGap(from: cursor, until: first.time, gaps)
    let end = limit.map { min($0, last.time) } ?? last.time
    if first.time < end {
      self.entries.append(
        Entry(
          from: first.time, until: end,
          content: .way(distance: WayLength.length(of: part), fixes: part.count)))
    }
    cursor = end
  }

  private mutating func addGap(from: Timestamp, until: Timestamp, _ gaps: [Gap]) {
    guard until - from > Self.shortestGap else { return }
    self.entries.append(Entry(from: from, until: until, content: .gap(gaps.explain(from, until)?.cause)))
  }

  /// The length of a way. The fixes of a device at rest wander, so a step counts once it is longer than its likely error.
  enum WayLength {
    private static let doubt = 2.0

    static func length(of fixes: ArraySlice<HistoryFix>) -> Double {
      guard var last = fixes.first?.coordinate else { return 0 }
      var (sum, rest) = (0.0, 0.0)
      var scale = PlainScale(at: last.latitude)
      for fix in fixes.dropFirst() {
        let place = fix.coordinate
        if fix.beginsSegment {
          (sum, rest, last) = (sum + rest, 0, place)
          continue
        }
        scale.follow(place.latitude)
        rest = scale.distance(from: last, to: place)
        guard rest >= Self.doubt * (fix.accuracy ?? Thinning.usualAccuracy) else { continue }
        (sum, rest, last) = (sum + rest, 0, place)
      }
      return sum + rest
    }
  }
}

/// The names of places: the regions that were entered there.
package struct RegionNames {
  private let passages: [Passage]
  /// Metres between a stay's middle and the place where its region was entered.
  private static let reach = 500.0

  package init(_ passages: [Passage]) { self.passages = passages.filter { $0.place != nil || $0.kind != .exit } }

  /// The region that was entered last before the stay's end and not left before its begin, or else one that was entered at that
  /// place at any time.
  package func name(of stay: Stay) -> String? {
    let inside = self.passages.last { passage in
      passage.kind != .exit && passage.time <= stay.departure ?? .latest
        && passage.place.map { $0.plainDistance(to: stay.place) <= Self.reach } ?? false
    }
    return inside?.region
      ?? self.passages.last {
        $0.kind == .enter && $0.place.map { $0.plainDistance(to: stay.place) <= Self.reach } ?? false
      }?.region
  }
}

extension Timestamp {
  fileprivate static var earliest: Timestamp { ClosedRange<Timestamp>.all.lowerBound }
  fileprivate static var latest: Timestamp { ClosedRange<Timestamp>.all.upperBound }
}

extension [Gap] {
  /// The gap that covers most of the time; `nil`: none covers half of it.
  fileprivate func explain(_ from: Timestamp, _ until: Timestamp) -> Gap? {
    let covers = { (gap: Gap) in
      Swift.min(gap.end ?? until, until).milliseconds - Swift.max(gap.start, from).milliseconds
    }
    let least = Swift.max(1, (until.milliseconds - from.milliseconds) / 2)
    return self.filter { covers($0) >= least }.max { covers($0) < covers($1) }
  }
}

extension [HistoryFix] {
  /// The place of the first fix from a time on, in fixes in order.
  fileprivate func firstPlace(from time: Timestamp) -> Int {
    var (low, high) = (0, self.count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
