public import JSONRPC

/// Ends a request in flight with the best fix so far, as its timeout would.
public struct RequestCompleteRequest: RequestType, Hashable {
  public static let method = "request.complete"
  public static let summary = "Ends a request in flight with the best fix so far, as its timeout would."

  /// The id that it was sent with.
  public var request: RequestID

  public init(request: RequestID) {
    self.request = request
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "request", .requestID, example: 7,
      "The id that it was sent with.")
  ]

  public typealias Result = RequestOutcomeResult
  public static let result = ResultDescription(
    "outcome", .reference(RequestOutcomeResult.schemaName), "What became of the request.")
}
