public import JSONRPC
public import Positioning

/// Attaches to a durable name and delivers its events: those that wait, then each as it occurs.
public struct DurableAttachRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.attach"
  public static let summary =
    "Attaches to a durable name and delivers its events: those that wait, then each as it occurs."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.notFound]

  /// The name.
  public var name: String
  /// Acknowledges the events up to this one first.
  public var sinceEvent: Int?

  public init(name: String, sinceEvent: Int? = nil) {
    self.name = name
    self.sinceEvent = sinceEvent
  }

  public static let wire = ObjectCodec<DurableAttachRequest>(blank: DurableAttachRequest(name: "")) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
    Field.optional(
      "sinceEvent", \.sinceEvent, .integer(minimum: 0), example: 1230,
      "Acknowledges the events up to this one first.")
  }

  public typealias Result = DurableInfo
  public static let result = ResultDescription(
    "durable", DurableInfo.wire.schema, "What is registered under the name.")
}
