public import JSONRPC

/// The oldest events of a durable name were dropped, because nobody acknowledged them in time.
public struct DurableOverflowNotification: NotificationType, WireObject, Hashable {
  public static let method = "durable.overflow"
  public static let summary =
    "The oldest events of a durable name were dropped, because nobody acknowledged them in time."

  /// The name.
  public var durable: String
  /// How many were dropped since the last such notification.
  public var dropped: Int

  public init(durable: String, dropped: Int) {
    self.durable = durable
    self.dropped = dropped
  }

  public static let wire = ObjectCodec<DurableOverflowNotification>(
    blank: DurableOverflowNotification(durable: "", dropped: 0)
  ) {
    Field.required("durable", \.durable, .string, example: "tracker", "The name.")
    Field.required(
      "dropped", \.dropped, .integer(minimum: 1), example: 40,
      "How many were dropped since the last such notification.")
  }
}
