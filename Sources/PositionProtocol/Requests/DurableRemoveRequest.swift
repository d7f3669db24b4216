public import JSONRPC

/// Removes a durable name with its registrations and waiting events.
public struct DurableRemoveRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.remove"
  public static let summary = "Removes a durable name with its registrations and waiting events."
  public static let errors: [RPCError.Code] = [.notFound]

  /// The name.
  public var name: String

  public init(name: String) {
    self.name = name
  }

  public static let wire = ObjectCodec<DurableRemoveRequest>(blank: DurableRemoveRequest(name: "")) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
  }

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", DurableWaitingResult.wire.schema, "How many events were never acknowledged and are lost.")
}
