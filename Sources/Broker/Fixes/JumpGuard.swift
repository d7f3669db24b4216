import Geodesy
import Positioning

/// Rejects a move that no device can make, until the next two epochs confirm it.
///
/// It never rejects for long: after ten rejected epochs in a row the receiver is believed.
struct JumpGuard: Hashable, Sendable {
  static let confirmations = 2
  static let patience = 10
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
    if self.confirmed >= JumpGuard.confirmations || self.setAside > JumpGuard.patience { return self.accepted(fix) }
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

  /// What the fix is compared with. One of unknown accuracy is little reason to doubt a later one with a known accuracy, so
  /// that is compared with the last of its kind.
  private func reference(of fix: Fix, after held: Fix) -> Fix {
    held.horizontalAccuracy == nil && fix.horizontalAccuracy != nil ? self.lastKnown ?? held : held
  }

  /// Whether a device may have moved so, considering both errors. That of a fix of unknown accuracy counts as vague for a
  /// later one with a known accuracy.
  static func isPlausible(from: Fix, to: Fix, maxSpeed: Double, cycle: Duration) -> Bool {
    let isBetter = from.horizontalAccuracy == nil && to.horizontalAccuracy != nil
    let uncertainty = (isBetter ? self.vagueAccuracy95 : self.uncertainty(of: from)) + self.uncertainty(of: to)
    let distance = Geodesy.distance(from: from.coordinate, to: to.coordinate)
    let time = max((to.arrival - from.arrival).seconds, cycle.seconds)
    return distance - uncertainty <= maxSpeed * time
  }

  private static func uncertainty(of fix: Fix) -> Double {
    fix.horizontalAccuracy95 ?? (fix.isVague ? self.vagueAccuracy95 : self.unknownAccuracy95)
  }
}
