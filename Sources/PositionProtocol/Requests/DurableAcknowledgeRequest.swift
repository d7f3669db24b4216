public import JSONRPC

/// Acknowledges the events of a durable name up to one of them; they are not delivered again.
public struct DurableAcknowledgeRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.acknowledge"
  public static let summary =
    "Acknowledges the events of a durable name up to one of them; they are not delivered again."
  public static let errors: [RPCError.Code] = [.notFound]

  /// The name.
  public var name: String
  /// The newest of the acknowledged events.
  public var event: Int

  public init(name: String, event: Int) {
    self.name = name
    self.event = event
  }

  public static let wire = ObjectCodec<DurableAcknowledgeRequest>(
    blank: DurableAcknowledgeRequest(name: "", event: 0)
  ) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
    Field.required("event", \.event, .integer(minimum: 0), example: 1234, "The newest of the acknowledged events.")
  }

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", DurableWaitingResult.wire.schema, "How many events still wait.")
}
