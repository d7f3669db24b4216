public import JSONRPC
public import Positioning

/// Without any report of the receiver everything is absent.
extension Sky: WireObject {
  public static let wire = ObjectCodec<Sky>("Sky", blank: Sky(satellites: [], arrival: .boot)) {
    Field.defaulted(
      "satellites", \.satellites, .array(of: Satellite.codec), namesDefault: false, example: [Satellite.example],
      "The satellites; absent if the receiver has not reported them.")
    Field.optional(
      "hdop", \.hdop, .number(.nonNegative, decimals: 3), example: 0.9, "Horizontal dilution of precision.")
    Field.optional("vdop", \.vdop, .number(.nonNegative, decimals: 3), example: 1.3, "Vertical dilution of precision.")
    Field.optional(
      "pdop", \.pdop, .number(.nonNegative, decimals: 3), example: 1.6, "Dilution of precision of the position.")
    Field.age(
      \.arrival, presence: .optional, example: 0.8,
      "Seconds since the receiver's report arrived; absent if there was none.")
  }
}

extension Sky.Satellite: WireObject {
  public static let wire = ObjectCodec<Sky.Satellite>(
    blank: Sky.Satellite(constellation: .fallback, svid: 0, isUsed: false)
  ) {
    Field.required(
      "constellation", \.constellation, Sky.Constellation.codec, example: "galileo",
      "The satellite navigation system.")
    Field.required(
      "svid", \.svid, .integer(minimum: nil), example: 12, "The satellite's number within its constellation.")
    Field.optional(
      "elevation", \.elevation, .number(.any, decimals: 3), example: 48, "Degrees above the horizon.")
    Field.optional("azimuth", \.azimuth, .number(.any, decimals: 3), example: 115, "Degrees from true north.")
    Field.optional("snr", \.snr, .number(.any, decimals: 3), example: 38.5, "Carrier to noise density in dBHz.")
    Field.required("used", \.isUsed, .boolean, example: true, "Whether the fix uses it.")
  }
}
