public import JSONRPC
public import Positioning

/// What was decided for all programs of one user, by the user or an administrator.
public struct GrantObject: WireObject, Hashable {
  /// The user's number.
  public var uid: UInt32
  /// The user's name when it was decided: it holds for the number and the name together.
  public var user: String
  /// What the programs may have.
  public var level: Level
  /// How precisely they may know the position; absent with deny.
  public var precision: AuthorizationObject.Precision?
  /// When it was decided.
  public var time: Timestamp
  /// False where it counts and is not on the disk yet, because that has trouble; absent where it is.
  public var stored: Bool?

  public init(
    uid: UInt32, user: String, level: Level, precision: AuthorizationObject.Precision? = nil, time: Timestamp,
    stored: Bool? = nil
  ) {
    self.uid = uid
    self.user = user
    self.level = level
    self.precision = precision
    self.time = time
    self.stored = stored
  }

  public static let wire = ObjectCodec<GrantObject>(
    "Grant", blank: GrantObject(uid: 0, user: "", level: .fallback, time: .epoch)
  ) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.required(
      "user", \.user, .string, example: "ada",
      "The user's name when it was decided: it holds for the number and the name together.")
    Field.required("level", \.level, Level.codec, example: "whenInUse", "What the programs may have.")
    Field.optional(
      "precision", \.precision, AuthorizationObject.Precision.codec, example: "precise",
      "How precisely they may know the position; absent with deny.")
    Field.required("time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z", "When it was decided.")
    Field.optional(
      "stored", \.stored, .boolean, example: false,
      "False where it counts and is not on the disk yet, because that has trouble; absent where it is.")
  }

  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case deny
    /// While connected.
    case whenInUse
    /// Also for what outlives the connection.
    case always
  }
}
