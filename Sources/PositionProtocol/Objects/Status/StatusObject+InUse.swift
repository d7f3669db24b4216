public import JSONRPC
public import Positioning

extension StatusObject {
  /// A user whose programs are being given positions.
  public struct InUse: WireObject, Hashable {
    /// The user's number.
    public var uid: UInt32
    /// The user's name, where the system has one.
    public var user: String?
    /// The system unit, where it is known safely.
    public var unit: String?
    /// What the programs call themselves, each once.
    public var programs: [String]
    /// Since when.
    public var since: Timestamp

    public init(uid: UInt32, user: String? = nil, unit: String? = nil, programs: [String], since: Timestamp) {
      self.uid = uid
      self.user = user
      self.unit = unit
      self.programs = programs
      self.since = since
    }

    public static let wire = ObjectCodec<InUse>(
      blank: InUse(uid: 0, programs: [], since: .epoch)
    ) {
      Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
      Field.optional("user", \.user, .string, example: "ada", "The user's name, where the system has one.")
      Field.optional(
        "unit", \.unit, .string, example: "tracker.service",
        "The system unit, where it is known safely.")
      Field.required(
        "programs", \.programs, .array(of: .string), example: ["tracker"],
        "What the programs call themselves, each once.")
      Field.required("since", \.since, Timestamp.codec, example: "2026-01-31T12:00:00.000Z", "Since when.")
    }
  }
}
