public import JSONRPC

/// Removes a durable name with all that is registered under it and all that waits.
public struct DurableRemoveRequest: RequestType, Hashable {
  public static let method = "durable.remove"
  public static let summary = "Removes a durable name with all that is registered under it and all that waits."

  /// The name.
  public var name: String

  public init(name: String) {
    self.name = name
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription("name", .string(maximumBytes: DurableParameter.maximumBytes), example: "tracker", "The name.")
  ]

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", .reference(DurableWaitingResult.schemaName), "What was never taken, and is gone.")
}
