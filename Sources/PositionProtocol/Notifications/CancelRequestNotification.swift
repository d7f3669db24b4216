public import JSONRPC

/// Cancels a request: one of the client with the error -32800; one of the daemon, which needs no answer any more.
public struct CancelRequestNotification: NotificationType, WireObject, Hashable {
  public static let method = "$/cancelRequest"
  public static let summary =
    "Cancels a request: one of the client with the error -32800; one of the daemon, which needs no answer any more."

  /// The request's id.
  public var id: RequestID

  public init(id: RequestID) {
    self.id = id
  }

  public static let wire = ObjectCodec<CancelRequestNotification>(blank: CancelRequestNotification(id: 0)) {
    Field.required("id", \.id, RequestID.codec, example: 7, "The request's id.")
  }
}
