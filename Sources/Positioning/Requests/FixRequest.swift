/// A one-shot request for a fix.
public struct FixRequest: Hashable, Sendable {
  /// What the client would like; `nil`: what any fix of a working receiver meets, as precisely as the client may know it.
  public var accuracy: AccuracyDemand?
  /// What it would accept at the timeout; `nil`: the same.
  public var acceptableAccuracy: AccuracyDemand?
  /// How old the fix may be; `nil`: as old as the demand's level allows.
  public var maximumAge: Duration?
  /// How long it waits; zero: until the daemon's own limit.
  public var timeout: Duration
  public var activity: Activity
  /// Whether the timeout begins when the client's permission is decided.
  public var delaysUntilAuthorized: Bool

  public init(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other, delaysUntilAuthorized: Bool = false
  ) {
    self.accuracy = accuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.maximumAge = maximumAge
    self.timeout = timeout
    self.activity = activity
    self.delaysUntilAuthorized = delaysUntilAuthorized
  }

  /// What is meant by it for a client that may know so much.
  package func demand(_ precision: Precision) -> AccuracyDemand {
    self.accuracy ?? .level(precision == .reduced ? .city : .block)
  }

  /// The same with the defaults filled in, as its client may list it.
  package var complete: FixRequest {
    var request = self
    let accuracy = self.demand(.precise)
    request.accuracy = accuracy
    request.acceptableAccuracy = self.acceptableAccuracy ?? accuracy
    request.maximumAge = self.maximumAge ?? accuracy.maximumAge
    request.delaysUntilAuthorized = false
    return request
  }
}

/// How a one-shot request ended: the best that could be had, and how well it serves.
public struct FixResult: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// An acceptable fix came.
    case success
    /// Nothing acceptable came in time; `fix` is the best of what is young enough.
    case timedOut
  }

  public var status: Status
  /// Whether the fix has the accuracy that was asked for, not only what would be accepted.
  public var isSatisfied: Bool
  /// Absent only where nothing young enough is known.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Whether the fix was there before the request.
  public var isFromCache: Bool
  /// How long the daemon took.
  public var elapsed: Duration
  /// What stands between the client and a better answer.
  public var diagnostics: Diagnostics

  public init(
    status: Status, isSatisfied: Bool, fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil,
    isFromCache: Bool = false, elapsed: Duration = .zero, diagnostics: Diagnostics
  ) {
    self.status = status
    self.isSatisfied = isSatisfied
    self.fix = fix
    self.achievedAccuracy = achievedAccuracy
    self.isFromCache = isFromCache
    self.elapsed = elapsed
    self.diagnostics = diagnostics
  }
}

/// The newest fix that the daemon has, and why there is or is not a fresher one.
public struct LastFix: Hashable, Sendable {
  /// However old; absent where there has been none.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresher fix.
  public var availability: Availability

  public init(fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil, availability: Availability) {
    self.fix = fix
    self.achievedAccuracy = achievedAccuracy
    self.availability = availability
  }
}
