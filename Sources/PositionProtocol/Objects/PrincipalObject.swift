public import JSONRPC

/// Who a client is. Only `name` and `purpose` are the program's own words; the rest is the kernel's.
public struct PrincipalObject: WireObject, Hashable {
  /// The user's number.
  public var uid: UInt32
  /// The user's name, where the system has one.
  public var user: String?
  /// The numbers of the groups, the primary one first.
  public var groups: [UInt32]
  /// The process that connected; a durable name has none.
  public var pid: Int32?
  /// The system unit, where it is known safely.
  public var unit: String?
  /// What the program calls itself.
  public var name: String?
  /// What the program says it wants positions for.
  public var purpose: String?

  public init(
    uid: UInt32, user: String? = nil, groups: [UInt32], pid: Int32? = nil, unit: String? = nil, name: String? = nil,
    purpose: String? = nil
  ) {
    self.uid = uid
    self.user = user
    self.groups = groups
    self.pid = pid
    self.unit = unit
    self.name = name
    self.purpose = purpose
  }

  public static let wire = ObjectCodec<PrincipalObject>("Principal", blank: PrincipalObject(uid: 0, groups: [])) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.optional("user", \.user, .string, example: "ada", "The user's name, where the system has one.")
    Field.required(
      "groups", \.groups, .array(of: .integer(minimum: 0)), example: [1000, 27],
      "The numbers of the groups, the primary one first.")
    Field.optional(
      "pid", \.pid, .integer(minimum: 0), example: 4242,
      "The process that connected; a durable name has none.")
    Field.optional("unit", \.unit, .string, example: "tracker.service", "The system unit, where it is known safely.")
    Field.optional(
      "name", \.name, .string(maximumBytes: 64), example: "tracker",
      "What the program calls itself, or the durable name.")
    Field.optional(
      "purpose", \.purpose, .string(maximumBytes: 256), example: "Shows the boat on the chart",
      "What the program says it wants positions for.")
  }
}
