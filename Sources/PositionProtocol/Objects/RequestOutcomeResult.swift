public import JSONRPC

/// What became of a request that was to be ended.
public struct RequestOutcomeResult: WireObject, Hashable {
  /// What became of it.
  public var outcome: Outcome

  public init(outcome: Outcome) {
    self.outcome = outcome
  }

  public static let wire = ObjectCodec<RequestOutcomeResult>(
    "RequestOutcomeResult", blank: RequestOutcomeResult(outcome: .fallback)
  ) {
    Field.required("outcome", \.outcome, Outcome.codec, example: "completed", "What became of it.")
  }

  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case completed, cancelled
    /// No such request is in flight.
    case unknown
  }
}
