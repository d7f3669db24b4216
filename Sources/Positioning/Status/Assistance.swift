/// What the receiver was given at a start so that it finds itself sooner.
public struct Assistance: Hashable, Sendable {
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The time of the system's clock.
    case time
    /// Where the receiver was last.
    case position
    /// What the receiver knew of its satellites, as it said itself.
    case orbits
    /// Where the satellites are by a prediction that an administrator has put in a folder.
    case predictedOrbits
  }

  /// What it was given; empty: nothing, because of the problem.
  public var given: [Part]
  /// When; or when the problem came up.
  public var at: Instant
  /// Why it was not given all; in words, and `nil`: it was.
  public var problem: String?

  public init(given: [Part], at: Instant, problem: String? = nil) {
    self.given = given
    self.at = at
    self.problem = problem
  }
}
