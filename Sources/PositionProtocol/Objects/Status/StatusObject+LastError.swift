public import JSONRPC
public import Positioning

extension StatusObject {
  /// What went wrong last.
  public struct LastError: WireObject, Hashable {
    /// In words.
    public var message: String
    /// When.
    public var time: Timestamp

    public init(message: String, time: Timestamp) {
      self.message = message
      self.time = time
    }

    public static let wire = ObjectCodec<LastError>(
      blank: LastError(message: "", time: .epoch)
    ) {
      Field.required("message", \.message, .string, example: "gpsd closed the connection", "In words.")
      Field.required("time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z", "When.")
    }
  }
}
