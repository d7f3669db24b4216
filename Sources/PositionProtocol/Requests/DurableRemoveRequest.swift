public import JSONRPC

/// Removes a durable name with all that is registered under it and all that waits.
public struct DurableRemoveRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.remove"
  public static let summary = "Removes a durable name with all that is registered under it and all that waits."

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
    "waiting", DurableWaitingResult.wire.schema, "What was never taken, and is gone.")
}
