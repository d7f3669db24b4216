public import JSONRPC
public import Positioning

extension DurableRequest: WireObject {
  public static let wire = ObjectCodec<DurableRequest>(blank: DurableRequest(name: "")) {
    Field.required(
      "name", \.name, .durableName, example: "tracker",
      "The name, without control characters.")
    Field.optional(
      "wake", \.wake, .wakeUnit, example: "tracker.service",
      "The systemd unit that an event starts if no client is attached.")
  }
}

extension Codec where Value == String {
  static var durableName: Codec {
    let lengths = DurableRequest.nameLengths
    return Codec.string(maximumBytes: lengths.upperBound).converting(
      to: { (name: String) throws(CodingFailure) -> String in
        guard DurableRequest.isValid(name: name) else {
          throw .found(
            name.quoted,
            expected: "a name of \(lengths.lowerBound) to \(lengths.upperBound) bytes without control characters")
        }
        return name
      }, from: { $0 })
  }

  /// A reference to a durable name: an object, like that of a registration.
  static var durableReference: Codec { DurableReference.wire.codec }

  fileprivate static var wakeUnit: Codec {
    Codec.string.converting(
      to: { (unit: String) throws(CodingFailure) -> String in
        guard WakeUnit.isValid(unit) else {
          throw .found(unit.quoted, expected: "the name of a system service, such as tracker.service")
        }
        return unit
      }, from: { $0 })
  }
}

private enum DurableReference {
  static let wire = ObjectCodec<String>(blank: "") {
    Field.required("name", \.self, .durableName, example: "tracker", "The name.")
  }
}

extension DurableInfo: WireObject {
  public static let wire = ObjectCodec<DurableInfo>("Durable", blank: DurableInfo(name: "")) {
    Field.required("durable", \.name, .string, example: "tracker", "The name.")
    Field.optional(
      "wake", \.wake, .string, example: "tracker.service",
      "The systemd unit that an event starts if no client is attached.")
    Field.required(
      "regions", \.regions, .array(of: RegionInfo.codec), example: [RegionInfo.example],
      "The regions in the order in which they were added; only the first if there are many.")
    Field.count(
      "omitted", \.regionsOmitted, example: 3, "How many regions are not listed; absent if all are.")
    Field.optional(
      "position", \.position, SubscriptionParameters.codec,
      example: SubscriptionParameters.codec.json(SubscriptionParameters(mode: .significant)),
      "The parameters of its position subscription; absent if it has none.")
    Field.required("visits", \.hasVisits, .boolean, example: true, "Whether it has a subscription of visits.")
    Field.required("waiting", \.waiting, .integer(minimum: 0), example: 4, "How many events wait to be acknowledged.")
    Field.required(
      "lastEvent", \.lastEvent, .integer(minimum: 0), example: 1234,
      "The number of the newest event; 0 before the first.")
    Field.required("attached", \.isAttached, .boolean, example: true, "Whether a client is attached.")
    Field.optional(
      "wakeTrouble", \.wakeError, .string, example: "the bus refused it",
      "Why the unit could not be started the last time.")
  }
}
