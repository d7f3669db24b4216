import Positioning

/// A unit that events of a user start.
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
/// It counts by user and unit and outlives the daemon: neither a name that is removed and registered anew nor a restart
/// brings a start forward.
struct WakeLedger: Hashable, Sendable {
  static let spacing: Duration = .seconds(300)

  private(set) var starts: [WakeTarget: Instant] = [:]

  init() {}

  /// - Parameter starts: as they were kept; those that limit nothing any more are left out.
  init(restoring starts: [WakeTarget: Instant], now: Instant) {
    // How long ago a start before this boot was nobody knows. It was of a unit that the boot has stopped.
    self.starts = starts.filter { !$0.value.isBeforeBoot && now - $0.value < Self.spacing }
  }

  /// When the unit may be started, as far as its last start has it; `nil`: at any time.
  func nextStart(of target: WakeTarget) -> Instant? { self.starts[target].map { $0 + Self.spacing } }

  func mayStart(_ target: WakeTarget, now: Instant) -> Bool { self.nextStart(of: target).map { $0 <= now } ?? true }

  /// - Returns: those whose start limits nothing any more.
  mutating func started(_ target: WakeTarget, now: Instant) -> [WakeTarget] {
    let over = self.starts.filter { now - $0.value >= Self.spacing && $0.key != target }.keys.sorted()
    for old in over { self.starts[old] = nil }
    self.starts[target] = now
    return over
  }
}
