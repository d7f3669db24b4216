public import JSONRPC
public import Positioning

extension Visit: WireObject {
  public static let wire = ObjectCodec<Visit>(
    "Visit", blank: Visit(id: 0, latitude: 0, longitude: 0, horizontalAccuracy: 0)
  ) {
    Field.required(
      "id", \.id, .integer(minimum: 0), example: 12,
      "The visit's number, the same in both reports; later visits have greater ones.")
    Field.required(
      "latitude", \.latitude, .number(.latitude, decimals: 9), example: 48.137154321,
      "Degrees north, WGS 84: the middle of the stay.")
    Field.required(
      "longitude", \.longitude, .number(.longitude, decimals: 9), example: 11.575382123, "Degrees east, WGS 84.")
    Field.required(
      "horizontalAccuracy", \.horizontalAccuracy, .number(.meters, decimals: 3), example: 24.5,
      "Metres: the middle lies within this radius with a probability of 68 %.")
    Field.optional(
      "arrival", \.arrival, .wallClock, example: "2026-01-31T12:00:00.000Z",
      "When the device arrived, by the best estimate; absent if it may have been there before visits were watched.")
    Field.optional(
      "arrivalUncertainty", \.arrivalUncertainty, .seconds(.nonNegative), example: 75.5,
      "How many seconds earlier or later it may have arrived.")
    Field.optional(
      "departure", \.departure, .wallClock, example: "2026-01-31T13:30:00.000Z",
      "When it left, by the best estimate; absent while it stays.")
    Field.optional(
      "departureUncertainty", \.departureUncertainty, .seconds(.nonNegative), example: 300,
      "How many seconds earlier or later it may have left.")
  }
}
