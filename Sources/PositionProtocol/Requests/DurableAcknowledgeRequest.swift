public import JSONRPC

/// Says that the events of a durable name were taken, up to one of them; they do not come again.
public struct DurableAcknowledgeRequest: RequestType, Hashable {
  public static let method = "durable.acknowledge"
  public static let summary =
    "Says that the events of a durable name were taken, up to one of them; they do not come again."

  /// The name.
  public var name: String
  /// The newest of the events that were taken.
  public var event: Int

  public init(name: String, event: Int) {
    self.name = name
    self.event = event
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription("name", .string(maximumBytes: DurableParameter.maximumBytes), example: "tracker", "The name."),
    FieldDescription("event", .integer(minimum: 0), example: 1234, "The newest of the events that were taken."),
  ]

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", .reference(DurableWaitingResult.schemaName), "What still waits.")
}
