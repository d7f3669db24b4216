public import JSONRPC
public import Positioning

/// Tells the newest fix, and never turns the receiver on.
public struct PositionLastRequest: RequestType, Hashable {
  public static let method = "position.last"
  public static let summary = "Tells the newest fix, and never turns the receiver on."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// The newest fix.
  public struct Result: DescribedObject {
    /// The newest fix, however old.
    public var fix: FixObject?
    /// The finest level that it reaches.
    public var achievedAccuracy: AccuracyLevel?
    /// Why there is or is not a fresh one.
    public var availability: Availability

    public init(fix: FixObject? = nil, achievedAccuracy: AccuracyLevel? = nil, availability: Availability) {
      self.fix = fix
      self.achievedAccuracy = achievedAccuracy
      self.availability = availability
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "fix", .reference(FixObject.schemaName), .optional, example: DescribedExample.of(FixObject.self),
        "The newest fix, however old."),
      FieldDescription(
        "achievedAccuracy", .choice(of: AccuracyLevel.self), .optional, example: "house",
        "The finest level that it reaches."),
      FieldDescription(
        "availability", .choice(of: Availability.self), example: "poweredDown",
        "Why there is or is not a fresh one."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "The newest fix.")
}
