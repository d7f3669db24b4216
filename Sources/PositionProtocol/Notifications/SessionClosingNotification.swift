public import JSONRPC

/// The daemon closes the connection.
public struct SessionClosingNotification: NotificationType, Hashable {
  public static let method = "session.closing"
  public static let summary = "The daemon closes the connection."

  /// Why.
  public var reason: ClosingReason

  public init(reason: ClosingReason) {
    self.reason = reason
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "reason", .string(maximumBytes: nil), example: "shuttingDown",
      "Why.")
  ]
}
