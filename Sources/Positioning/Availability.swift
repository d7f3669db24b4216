/// Why there is or is not a fresh fix. If several apply, the last in this order is reported.
public enum Availability: String, Hashable, Sendable, CaseIterable, Comparable {
  /// There is a fix that is as fresh as requested.
  case available
  /// There is a fix, and it cannot be trusted.
  case untrusted
  /// A fix is searched for, and there is none yet; the receiver is on, or rests until the next attempt.
  case searching
  /// The newest fix is older than requested.
  case stale
  /// There was a fix, and the receiver reports that it has none now.
  case lost
  /// The client's permission gives less accuracy than requested.
  case accuracyLimited
  /// Nobody needs the receiver.
  case poweredDown
  /// gpsd has no device, or the device sends nothing.
  case receiverMissing
  /// gpsd serves as many clients as it can.
  case gpsdFull
  /// gpsd cannot be reached.
  case gpsdDown
  /// The client may not know.
  case denied
  /// Unknown to a client: its connection is lost, or a later daemon sent a value that it does not know. No daemon sends
  /// it, and it is below all others.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [Availability] = [
    .available, .untrusted, .searching, .stale, .lost, .accuracyLimited, .poweredDown, .receiverMissing, .gpsdFull,
    .gpsdDown, .denied,
  ]

  public static func < (left: Availability, right: Availability) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    Availability.allCases.firstIndex(of: self) ?? -1
  }
}

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
  /// What is known of the receiver's power.
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

/// What is wrong with the reports of a receiver that reports.
public enum ReceiverProblem: String, Hashable, Sendable, CaseIterable {
  /// It repeats an earlier report, the receiver's own time included, as a receiver does that hangs.
  case repeating
  /// Its positions arrive later than they did, over a link that holds them back.
  case late
  /// It reports no accuracy, so no request for one can be satisfied.
  case noAccuracy
  /// Its antenna's line is shorted, as a broken cable or plug does.
  case antennaShort
  /// It has no fix, and finds no antenna on its line. With a fix that is no problem: a passive antenna is not found either.
  case antennaOpen

  /// What is wrong, in words.
  package var text: String {
    switch self {
    case .repeating: "the receiver repeats an earlier report, as one that hangs does"
    case .late: "the receiver's positions arrive late, over a link that holds them back"
    case .noAccuracy: "the receiver reports no accuracy; assumed-accuracy= in [receiver] says which to assume"
    case .antennaShort: "the receiver reports that its antenna's line is shorted"
    case .antennaOpen: "the receiver reports that no antenna is connected"
    }
  }
}
