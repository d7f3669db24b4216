import Broker
import Positioning

/// How the position is fuzzed, in a body.
struct LocationFuzzerForm: Codable {
  private var east: Double
  private var north: Double
  private var drifted: MomentForm
  private var told: FixForm?

  /// Metres. No fuzzer moves anything that far.
  private static let mostOffset = 100_000.0

  init(_ snapshot: LocationFuzzer.Snapshot) {
    self.east = snapshot.east
    self.north = snapshot.north
    self.drifted = MomentForm(snapshot.drifted)
    self.told = snapshot.shown.map { FixForm($0) }
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> LocationFuzzer.Snapshot {
    // What is no number is not within it either.
    guard abs(self.east) <= Self.mostOffset, abs(self.north) <= Self.mostOffset else {
      throw UnreadableForm("an offset that no fuzzer has")
    }
    return LocationFuzzer.Snapshot(
      east: self.east, north: self.north, drifted: placement.past(self.drifted),
      shown: try self.told?.value(placement))
  }
}
