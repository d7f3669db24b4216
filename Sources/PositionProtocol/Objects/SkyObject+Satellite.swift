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

    private enum CodingKeys: String, CodingKey {
      case constellation
      case svid
      case elevation
      case azimuth
      case snr
      case isUsed = "used"
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "constellation", .choice(of: Sky.Constellation.self), example: "galileo",
        "The system it belongs to."),
      FieldDescription(
        "svid", .integer(minimum: nil), example: 12,
        "Its number within its constellation."),
      FieldDescription(
        "elevation", .number(.any), .optional, example: 48,
        "Degrees above the horizon."),
      FieldDescription(
        "azimuth", .number(.any), .optional, example: 115,
        "Degrees from true north."),
      FieldDescription(
        "snr", .number(.any), .optional, example: 38.5,
        "Carrier to noise density in dBHz."),
      FieldDescription(
        "used", .boolean, example: true,
        "Whether the fix uses it."),
    ]
  }
}
