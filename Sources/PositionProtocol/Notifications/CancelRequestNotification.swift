public import JSONRPC

/// From the client: ends a request in flight with the error -32800, as request.cancel does.
public struct CancelRequestNotification: NotificationType, Hashable {
  public static let method = "$/cancelRequest"
  public static let summary = "From the client: ends a request in flight with the error -32800, as request.cancel does."

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
