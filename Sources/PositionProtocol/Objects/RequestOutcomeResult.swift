public import JSONRPC
public import Positioning

/// What happened to a request.
public struct RequestOutcomeResult: WireObject, Hashable {
  /// What happened to the request.
  public var outcome: RequestOutcome

  public init(outcome: RequestOutcome) {
    self.outcome = outcome
  }

  public static let wire = ObjectCodec<RequestOutcomeResult>(
    "RequestOutcomeResult", blank: RequestOutcomeResult(outcome: .fallback)
  ) {
    Field.required("outcome", \.outcome, RequestOutcome.codec, example: "completed", "What happened to the request.")
  }
}
