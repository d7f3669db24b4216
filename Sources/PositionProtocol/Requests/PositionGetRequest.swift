public import JSONRPC
public import Positioning

/// Gets one fix: at once where a cached one serves, else within the timeout.
public struct PositionGetRequest: RequestType, Hashable {
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

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "accuracy", .accuracy, .defaulted("block"), example: "house",
      "What the client would like: a level, or metres."),
    FieldDescription(
      "acceptableAccuracy", .accuracy, .optional, example: 100,
      "What it would accept at the timeout: a level, or metres; absent, the same as accuracy."),
    FieldDescription(
      "maxAge", .number(.seconds), .optional, example: 10,
      "Seconds that the fix may be old; absent, as the level of accuracy allows."),
    FieldDescription(
      "timeout", .number(.seconds), .defaulted(30), example: 20,
      "Seconds to wait; 0 is no limit but the daemon's own."),
    FieldDescription(
      "activity", .choice(of: Activity.self), .defaulted("other"), example: "automotive",
      "What moves the device."),
    FieldDescription(
      "delayUntilAuthorized", .boolean, .defaulted(false), example: true,
      "Whether the timeout starts only when the client's permission is decided."),
  ]

  /// The fix, and how well it serves.
  public struct Result: DescribedObject {
    /// Whether there is an acceptable fix.
    public var status: Status
    /// Whether the fix has the accuracy that the client would like.
    public var isSatisfied: Bool
    /// The best that could be had; absent where there is none that is young enough.
    public var fix: FixObject?
    /// The finest level that the fix reaches.
    public var achievedAccuracy: AccuracyLevel?
    /// Whether the fix was there before the request.
    public var isFromCache: Bool
    /// Seconds that the request took.
    public var elapsed: Double
    /// What stands between the client and a better answer.
    public var diagnostics: DiagnosticsObject

    public init(
      status: Status, isSatisfied: Bool, fix: FixObject? = nil, achievedAccuracy: AccuracyLevel? = nil,
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

    private enum CodingKeys: String, CodingKey {
      case status
      case isSatisfied = "satisfied"
      case fix
      case achievedAccuracy
      case isFromCache = "fromCache"
      case elapsed
      case diagnostics
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "status", .choice(of: Status.self), example: "success",
        "Whether there is an acceptable fix."),
      FieldDescription(
        "satisfied", .boolean, example: true,
        "Whether the fix has the accuracy that the client would like."),
      FieldDescription(
        "fix", .reference(FixObject.schemaName), .optional, example: DescribedExample.of(FixObject.self),
        "The best that could be had; absent where there is none that is young enough."),
      FieldDescription(
        "achievedAccuracy", .choice(of: AccuracyLevel.self), .optional, example: "room",
        "The finest level that the fix reaches."),
      FieldDescription(
        "fromCache", .boolean, example: false,
        "Whether the fix was there before the request."),
      FieldDescription(
        "elapsed", .number(.nonNegative), example: 2.25,
        "Seconds that the request took."),
      FieldDescription(
        "diagnostics", .reference(DiagnosticsObject.schemaName), example: DescribedExample.of(DiagnosticsObject.self),
        "What stands between the client and a better answer."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "The fix, and how well it serves.")

  public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
    case success
    /// Nothing acceptable came in time; `fix` is the best of what is young enough.
    case timedOut
  }
}
