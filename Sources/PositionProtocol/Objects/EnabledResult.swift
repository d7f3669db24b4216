public import JSONRPC

/// Where the master switch stands.
public struct EnabledResult: WireObject, Hashable {
  /// Whether the switch is on; it stays off while the configuration says so.
  public var isEnabled: Bool
  /// False where it counts and is not on the disk yet, because that has trouble; absent where it is.
  public var stored: Bool?
  /// Why what was decided before cannot be read, where the switch was off for that: who was denied is so no more, unless
  /// denied again. Absent where it could be read.
  public var unread: String?

  public init(isEnabled: Bool, stored: Bool? = nil, unread: String? = nil) {
    self.isEnabled = isEnabled
    self.stored = stored
    self.unread = unread
  }

  public static let wire = ObjectCodec<EnabledResult>("EnabledResult", blank: EnabledResult(isEnabled: false)) {
    Field.required(
      "enabled", \.isEnabled, .boolean, example: true,
      "Whether the switch is on; it stays off while the configuration says so.")
    Field.optional(
      "stored", \.stored, .boolean, example: false,
      "False where it counts and is not on the disk yet, because that has trouble; absent where it is.")
    Field.optional(
      "unread", \.unread, .string, example: "open /var/lib/positiond/positiond.db: it is damaged",
      "Why what was decided before cannot be read, where the switch was off for that: who was denied is so no more, unless "
        + "denied again. Absent where it could be read.")
  }
}
