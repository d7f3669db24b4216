public import JSONRPC
public import Positioning

/// Tells the newest fix, and never turns the receiver on.
public struct PositionLastRequest: RequestType, WireObject, Hashable {
  public static let method = "position.last"
  public static let summary = "Tells the newest fix, and never turns the receiver on."

  public init() {}

  public static let wire = ObjectCodec<PositionLastRequest>(blank: PositionLastRequest()) {}

  /// The newest fix.
  public struct Result: WireObject, Hashable {
    /// The newest fix, however old.
    public var fix: Fix?
    /// The finest level that it reaches.
    public var achievedAccuracy: AccuracyLevel?
    /// Why there is or is not a fresh one.
    public var availability: Availability

    public init(fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil, availability: Availability) {
      self.fix = fix
      self.achievedAccuracy = achievedAccuracy
      self.availability = availability
    }

    public static let wire = ObjectCodec<Result>(blank: Result(availability: .fallback)) {
      Field.optional("fix", \.fix, Fix.codec, example: Fix.example, "The newest fix, however old.")
      Field.optional(
        "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "house",
        "The finest level that it reaches.")
      Field.required(
        "availability", \.availability, Availability.codec, example: "poweredDown",
        "Why there is or is not a fresh one.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The newest fix.")
}
