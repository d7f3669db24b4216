public import JSONRPC
public import Positioning

/// Lists the user's durable names and what is registered under each.
public struct DurableListRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.list"
  public static let summary = "Lists the user's durable names and what is registered under each."

  public init() {}

  public static let wire = ObjectCodec<DurableListRequest>(blank: DurableListRequest()) {}

  /// The user's durable names.
  public struct Result: WireObject, Hashable {
    /// In alphabetical order.
    public var names: [DurableInfo]

    public init(names: [DurableInfo]) {
      self.names = names
    }

    public static let wire = ObjectCodec<Result>(blank: Result(names: [])) {
      Field.required(
        "names", \.names, .array(of: DurableInfo.codec), example: [DurableInfo.example],
        "In alphabetical order.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The user's durable names.")
}
