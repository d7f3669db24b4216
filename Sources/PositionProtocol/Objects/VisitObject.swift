public import JSONRPC
public import Positioning

/// A stay of the device at one place: told on arrival, and again with its departure.
public struct VisitObject: DescribedObject {
  /// Its number on this device, the same both times; later visits have greater ones.
  public var id: Int
  /// Degrees north, WGS 84: the middle of the stay.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres: the middle lies within this radius with a probability of 68 %.
  public var horizontalAccuracy: Double
  /// When the device came, by the best estimate; absent where it may have been there before it was looked for.
  public var arrival: Timestamp?
  /// Seconds: it came at most so long before or after.
  public var arrivalUncertainty: Double?
  /// When it left, by the best estimate; absent while it is there.
  public var departure: Timestamp?
  /// Seconds: it left at most so long before or after.
  public var departureUncertainty: Double?

  public init(
    id: Int, latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Timestamp? = nil,
    arrivalUncertainty: Double? = nil, departure: Timestamp? = nil, departureUncertainty: Double? = nil
  ) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.arrivalUncertainty = arrivalUncertainty
    self.departure = departure
    self.departureUncertainty = departureUncertainty
  }

  /// - Parameter since1970: What the wall clock shows now; the visit's moments are given by it.
  public init(_ visit: Visit, now: Instant, since1970: Duration) {
    self.init(
      id: visit.id, latitude: visit.latitude.toCoordinate, longitude: visit.longitude.toCoordinate,
      horizontalAccuracy: visit.horizontalAccuracy.toThousandths,
      arrival: visit.arrival.map { Timestamp(of: $0, now: now, since1970: since1970) },
      arrivalUncertainty: visit.arrivalUncertainty?.wireSeconds,
      departure: visit.departure.map { Timestamp(of: $0, now: now, since1970: since1970) },
      departureUncertainty: visit.departureUncertainty?.wireSeconds)
  }

  public static let wire = ObjectCodec<VisitObject>(
    "Visit", blank: VisitObject(id: 0, latitude: 0, longitude: 0, horizontalAccuracy: 0)
  ) {
    Field.required(
      "id", \.id, .integer(minimum: 0), example: 12,
      "Its number on this device, the same both times; later visits have greater ones.")
    Field.required(
      "latitude", \.latitude, .number(.latitude), example: 48.137154321,
      "Degrees north, WGS 84: the middle of the stay.")
    Field.required("longitude", \.longitude, .number(.longitude), example: 11.575382123, "Degrees east, WGS 84.")
    Field.required(
      "horizontalAccuracy", \.horizontalAccuracy, .number(.meters), example: 24.5,
      "Metres: the middle lies within this radius with a probability of 68 %.")
    Field.optional(
      "arrival", \.arrival, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "When the device came, by the best estimate; absent where it may have been there before it was looked for.")
    Field.optional(
      "arrivalUncertainty", \.arrivalUncertainty, .number(.nonNegative), example: 75.5,
      "Seconds: it came at most so long before or after.")
    Field.optional(
      "departure", \.departure, Timestamp.codec, example: "2026-01-31T13:30:00.000Z",
      "When it left, by the best estimate; absent while it is there.")
    Field.optional(
      "departureUncertainty", \.departureUncertainty, .number(.nonNegative), example: 300,
      "Seconds: it left at most so long before or after.")
  }
}
