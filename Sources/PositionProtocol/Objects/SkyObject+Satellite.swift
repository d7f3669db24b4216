public import JSONRPC
public import Positioning

extension SkyObject {
  /// One satellite that the receiver sees.
  public struct Satellite: DescribedObject {
    /// The system it belongs to.
    public var constellation: Sky.Constellation
    /// Its number within its constellation.
    public var svid: Int
    /// Degrees above the horizon.
    public var elevation: Double?
    /// Degrees from true north.
    public var azimuth: Double?
    /// Carrier to noise density in dBHz.
    public var snr: Double?
    /// Whether the fix uses it.
    public var isUsed: Bool

    public init(
      constellation: Sky.Constellation, svid: Int, elevation: Double? = nil, azimuth: Double? = nil, snr: Double? = nil,
      isUsed: Bool
    ) {
      self.constellation = constellation
      self.svid = svid
      self.elevation = elevation
      self.azimuth = azimuth
      self.snr = snr
      self.isUsed = isUsed
    }

    public static let wire = ObjectCodec<Satellite>(
      blank: Satellite(constellation: .fallback, svid: 0, isUsed: false)
    ) {
      Field.required(
        "constellation", \.constellation, Sky.Constellation.codec, example: "galileo",
        "The system it belongs to.")
      Field.required("svid", \.svid, .integer(minimum: nil), example: 12, "Its number within its constellation.")
      Field.optional("elevation", \.elevation, .number(.any), example: 48, "Degrees above the horizon.")
      Field.optional("azimuth", \.azimuth, .number(.any), example: 115, "Degrees from true north.")
      Field.optional("snr", \.snr, .number(.any), example: 38.5, "Carrier to noise density in dBHz.")
      Field.required("used", \.isUsed, .boolean, example: true, "Whether the fix uses it.")
    }
  }
}
