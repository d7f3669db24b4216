import Geodesy
import Positioning

/// Rejects a move that no device can make, until the next two epochs confirm it.
///
/// It never rejects for long: after ten rejected epochs in a row the receiver is believed.
struct JumpGuard: Hashable, Sendable {
  static let confirmations = 2
  static let limit = 10
  /// Metres allowed for a fix without an accuracy.
  static let unknownAccuracy95 = 100.0
  /// Metres allowed for a fix whose receiver does not know its accuracy.
  static let vagueAccuracy95 = 2000.0

  /// The last accepted fix of known accuracy.
  private var lastKnown: Fix?
  private var candidate: Fix?
  private var candidateEpoch = 0
  private var confirmed = 0
  private var setAside = 0

  /// Whether the epoch's fix may follow the current one.
  ///
  /// - Parameter cycle: The receiver's cycle, the least time between two epochs, even if they arrive together.
  mutating func accepts(_ fix: Fix, epoch: Int, after held: Fix?, maxSpeed: Double, cycle: Duration) -> Bool {
    guard let reference = held.map({ self.reference(of: fix, after: $0) }),
      !Self.isPlausible(from: reference, to: fix, maxSpeed: maxSpeed, cycle: cycle)
    else { return self.accepted(fix) }
    // A further report of the rejected epoch confirms nothing.
    if self.candidate != nil, epoch == self.candidateEpoch { return false }
    self.setAside += 1
    // A fix of unknown accuracy confirms nothing against one with a known accuracy.
    let canConfirm = fix.horizontalAccuracy != nil || reference.horizontalAccuracy == nil
    if canConfirm, let candidate, Self.isPlausible(from: candidate, to: fix, maxSpeed: maxSpeed, cycle: cycle) {
      self.confirmed += 1
    } else {
      self.confirmed = 0
    }
    if self.confirmed >= JumpGuard.confirmations || self.setAside > JumpGuard.limit { return self.accepted(fix) }
    self.candidate = fix
    self.candidateEpoch = epoch
    return false
  }

  private mutating func accepted(_ fix: Fix) -> Bool {
    let known = fix.horizontalAccuracy == nil ? self.lastKnown : fix
    self = JumpGuard()
    self.lastKnown = known
    return true
  }

  /// What the fix is compared with. A fix of unknown accuracy is little reason to doubt a later one of known accuracy, which
  /// is compared with the last one of known accuracy instead.
  private func reference(of fix: Fix, after held: Fix) -> Fix {
    held.horizontalAccuracy == nil && fix.horizontalAccuracy != nil ? self.lastKnown ?? held : held
  }

  /// Whether a device may have moved so, considering both errors. That of a fix of unknown accuracy counts as vague for a
  /// later one with a known accuracy.
  static func isPlausible(from: Fix, to: Fix, maxSpeed: Double, cycle: Duration) -> Bool {
    let isBetter = from.horizontalAccuracy == nil && to.horizontalAccuracy != nil
    let uncertainty = (isBetter ? self.vagueAccuracy95 : self.uncertainty(of: from)) + self.uncertainty(of: to)
    let distance = Geodesy.distance(from: from.coordinate, to: to.coordinate)
    return distance - uncertainty <= maxSpeed * max(Self.time(from: from, to: to), cycle.seconds)
  }

  /// Seconds between two fixes: by the receiver's clock, if less has passed on it. What has waited for the daemon arrives later
  /// than it was reported.
  private static func time(from: Fix, to: Fix) -> Double {
    let arrived = (to.arrival - from.arrival).seconds
    guard let start = from.time, let end = to.time, end > start else { return arrived }
    return min(arrived, (end - start).seconds)
  }

  private static func uncertainty(of fix: Fix) -> Double {
    fix.horizontalAccuracy95 ?? (fix.isVague ? self.vagueAccuracy95 : self.unknownAccuracy95)
  }
}

/// How far apart two fixes are, and how much of that their errors explain.
///
/// A fix with an error larger than the distance proves no movement. All decisions about movement use this, and make no
/// decision if an accuracy is vague or unknown.
struct Displacement: Hashable, Sendable {
  /// The distance in metres.
  let distance: Double
  /// Metres: the distance between two fixes of a resting device is at most this in 99 of 100 cases; infinite if an
  /// accuracy is unknown.
  let explained: Double

  /// The 99 % radius of a fix divided by its 95 % radius.
  private static let ratio95To99 = RegionRule.vagueExitFactor / RegionRule.exitFactor

  init(from start: Fix, to end: Fix) {
    self.distance = Geodesy.distance(from: start.coordinate, to: end.coordinate)
    guard let startError = start.horizontalAccuracy95, let endError = end.horizontalAccuracy95 else {
      self.explained = .infinity
      return
    }
    if start.isReduced, end.isReduced {
      // Both are moved by the same offset to the middle of a cell; those of neighbouring cells are closer than this.
      self.explained = max(startError, endError)
    } else {
      self.explained = (startError * startError + endError * endError).squareRoot() * Self.ratio95To99
    }
  }

  /// Whether the device was certainly farther than that from where it was.
  func isBeyond(_ metres: Double) -> Bool { self.distance - metres > self.explained }
}
