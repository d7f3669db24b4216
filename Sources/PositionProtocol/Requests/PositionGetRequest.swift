public import JSONRPC
public import Positioning

/// Gets one fix: at once where a cached one serves, else within the timeout.
public struct PositionGetRequest: RequestType, WireObject, Hashable {
  public static let method = "position.get"
  public static let summary = "Gets one fix: at once where a cached one serves, else within the timeout."
  public static let isAllowedInBatch = false

  /// What the client would like: a level, or metres.
  public var accuracy: AccuracyDemand?
  /// What it would accept at the timeout: a level, or metres; absent, the same as accuracy.
  public var acceptableAccuracy: AccuracyDemand?
  /// Seconds that the fix may be old; absent, as the level of accuracy allows.
  public var maxAge: Double?
  /// Seconds to wait; 0 is no limit but the daemon's own.
  public var timeout: Double?
  /// What moves the device.
  public var activity: Activity?
  /// Whether the timeout starts only when the client's permission is decided.
  public var delayUntilAuthorized: Bool?

  public init(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maxAge: Double? = nil,
    timeout: Double? = nil, activity: Activity? = nil, delayUntilAuthorized: Bool? = nil
  ) {
    self.accuracy = accuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.maxAge = maxAge
    self.timeout = timeout
    self.activity = activity
    self.delayUntilAuthorized = delayUntilAuthorized
  }

  public static let wire = ObjectCodec<PositionGetRequest>(blank: PositionGetRequest()) {
    Field.optional(
      "accuracy", \.accuracy, AccuracyDemand.codec, default: "block", example: "house",
      "What the client would like: a level, or metres.")
    Field.optional(
      "acceptableAccuracy", \.acceptableAccuracy, AccuracyDemand.codec, example: 100,
      "What it would accept at the timeout: a level, or metres; absent, the same as accuracy.")
    Field.optional(
      "maxAge", \.maxAge, .number(.seconds), example: 10,
      "Seconds that the fix may be old; absent, as the level of accuracy allows.")
    Field.optional(
      "timeout", \.timeout, .number(.seconds), default: 30, example: 20,
      "Seconds to wait; 0 is no limit but the daemon's own.")
    Field.optional(
      "activity", \.activity, Activity.codec, default: "other", example: "automotive",
      "What moves the device.")
    Field.optional(
      "delayUntilAuthorized", \.delayUntilAuthorized, .boolean, default: false, example: true,
      "Whether the timeout starts only when the client's permission is decided.")
  }

  /// The fix, and how well it serves.
  public struct Result: WireObject, Hashable {
    /// Whether there is an acceptable fix.
    public var status: Status
    /// Whether the fix has the accuracy that the client would like.
    public var isSatisfied: Bool
    /// The best that could be had; absent where there is none that is young enough.
    public var fix: Fix?
    /// The finest level that the fix reaches.
    public var achievedAccuracy: AccuracyLevel?
    /// Whether the fix was there before the request.
    public var isFromCache: Bool
    /// Seconds that the request took.
    public var elapsed: Double
    /// What stands between the client and a better answer.
    public var diagnostics: DiagnosticsObject

    public init(
      status: Status, isSatisfied: Bool, fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil,
      isFromCache: Bool, elapsed: Double, diagnostics: DiagnosticsObject
    ) {
      self.status = status
      self.isSatisfied = isSatisfied
      self.fix = fix
      self.achievedAccuracy = achievedAccuracy
      self.isFromCache = isFromCache
      self.elapsed = elapsed
      self.diagnostics = diagnostics
    }

    public static let wire = ObjectCodec<Result>(
      blank: Result(
        status: .fallback, isSatisfied: false, isFromCache: false, elapsed: 0, diagnostics: DiagnosticsObject.wire.blank
      )
    ) {
      Field.required("status", \.status, Status.codec, example: "success", "Whether there is an acceptable fix.")
      Field.required(
        "satisfied", \.isSatisfied, .boolean, example: true,
        "Whether the fix has the accuracy that the client would like.")
      Field.optional(
        "fix", \.fix, Fix.codec, example: Fix.example,
        "The best that could be had; absent where there is none that is young enough.")
      Field.optional(
        "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
        "The finest level that the fix reaches.")
      Field.required(
        "fromCache", \.isFromCache, .boolean, example: false,
        "Whether the fix was there before the request.")
      Field.required("elapsed", \.elapsed, .number(.nonNegative), example: 2.25, "Seconds that the request took.")
      Field.required(
        "diagnostics", \.diagnostics, DiagnosticsObject.codec, example: DiagnosticsObject.example,
        "What stands between the client and a better answer.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The fix, and how well it serves.")

  public enum Status: String, Hashable, Sendable, CaseIterable {
    case success
    /// Nothing acceptable came in time; `fix` is the best of what is young enough.
    case timedOut
  }
}
