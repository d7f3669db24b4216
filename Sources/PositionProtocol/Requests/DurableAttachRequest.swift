public import JSONRPC

/// Takes the events of a durable name: those that wait, and from then on each as it comes.
public struct DurableAttachRequest: RequestType, Hashable {
  public static let method = "durable.attach"
  public static let summary = "Takes the events of a durable name: those that wait, and from then on each as it comes."
  public static let isAllowedInBatch = false

  /// The name.
  public var name: String
  /// Acknowledges the events up to this one first.
  public var sinceEvent: Int?

  public init(name: String, sinceEvent: Int? = nil) {
    self.name = name
    self.sinceEvent = sinceEvent
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription("name", .string(maximumBytes: DurableParameter.maximumBytes), example: "tracker", "The name."),
    FieldDescription(
      "sinceEvent", .integer(minimum: 0), .optional, example: 1230,
      "Acknowledges the events up to this one first."),
  ]

  public typealias Result = DurableObject
  public static let result = ResultDescription(
    "durable", .reference(DurableObject.schemaName), "What is registered under the name.")
}
