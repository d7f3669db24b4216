import Positioning

/// A unit that a user's events start.
package struct WakeTarget: Hashable, Comparable, Sendable {
  package let uid: UInt32
  package let unit: String

  package init(uid: UInt32, unit: String) {
    self.uid = uid
    self.unit = unit
  }

  package static func < (left: WakeTarget, right: WakeTarget) -> Bool {
    (left.uid, left.unit) < (right.uid, right.unit)
  }
}

/// When units were started last, so that none is started again too soon.
///
/// It is kept for each user and unit, and stored: neither removing a name and registering it again nor a restart of the
/// daemon brings a start forward.
struct WakeLedger: Hashable, Sendable {
  static let spacing: Duration = .seconds(300)

  private(set) var starts: [WakeTarget: Instant] = [:]

  init() {}

  /// - Parameter starts: The stored ones; those that limit nothing any more are ignored.
  init(restoring starts: [WakeTarget: Instant], now: Instant) {
    // The age of a start before this boot is unknown, and the boot has stopped its unit.
    self.starts = starts.filter { !$0.value.isBeforeBoot && now - $0.value < Self.spacing }
  }

  /// When the unit may be started, considering its last start; `nil`: at any time.
  func nextStart(of target: WakeTarget) -> Instant? { self.starts[target].map { $0 + Self.spacing } }

  func mayStart(_ target: WakeTarget, now: Instant) -> Bool { self.nextStart(of: target).map { $0 <= now } ?? true }

  /// - Returns: The units whose last start limits nothing any more.
  mutating func started(_ target: WakeTarget, now: Instant) -> [WakeTarget] {
    let over = self.starts.filter { now - $0.value >= Self.spacing && $0.key != target }.keys.sorted()
    for old in over { self.starts[old] = nil }
    self.starts[target] = now
    return over
  }
}
