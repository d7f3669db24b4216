public import JSONRPC

/// The satellites that the receiver sees. Without any report of the receiver everything is absent.
public struct SkyObject: DescribedObject {
  /// What the receiver sees; absent where it has not told.
  public var satellites: [Satellite]?
  /// Horizontal dilution of precision.
  public var hdop: Double?
  /// Vertical dilution of precision.
  public var vdop: Double?
  /// Dilution of precision of the position.
  public var pdop: Double?
  /// Seconds since the receiver's report arrived; absent where there was none.
  public var age: Double?

  public init(
    satellites: [Satellite]? = nil, hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil, age: Double? = nil
  ) {
    self.satellites = satellites
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
    self.age = age
  }

  public static let wire = ObjectCodec<SkyObject>("Sky", blank: SkyObject()) {
    Field.optional(
      "satellites", \.satellites, .array(of: Satellite.codec), example: [Satellite.example],
      "What the receiver sees; absent where it has not told.")
    Field.optional("hdop", \.hdop, .number(.nonNegative), example: 0.9, "Horizontal dilution of precision.")
    Field.optional("vdop", \.vdop, .number(.nonNegative), example: 1.3, "Vertical dilution of precision.")
    Field.optional("pdop", \.pdop, .number(.nonNegative), example: 1.6, "Dilution of precision of the position.")
    Field.optional(
      "age", \.age, .number(.nonNegative), example: 0.8,
      "Seconds since the receiver's report arrived; absent where there was none.")
  }
}
