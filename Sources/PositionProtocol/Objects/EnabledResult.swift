public import JSONRPC

/// The state of the master switch.
public struct EnabledResult: WireObject, Hashable {
  /// Whether the master switch is on; the configuration can keep it off.
  public var isEnabled: Bool
  /// False if it applies but is not on the disk yet because of an error; else absent.
  public var stored: Bool?
  /// Why earlier decisions cannot be read, if the switch was off for that reason: denials from then no longer apply and
  /// must be repeated. Absent if they could be read.
  public var unread: String?

  public init(isEnabled: Bool, stored: Bool? = nil, unread: String? = nil) {
    self.isEnabled = isEnabled
    self.stored = stored
    self.unread = unread
  }

  public static let wire = ObjectCodec<EnabledResult>("EnabledResult", blank: EnabledResult(isEnabled: false)) {
    Field.required(
      "enabled", \.isEnabled, .boolean, example: true,
      "Whether the master switch is on; the configuration can keep it off.")
    Field.optional(
      "stored", \.stored, .boolean, example: false,
      "False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.")
    Field.optional(
      "unread", \.unread, .string, example: "open /var/lib/positiond/positiond.db: it is damaged",
      "Why earlier decisions cannot be read, if the switch was off for that reason: denials from then no longer apply and "
        + "must be repeated. Absent if they could be read.")
  }
}
