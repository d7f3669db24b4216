public import JSONRPC

/// Ends a request in flight with the best fix so far, as its timeout would.
public struct RequestCompleteRequest: RequestType, WireObject, Hashable {
  public static let method = "request.complete"
  public static let summary = "Ends a request in flight with the best fix so far, as its timeout would."

  /// The id that it was sent with.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let wire = ObjectCodec<RequestCompleteRequest>(blank: RequestCompleteRequest(request: 0)) {
    Field.required("request", \.request, RequestID.codec, example: 7, "The id that it was sent with.")
  }

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", RequestOutcomeResult.wire.schema, "What became of the request.")
}
