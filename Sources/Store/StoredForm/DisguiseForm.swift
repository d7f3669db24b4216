import Broker
import Positioning

/// How the position is disguised, in a body.
struct DisguiseForm: Codable {
  private var east: Double
  private var north: Double
  private var drifted: MomentForm
  private var told: FixForm?

  /// Metres. No disguise moves anything that far.
  private static let mostOffset = 100_000.0

  init(_ snapshot: Disguise.Snapshot) {
    self.east = snapshot.east
    self.north = snapshot.north
    self.drifted = MomentForm(snapshot.drifted)
    self.told = snapshot.told.map { FixForm($0) }
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> Disguise.Snapshot {
    // What is no number is not within it either.
    guard abs(self.east) <= Self.mostOffset, abs(self.north) <= Self.mostOffset else {
      throw UnreadableForm("an offset that no disguise has")
    }
    return Disguise.Snapshot(
      east: self.east, north: self.north, drifted: placement.past(self.drifted),
      told: try self.told?.value(placement))
  }
}
