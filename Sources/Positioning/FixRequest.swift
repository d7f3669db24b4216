/// A one-shot request for a fix.
public struct FixRequest: Hashable, Sendable {
  /// The desired accuracy: a level, or metres; `nil`: one that any fix of a working receiver meets, at the client's
  /// precision.
  public var accuracy: AccuracyDemand?
  /// The accuracy that is accepted at the timeout: a level, or metres; `nil`: the desired one.
  public var acceptableAccuracy: AccuracyDemand?
  /// The greatest age of the fix; `nil`: that of the accuracy's level.
  public var maximumAge: Duration?
  /// How long the request waits; zero: as long as the daemon allows.
  public var timeout: Duration
  public var activity: Activity
  /// The least integrity of the fix.
  public var integrity: IntegrityDemand
  /// Whether the timeout starts only once the client's permission is decided.
  public var delaysUntilAuthorized: Bool

  public init(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other, integrity: IntegrityDemand = .suspect,
    delaysUntilAuthorized: Bool = false
  ) {
    self.accuracy = accuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.maximumAge = maximumAge
    self.timeout = timeout
    self.activity = activity
    self.integrity = integrity
    self.delaysUntilAuthorized = delaysUntilAuthorized
  }

  /// The request with the defaults filled in for a client of this precision.
  package func demand(_ precision: Precision) -> AccuracyDemand {
    self.accuracy ?? .level(precision == .reduced ? .city : .block)
  }

  /// The request with the defaults filled in, as its client may list it.
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

/// The result of a one-shot request: the best fix, and how good it is.
public struct FixResult: Hashable, Sendable {
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// An acceptable fix came.
    case success
    /// No acceptable fix arrived in time; `fix` is the best that is young enough.
    case timedOut
  }

  public var status: Status
  /// Whether the fix has the desired accuracy; the accepted one is not enough.
  public var isSatisfied: Bool
  /// The best fix; absent if none is young enough.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Whether the fix is older than the request.
  public var isFromCache: Bool
  /// How long the request took.
  public var elapsed: Duration
  /// Why there is no better answer.
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
  /// The newest fix, however old; absent if there was none.
  public var fix: Fix?
  /// The finest level that it reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresh fix.
  public var availability: Availability

  public init(fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil, availability: Availability) {
    self.fix = fix
    self.achievedAccuracy = achievedAccuracy
    self.availability = availability
  }
}

/// A request in flight.
public struct RequestInfo: Hashable, Sendable {
  /// The requests that can be pending.
  public enum Asked: Hashable, Sendable {
    case fix(FixRequest)
    case heading(HeadingRequest)
  }

  /// The parameters of the request, with the defaults filled in.
  public var asked: Asked
  /// The time since it was received.
  public var elapsed: Duration
  /// The time until its timeout.
  public var remaining: Duration

  public init(asked: Asked, elapsed: Duration, remaining: Duration) {
    self.asked = asked
    self.elapsed = elapsed
    self.remaining = remaining
  }
}
