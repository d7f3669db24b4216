public import JSONRPC

/// Events of a durable name were lost, because nobody took them in time: the oldest went.
public struct DurableOverflowNotification: NotificationType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<DurableOverflowNotification>(
    blank: DurableOverflowNotification(durable: "", dropped: 0)
  ) {
    Field.required("durable", \.durable, .string, example: "tracker", "The name.")
    Field.required(
      "dropped", \.dropped, .integer(minimum: 1), example: 40,
      "How many were lost since that was told last.")
  }
}
