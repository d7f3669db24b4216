public import JSONRPC

/// One delivery of a status subscription: the whole status, and which of its parts changed.
///
/// On the wire the status' members stand beside `subscription`. It is the whole so that a client needs no copy of its
/// own to merge changes into.
public struct StatusUpdateNotification: NotificationType, Hashable {
  public static let method = "status.update"
  public static let summary = "One delivery of a status subscription: the whole status, and which of its parts changed."

  /// Its number.
  public var subscription: Int
  /// What changed since the update before; all at first.
  public var changed: [StatusObject.Part]
  public var status: StatusObject

  public init(subscription: Int, changed: [StatusObject.Part], status: StatusObject) {
    self.subscription = subscription
    self.changed = changed
    self.status = status
  }

  public static let parameters: [FieldDescription] =
    [
      SubscriptionNumber.field,
      FieldDescription(
        "changed", .array(.choice(of: StatusObject.Part.self)), example: ["power"],
        "What changed since the update before; all at first."),
    ] + StatusObject.fields

  private enum CodingKeys: CodingKey { case changed }

  public init(from decoder: any Decoder) throws {
    self.subscription = try SubscriptionNumber(from: decoder).subscription
    self.changed = try decoder.container(keyedBy: CodingKeys.self).decode([StatusObject.Part].self, forKey: .changed)
    self.status = try StatusObject(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SubscriptionNumber(subscription: self.subscription).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.changed, forKey: .changed)
    try self.status.encode(to: encoder)
  }
}
