public import JSONRPC

/// Where the master switch stands.
public struct EnabledResult: DescribedObject {
  /// Whether the switch is on; it stays off while the configuration says so.
  public var isEnabled: Bool

  public init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  private enum CodingKeys: String, CodingKey {
    case isEnabled = "enabled"
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "enabled", .boolean, example: true,
      "Whether the switch is on; it stays off while the configuration says so.")
  ]
}
