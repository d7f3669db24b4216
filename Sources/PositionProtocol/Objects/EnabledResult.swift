public import JSONRPC

/// Where the master switch stands.
public struct EnabledResult: DescribedObject {
  /// Whether the switch is on; it stays off while the configuration says so.
  public var isEnabled: Bool
  /// False where it counts and is not on the disk yet, because that has trouble; absent where it is.
  public var stored: Bool?

  public init(isEnabled: Bool, stored: Bool? = nil) {
    self.isEnabled = isEnabled
    self.stored = stored
  }

  private enum CodingKeys: String, CodingKey {
    case isEnabled = "enabled"
    case stored
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "enabled", .boolean, example: true,
      "Whether the switch is on; it stays off while the configuration says so."),
    FieldDescription(
      "stored", .boolean, .optional, example: false,
      "False where it counts and is not on the disk yet, because that has trouble; absent where it is."),
  ]
}
