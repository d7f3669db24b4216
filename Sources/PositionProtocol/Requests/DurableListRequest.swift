public import JSONRPC

/// Lists the user's durable names and what is registered under each.
public struct DurableListRequest: RequestType, Hashable {
  public static let method = "durable.list"
  public static let summary = "Lists the user's durable names and what is registered under each."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// The user's durable names.
  public struct Result: DescribedObject {
    /// In the order of their letters.
    public var names: [DurableObject]

    public init(names: [DurableObject]) {
      self.names = names
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "names", .array(.reference(DurableObject.schemaName)), example: [DescribedExample.of(DurableObject.self)],
        "In the order of their letters.")
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "The user's durable names.")
}
