public import JSONRPC

/// Ends an open request with the best fix so far, as its timeout would.
public struct RequestCompleteRequest: RequestType, WireObject, Hashable {
  public static let method = "request.complete"
  public static let summary = "Ends an open request with the best fix so far, as its timeout would."

  /// The request's id.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let wire = ObjectCodec<RequestCompleteRequest>(blank: RequestCompleteRequest(request: 0)) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The request's id.")
  }

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", RequestOutcomeResult.wire.schema, "What happened to the request.")
}
