import JSONRPC
import Positioning

extension Fix: Record {
  static let record = ObjectCodec<Fix>(blank: Fix(latitude: 0, longitude: 0, arrival: .blank)) {
    Field.optional("accuracySource", \.accuracySource, .word)
    Field.optional("altitude", \.altitude, .number)
    Field.required("arrival", \.arrival, .moment)
    Field.optional("course", \.course, .number)
    Field.optional("courseAccuracy", \.courseAccuracy, .number)
    Field.optional("device", \.device, .string)
    Field.optional("ellipsoidalAltitude", \.ellipsoidalAltitude, .number)
    Field.optional("horizontalAccuracy", \.horizontalAccuracy, .number)
    Field.optional("horizontalAccuracy95", \.unusualAccuracy95, .number)
    // Earlier versions judged no fix, so nothing speaks for or against theirs.
    Field.optional("integrity", \.integrity, .word)
    Field.filled("integrityReasons", \.integrityReasons.list, .array(of: .word), example: [], "")
    Field.flag("isReduced", \.isReduced)
    // Earlier versions did not store it, so such a fix is younger by its lag.
    Field.optional("lag", \.lag, .duration)
    Field.required("latitude", \.latitude, .number)
    Field.required("longitude", \.longitude, .number)
    Field.required("mode", \.mode, .word)
    Field.optional("satellitesUsed", \.satellitesUsed, .integer)
    Field.optional("speed", \.speed, .number)
    Field.optional("speedAccuracy", \.speedAccuracy, .number)
    Field.required("status", \.status, .word)
    Field.optional("time", \.time, .secondsSince2001)
    Field.optional("verticalAccuracy", \.verticalAccuracy, .number)
  } check: { (fix: inout Fix, _: JSONView) throws(CodingFailure) in
    try checkPlace(fix.latitude, fix.longitude)
    if let accuracy = fix.horizontalAccuracy { try checkPositive(accuracy) }
  }

  mutating func map(by clock: ClockMapping) { self.arrival = clock.past(self.arrival) }

  /// The radius of 95 % probability; `nil` if it follows from that of 68 %.
  fileprivate var unusualAccuracy95: Double? {
    get {
      let usual = self.horizontalAccuracy.map { $0 / Fix.ratio68To95 }
      return self.horizontalAccuracy95 == usual ? nil : self.horizontalAccuracy95
    }
    set { self.horizontalAccuracy95 = newValue }
  }
}

extension Codec where Value == Timestamp {
  /// 2001-01-01T00:00:00Z, in seconds since 1970.
  private static var reference: Double { 978_307_200 }

  fileprivate static var secondsSince2001: Codec {
    Codec<Double>.number.converting { (seconds) throws(CodingFailure) -> Timestamp in
      guard abs(seconds) < 1e12 else { throw CodingFailure(.described("a time that no clock shows")) }
      return Timestamp(seconds: seconds + Self.reference)
    } from: { time in
      time.seconds - Self.reference
    }
  }
}
