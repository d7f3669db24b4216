public import JSONRPC

/// Lists the open requests of this connection.
public struct RequestListRequest: RequestType, WireObject, Hashable {
  public static let method = "request.list"
  public static let summary = "Lists the open requests of this connection."

  public init() {}

  public static let wire = ObjectCodec<RequestListRequest>(blank: RequestListRequest()) {}

  /// The open requests of this connection.
  public struct Result: WireObject, Hashable {
    /// The oldest first.
    public var requests: [ListedRequest]

    public init(requests: [ListedRequest]) {
      self.requests = requests
    }

    public static let wire = ObjectCodec<Result>(blank: Result(requests: [])) {
      Field.required(
        "requests", \.requests, .array(of: ListedRequest.codec), example: [ListedRequest.example],
        "The oldest first.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The open requests of this connection.")
}
