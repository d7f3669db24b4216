public import JSONRPC

/// Says that the events of a durable name were taken, up to one of them; they do not come again.
public struct DurableAcknowledgeRequest: RequestType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<DurableAcknowledgeRequest>(
    blank: DurableAcknowledgeRequest(name: "", event: 0)
  ) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
    Field.required("event", \.event, .integer(minimum: 0), example: 1234, "The newest of the events that were taken.")
  }

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", DurableWaitingResult.wire.schema, "What still waits.")
}
