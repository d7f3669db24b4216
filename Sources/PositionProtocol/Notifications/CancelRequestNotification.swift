public import JSONRPC

/// Ends a request in flight: the client's with the error -32800; the daemon's, because it needs no answer any more.
public struct CancelRequestNotification: NotificationType, WireObject, Hashable {
  public static let method = "$/cancelRequest"
  public static let summary =
    "Ends a request in flight: the client's with the error -32800; the daemon's, because it needs no answer any more."

  /// The id that it was sent with.
  public var id: RequestID

  public init(id: RequestID) {
    self.id = id
  }

  public static let wire = ObjectCodec<CancelRequestNotification>(blank: CancelRequestNotification(id: 0)) {
    Field.required("id", \.id, RequestID.codec, example: 7, "The id that it was sent with.")
  }
}
