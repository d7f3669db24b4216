public import JSONRPC

/// What became of a request that was to be ended.
public struct RequestOutcomeResult: DescribedObject {
  /// What became of it.
  public var outcome: Outcome

  public init(outcome: Outcome) {
    self.outcome = outcome
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "outcome", .choice(of: Outcome.self), example: "completed",
      "What became of it.")
  ]

  public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
    case completed, cancelled
    /// No such request is in flight.
    case unknown
  }
}
