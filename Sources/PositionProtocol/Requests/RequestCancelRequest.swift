public import JSONRPC

/// Ends an open request with the error -32800.
public struct RequestCancelRequest: RequestType, WireObject, Hashable {
  public static let method = "request.cancel"
  public static let summary = "Ends an open request with the error -32800."

  /// The request's id.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let wire = ObjectCodec<RequestCancelRequest>(blank: RequestCancelRequest(request: 0)) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The request's id.")
  }

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", RequestOutcomeResult.wire.schema, "What happened to the request.")
}
