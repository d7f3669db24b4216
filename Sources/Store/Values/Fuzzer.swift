import Broker
import JSONRPC
import Positioning

/// How the position is fuzzed for those who may know it roughly.
extension LocationFuzzer.Snapshot: StoredSnapshot {
  static let table = "disguise"
  static let kind = "offset of reduced positions"
  static let since = 2

  static func take(_ snapshot: Self, into state: inout StoredState) { state.fuzzer = snapshot }

  /// In metres. No fuzzer uses a larger offset.
  private static let mostOffset = 100_000.0

  static let record = ObjectCodec<LocationFuzzer.Snapshot>(
    blank: LocationFuzzer.Snapshot(east: 0, north: 0, drifted: .blank)
  ) {
    Field.required("drifted", \.drifted, .moment)
    Field.required("east", \.east, .number)
    Field.required("north", \.north, .number)
    Field.optional("told", \.shown, Fix.record.codec)
  } check: { (snapshot: inout LocationFuzzer.Snapshot, _: JSONView) throws(CodingFailure) in
    // The comparison also excludes NaN.
    guard abs(snapshot.east) <= Self.mostOffset, abs(snapshot.north) <= Self.mostOffset else {
      throw CodingFailure(.described("an offset that no fuzzer has"))
    }
  }

  mutating func map(by clock: ClockMapping) {
    self.drifted = clock.past(self.drifted)
    self.shown?.map(by: clock)
  }
}
