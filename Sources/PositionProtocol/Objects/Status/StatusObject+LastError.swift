public import JSONRPC

extension StatusObject {
  /// What went wrong last.
  public struct LastError: DescribedObject {
    /// In words.
    public var message: String
    /// When.
    public var time: Timestamp

    public init(message: String, time: Timestamp) {
      self.message = message
      self.time = time
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "message", .string(maximumBytes: nil), example: "gpsd closed the connection",
        "In words."),
      FieldDescription(
        "time", .time, example: "2026-01-31T12:00:00.000Z",
        "When."),
    ]
  }
}
