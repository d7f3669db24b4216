public import JSONRPC

/// Ends a request in flight: the client's with the error -32800; the daemon's, because it needs no answer any more.
public struct CancelRequestNotification: NotificationType, Hashable {
  public static let method = "$/cancelRequest"
  public static let summary =
    "Ends a request in flight: the client's with the error -32800; the daemon's, because it needs no answer any more."

  /// The id that it was sent with.
  public var id: RequestID

  public init(id: RequestID) {
    self.id = id
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "id", .requestID, example: 7,
      "The id that it was sent with.")
  ]
}
