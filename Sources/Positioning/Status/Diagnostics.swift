/// Why there is no better answer.
public struct Diagnostics: Hashable, Sendable {
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many dimensions the receiver solves for; absent without a fix.
  public var mode: Fix.Mode?
  /// How many satellites the receiver sees.
  public var satellitesSeen: Int?
  /// How many of them its solution uses.
  public var satellitesUsed: Int?
  /// How old the newest fix is.
  public var lastFixAge: Duration?
  /// The receiver's path.
  public var receiver: String?
  /// The receiver's power, as far as it is known.
  public var power: PowerState.State
  /// The state of the receiver and gpsd in words, if there is something to say.
  public var detail: String?
  /// What is wrong with the receiver's reports; `nil` if nothing is.
  public var problem: ReceiverProblem?
  /// How much later than at best positions arrive, if that is more than usual.
  public var lag: Duration?

  public init(
    availability: Availability, mode: Fix.Mode? = nil, satellitesSeen: Int? = nil, satellitesUsed: Int? = nil,
    lastFixAge: Duration? = nil, receiver: String? = nil, power: PowerState.State, detail: String? = nil,
    problem: ReceiverProblem? = nil, lag: Duration? = nil
  ) {
    self.availability = availability
    self.mode = mode
    self.satellitesSeen = satellitesSeen
    self.satellitesUsed = satellitesUsed
    self.lastFixAge = lastFixAge
    self.receiver = receiver
    self.power = power
    self.detail = detail
    self.problem = problem
    self.lag = lag
  }
}
