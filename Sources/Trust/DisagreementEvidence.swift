import Geodesy
import Positioning

/// The evidence `disagreement`: two receivers of one gpsd are farther apart than their errors. Which of them is wrong is
/// not known, so it speaks against both.
struct DisagreementEvidence: Hashable, Sendable {
  /// Metres between two antennas of one vehicle, or ship.
  private static let tolerance = 100.0
  private static let errorFactor = 3.0
  /// Older positions of the other are not compared.
  private static let sameMoment: Duration = .seconds(2)
  private static let confirmation: Duration = .seconds(5)
  /// Metres per second that a receiver without a speed may have.
  private static let unknownSpeed = 50.0

  private var newest: [String: JudgedEpoch] = [:]
  /// Since when a receiver has disagreed with any other.
  private var since: [String: Instant] = [:]

  mutating func forget(_ receiver: String) {
    self.newest[receiver] = nil
    self.since[receiver] = nil
  }

  /// The first report of a receiver's epoch.
  mutating func received(_ epoch: JudgedEpoch, of receiver: String) -> Finding {
    self.newest[receiver] = epoch
    let others = self.newest.filter { $0.key != receiver && epoch.arrival - $0.value.arrival <= Self.sameMoment }
    guard others.values.contains(where: { self.isElsewhere(epoch, than: $0) }) else {
      self.since[receiver] = nil
      return .silent
    }
    let since = self.since[receiver] ?? epoch.arrival
    self.since[receiver] = since
    return epoch.arrival - since >= Self.confirmation ? .weak : .silent
  }

  private func isElsewhere(_ epoch: JudgedEpoch, than other: JudgedEpoch) -> Bool {
    let speed = max(epoch.speed ?? Self.unknownSpeed, other.speed ?? Self.unknownSpeed)
    let explained =
      Self.tolerance + Self.errorFactor * (epoch.error + other.error) + speed * Self.sameMoment.seconds
    return epoch.distance(from: other) > explained
  }
}
