public import JSONRPC

/// Lists the requests of this connection that are in flight.
public struct RequestListRequest: RequestType, WireObject, Hashable {
  public static let method = "request.list"
  public static let summary = "Lists the requests of this connection that are in flight."

  public init() {}

  public static let wire = ObjectCodec<RequestListRequest>(blank: RequestListRequest()) {}

  /// The requests of this connection that are in flight.
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
    "result", Result.wire.schema, "The requests of this connection that are in flight.")
}
