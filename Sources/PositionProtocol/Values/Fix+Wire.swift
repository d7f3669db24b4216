public import JSONRPC
public import Positioning

extension Fix: WireObject {
  public static let wire = ObjectCodec<Fix>(
    "Fix", blank: Fix(latitude: 0, longitude: 0, arrival: .boot, mode: .fallback, status: .fallback)
  ) {
    Field.required(
      "latitude", \.latitude, .number(.latitude, decimals: 9), example: 48.137154321, "Degrees north, WGS 84.")
    Field.required(
      "longitude", \.longitude, .number(.longitude, decimals: 9), example: 11.575382123, "Degrees east, WGS 84.")
    Field.optional(
      "horizontalAccuracy", \.horizontalAccuracy, .number(.meters, decimals: 3), example: 3.1,
      "Metres: the position lies within this radius with a probability of 68 %.")
    Field.derived(
      "horizontalAccuracy95", .number(.meters, decimals: 3), isOptional: true, example: 5,
      "Metres: the radius of 95 % probability.", { fix, _ in fix.horizontalAccuracy95 },
      taking: { radius, fix in
        // A difference that comes from rounding on the wire only does not make the error elliptical.
        let round = (fix.horizontalAccuracy ?? 0) / Fix.ratio68To95
        if abs(round - radius) >= 0.002 { fix.horizontalAccuracy95 = radius }
      })
    Field.optional("altitude", \.altitude, .number(.any, decimals: 3), example: 519.2, "Metres above mean sea level.")
    Field.optional(
      "ellipsoidalAltitude", \.ellipsoidalAltitude, .number(.any, decimals: 3), example: 565.9,
      "Metres above the WGS 84 ellipsoid.")
    Field.optional(
      "verticalAccuracy", \.verticalAccuracy, .number(.meters, decimals: 3), example: 6.4,
      "Metres: the altitude is that close with a probability of 68 %.")
    Field.optional(
      "speed", \.speed, .number(.nonNegative, decimals: 3), example: 1.42, "Metres per second over ground.")
    Field.optional(
      "speedAccuracy", \.speedAccuracy, .number(.nonNegative, decimals: 3), example: 0.3, "Metres per second.")
    Field.optional(
      "course", \.course, .number(.any, decimals: 3), example: 271.5,
      "The direction of movement in degrees from true north.")
    Field.optional("courseAccuracy", \.courseAccuracy, .number(.nonNegative, decimals: 3), example: 4, "Degrees.")
    Field.optional(
      "time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "The receiver's own time. It does not show how fresh the fix is: receivers are wrong by minutes or decades.")
    Field.arrival(
      \.arrival, of: "the receiver's report", age: "Seconds since the arrival when this was sent, and the lag.",
      example: 4.75
    ) { fix, now in
      fix.age(at: now)
    }
    Field.optional(
      "lag", \.lag, .seconds(.nonNegative), example: 4.5,
      "Seconds by which it arrived later than the receiver's best ones; absent up to 2 s.")
    Field.required("mode", \.mode, Mode.codec, example: "3d", "How many dimensions the receiver solved for.")
    Field.required("status", \.status, Status.codec, example: "gnss", "What kind of solution it is.")
    Field.optional("device", \.device, .string, example: "/dev/ttyACM0", "The receiver's path as gpsd knows it.")
    Field.optional(
      "satellitesUsed", \.satellitesUsed, .integer(minimum: 0), example: 9,
      "How many satellites the solution uses.")
    Field.optional(
      "integrity", \.integrity, Integrity.codec, example: "suspect",
      "Whether it can be trusted; absent if nothing speaks for or against it.")
    Field.filled(
      "integrityReasons", \.integrityReasons.list, .array(of: IntegrityReason.codec), example: ["speed"],
      "What speaks against it; absent if nothing does.")
    Field.flag(
      "reduced", \.isReduced, "True if the position is reduced because of the client's permission; else absent.")
  }
}
