package import Positioning

/// What is kept of fixes that get old. It is pure: the same fixes give the same rest, and what was thinned stays as it is.
package enum Thinning {
  /// Metres. A way is not kept more finely than this, whatever the receiver claims.
  static let finest = 5.0
  /// Metres. A fix without an accuracy counts as one of this.
  static let usualAccuracy = 10.0

  /// One fix of each minute: the first one; of each segment also the last, so that no time gets lost.
  package static func minutes(_ fixes: [HistoryFix]) -> [HistoryFix] {
    fixes.segments.flatMap { segment in
      var minute: Int64?
      return segment.enumerated().filter { place, fix in
        defer { minute = fix.minute }
        return place == 0 || place == segment.count - 1 || fix.minute != minute
      }.map(\.element)
    }
  }

  /// The fixes without which a place at some time would be wrong by more than its accuracy: between two of those that are
  /// left, the device moved straight and evenly as far as its receiver knew. Within a stay only the first and the last one.
  package static func ways(_ fixes: [HistoryFix], stays: [ClosedRange<Timestamp>]) -> [HistoryFix] {
    fixes.segments.flatMap { segment in
      var kept = [Bool](repeating: false, count: segment.count)
      var start = 0
      while start < segment.count {
        let stay = stays.first { $0.contains(segment[start].time) }
        var end = start
        while end + 1 < segment.count, stays.first(where: { $0.contains(segment[end + 1].time) }) == stay { end += 1 }
        kept[start] = true
        kept[end] = true
        if stay == nil { self.mark(segment, start, end, &kept) }
        start = end + 1
      }
      return zip(segment, kept).filter(\.1).map(\.0)
    }
  }

  /// Marks what is needed between two kept fixes: the one that is farthest from the even way, and then what both halves need.
  private static func mark(_ fixes: [HistoryFix], _ first: Int, _ last: Int, _ kept: inout [Bool]) {
    var open = [(first, last)]
    while let (from, to) = open.popLast() {
      guard to - from > 1 else { continue }
      var worst: (place: Int, excess: Double)?
      for place in (from + 1)..<to {
        let even = Interpolation.place(from: fixes[from], to: fixes[to], at: fixes[place].time)
        let excess =
          even.plainDistance(to: fixes[place].coordinate)
          - max(self.finest, fixes[place].accuracy ?? self.usualAccuracy)
        if excess > worst?.excess ?? 0 { worst = (place, excess) }
      }
      guard let worst else { continue }
      kept[worst.place] = true
      open += [(from, worst.place), (worst.place, to)]
    }
  }
}

extension HistoryFix {
  fileprivate var minute: Int64 { self.time.milliseconds.flooredQuotient(by: 60_000) }
}

extension [HistoryFix] {
  /// The fixes between which the way is known.
  package var segments: [[HistoryFix]] {
    self.reduce(into: []) { segments, fix in
      if segments.isEmpty || fix.beginsSegment {
        segments.append([fix])
      } else {
        segments[segments.count - 1].append(fix)
      }
    }
  }
}

/// Where the device was between two fixes.
package struct Interpolation: Hashable, Sendable {
  package let place: Coordinate
  /// Metres: the error of the fixes, and how far a device of such a speed can have been from the even way.
  package let uncertainty: Double

  /// Metres per second: a device that was not seen to move may have been walked with.
  static let least = 1.5

  /// `nil` if the way between the fixes is unknown.
  package init?(from first: HistoryFix, to last: HistoryFix, at time: Timestamp) {
    let (before, after) = ((time - first.time).seconds, (last.time - time).seconds)
    guard before >= 0, after >= 0, before + after > 0, !last.beginsSegment else { return nil }
    self.place = Self.place(from: first, to: last, at: time)
    let mean = first.coordinate.plainDistance(to: last.coordinate) / (before + after)
    // Not faster than either receiver's speed, or twice the mean one.
    let fastest = max(first.speed ?? 0, last.speed ?? 0, 2 * mean, Self.least)
    // What can be reached from both fixes is at most this far from the even way.
    let detour = min(before, after) * (fastest * fastest - mean * mean).squareRoot()
    let share = before / (before + after)
    let accuracy = { (fix: HistoryFix) in fix.accuracy ?? Thinning.usualAccuracy }
    self.uncertainty = accuracy(first) * (1 - share) + accuracy(last) * share + detour
  }

  /// The place on the even way.
  static func place(from first: HistoryFix, to last: HistoryFix, at time: Timestamp) -> Coordinate {
    let whole = Double(last.time.milliseconds - first.time.milliseconds)
    let share = whole == 0 ? 0 : Double(time.milliseconds - first.time.milliseconds) / whole
    let (start, end) = (first.coordinate, last.coordinate)
    return Coordinate(
      latitude: start.latitude + share * (end.latitude - start.latitude),
      longitude: (start.longitude + share * (end.longitude - start.longitude).wrappedLongitude).wrappedLongitude)
  }
}
