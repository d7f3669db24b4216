public import JSONRPC
public import Positioning

/// What became of a request that was to be ended.
public struct RequestOutcomeResult: WireObject, Hashable {
  /// What became of it.
  public var outcome: RequestOutcome

  public init(outcome: RequestOutcome) {
    self.outcome = outcome
  }

  public static let wire = ObjectCodec<RequestOutcomeResult>(
    "RequestOutcomeResult", blank: RequestOutcomeResult(outcome: .fallback)
  ) {
    Field.required("outcome", \.outcome, RequestOutcome.codec, example: "completed", "What became of it.")
  }
}
