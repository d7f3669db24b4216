public import JSONRPC

/// Events of a durable name were lost, because nobody took them in time: the oldest went.
public struct DurableOverflowNotification: NotificationType, Hashable {
  public static let method = "durable.overflow"
  public static let summary =
    "Events of a durable name were lost, because nobody took them in time: the oldest went."

  /// The name.
  public var durable: String
  /// How many were lost since that was told last.
  public var dropped: Int

  public init(durable: String, dropped: Int) {
    self.durable = durable
    self.dropped = dropped
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription("durable", .string(maximumBytes: nil), example: "tracker", "The name."),
    FieldDescription(
      "dropped", .integer(minimum: 1), example: 40,
      "How many were lost since that was told last."),
  ]
}
