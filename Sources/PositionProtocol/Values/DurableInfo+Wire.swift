public import JSONRPC
public import Positioning

extension DurableInfo: WireObject {
  public static let wire = ObjectCodec<DurableInfo>("Durable", blank: DurableInfo(name: "")) {
    Field.required("durable", \.name, .string, example: "tracker", "The name.")
    Field.optional(
      "wake", \.wake, .string, example: "tracker.service",
      "A unit of the system that its events start when no client is attached.")
    Field.required(
      "regions", \.regions, .array(of: RegionInfo.codec), example: [RegionInfo.example],
      "Its regions, in the order in which they were added; the first of them where there are many.")
    Field.count(
      "omitted", \.regionsOmitted, example: 3, "How many more regions it has; absent where all are listed.")
    Field.optional(
      "position", \.position, SubscriptionParameters.codec,
      example: SubscriptionParameters.codec.json(SubscriptionParameters(mode: .significant)),
      "What its position registration was asked for; absent where it has none.")
    Field.required("visits", \.hasVisits, .boolean, example: true, "Whether visits are registered.")
    Field.required("waiting", \.waiting, .integer(minimum: 0), example: 4, "How many events wait to be acknowledged.")
    Field.required(
      "lastEvent", \.lastEvent, .integer(minimum: 0), example: 1234,
      "The number of the newest event ever; 0 before the first.")
    Field.required("attached", \.isAttached, .boolean, example: true, "Whether a client is attached.")
    Field.optional(
      "wakeTrouble", \.wakeTrouble, .string, example: "the bus refused it",
      "Why its unit could not be started the last time.")
  }
}
