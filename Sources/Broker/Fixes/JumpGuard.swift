import Geodesy
import Positioning

/// Sets aside a move that no device makes, until the next two epochs confirm it.
///
/// Never for long: whatever a receiver that jumps about says is taken after ten epochs in a row were set aside.
struct JumpGuard: Hashable, Sendable {
  static let confirmations = 2
  static let patience = 10
  /// Metres granted to a fix that tells no accuracy.
  static let unknownAccuracy95 = 100.0
  /// Metres granted to a fix of which the receiver says that it knows no accuracy.
  static let vagueAccuracy95 = 2000.0

  private var candidate: Fix?
  private var candidateEpoch = 0
  private var confirmed = 0
  private var setAside = 0

  /// Whether the epoch's fix may follow the held one.
  ///
  /// - Parameter cycle: the receiver's; two epochs that arrive merged are still so far apart.
  mutating func accepts(_ fix: Fix, epoch: Int, after held: Fix?, maxSpeed: Double, cycle: Duration) -> Bool {
    guard let held, !Self.isPlausible(from: held, to: fix, maxSpeed: maxSpeed, cycle: cycle) else {
      self = JumpGuard()
      return true
    }
    // A further report of the epoch that was set aside confirms nothing.
    if self.candidate != nil, epoch == self.candidateEpoch { return false }
    self.setAside += 1
    // A fix of unknown accuracy confirms nothing against one whose accuracy is known.
    let canConfirm = fix.horizontalAccuracy != nil || held.horizontalAccuracy == nil
    if canConfirm, let candidate, Self.isPlausible(from: candidate, to: fix, maxSpeed: maxSpeed, cycle: cycle) {
      self.confirmed += 1
    } else {
      self.confirmed = 0
    }
    if self.confirmed >= JumpGuard.confirmations || self.setAside > JumpGuard.patience {
      self = JumpGuard()
      return true
    }
    self.candidate = fix
    self.candidateEpoch = epoch
    return false
  }

  /// Whether a device may have moved so between the two, given what is known of their errors. A fix whose accuracy is
  /// unknown is no reason to doubt a later one whose accuracy is known.
  static func isPlausible(from: Fix, to: Fix, maxSpeed: Double, cycle: Duration) -> Bool {
    if from.horizontalAccuracy == nil, to.horizontalAccuracy != nil { return true }
    let uncertainty = self.uncertainty(of: from) + self.uncertainty(of: to)
    let distance = Geodesy.distance(from: from.coordinate, to: to.coordinate)
    let time = max((to.arrival - from.arrival).seconds, cycle.seconds)
    return distance - uncertainty <= maxSpeed * time
  }

  private static func uncertainty(of fix: Fix) -> Double {
    fix.horizontalAccuracy95 ?? (fix.isVague ? self.vagueAccuracy95 : self.unknownAccuracy95)
  }
}
