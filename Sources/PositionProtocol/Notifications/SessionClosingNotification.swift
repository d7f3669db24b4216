public import JSONRPC

/// The daemon closes the connection.
public struct SessionClosingNotification: NotificationType, WireObject, Hashable {
  public static let method = "session.closing"
  public static let summary = "The daemon closes the connection."

  /// Why.
  public var reason: ClosingReason

  public init(reason: ClosingReason) {
    self.reason = reason
  }

  public static let wire = ObjectCodec<SessionClosingNotification>(
    blank: SessionClosingNotification(reason: ClosingReason(rawValue: ""))
  ) {
    Field.required("reason", \.reason, ClosingReason.codec, example: "shuttingDown", "Why.")
  }
}
