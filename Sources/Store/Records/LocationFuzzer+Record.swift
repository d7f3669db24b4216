import Broker
import JSONRPC
import Positioning

extension LocationFuzzer.Snapshot: Record {
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
