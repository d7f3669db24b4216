public import JSONRPC
public import Positioning

extension Grant: WireObject {
  public static let wire = ObjectCodec<Grant>(
    "Grant", blank: Grant(uid: 0, decision: Decision(user: "", level: nil, at: .boot))
  ) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.required(
      "user", \.writtenUser, .string, example: "ada",
      "The user's name at the time of the decision, which holds only for this number and name together.")
    Field.required("level", \.decision.level, .granted, example: "whenInUse", "The level that the programs have.")
    Field.optional(
      "precision", \.writtenPrecision, Precision.codec, example: "precise",
      "How precisely they may know the position; absent with deny.")
    Field.required("time", \.decision.at, .wallClock, example: "2026-01-31T12:00:00.000Z", "When it was decided.")
    Field.optional(
      "stored", \.writtenStored, .boolean, example: false,
      "False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.")
  }

  fileprivate var writtenUser: String {
    get { self.decision.user ?? "" }
    set { self.decision.user = newValue }
  }

  fileprivate var writtenPrecision: Precision? {
    get { self.decision.level == nil ? nil : self.decision.precision }
    set { self.decision.precision = newValue ?? .precise }
  }

  fileprivate var writtenStored: Bool? {
    get { self.isStored ? nil : false }
    set { self.isStored = newValue ?? true }
  }
}

extension Codec where Value == AuthorizationLevel? {
  /// The granted level; `nil` is `deny`. An enum value of a later version reads as `nil` too.
  static var granted: Codec {
    Codec<GrantedLevel>.word(fallback: .deny).map(to: { $0.level }, from: { GrantedLevel($0) })
  }
}
