public import JSONRPC

/// Lists the requests of this connection that are in flight.
public struct RequestListRequest: RequestType, Hashable {
  public static let method = "request.list"
  public static let summary = "Lists the requests of this connection that are in flight."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// The requests of this connection that are in flight.
  public struct Result: DescribedObject {
    /// The oldest first.
    public var requests: [RequestObject]

    public init(requests: [RequestObject]) {
      self.requests = requests
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "requests", .array(.reference(RequestObject.schemaName)), example: [DescribedExample.of(RequestObject.self)],
        "The oldest first.")
    ]
  }

  public static let result = ResultDescription(
    "result", .object(Result.fields), "The requests of this connection that are in flight.")
}
