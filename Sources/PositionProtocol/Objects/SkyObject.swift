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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "satellites", .array(.object(Satellite.fields)), .optional, example: [DescribedExample.of(Satellite.self)],
      "What the receiver sees; absent where it has not told."),
    FieldDescription(
      "hdop", .number(.nonNegative), .optional, example: 0.9,
      "Horizontal dilution of precision."),
    FieldDescription(
      "vdop", .number(.nonNegative), .optional, example: 1.3,
      "Vertical dilution of precision."),
    FieldDescription(
      "pdop", .number(.nonNegative), .optional, example: 1.6,
      "Dilution of precision of the position."),
    FieldDescription(
      "age", .number(.nonNegative), .optional, example: 0.8,
      "Seconds since the receiver's report arrived; absent where there was none."),
  ]
}
