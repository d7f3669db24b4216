public import JSONRPC
public import Positioning

extension DurableRequest: WireObject {
  public static let wire = ObjectCodec<DurableRequest>(blank: DurableRequest(name: "")) {
    Field.required(
      "name", \.name, .durableName, example: "tracker",
      "The name: 1 to 64 bytes without control characters.")
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
