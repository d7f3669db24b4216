/// What became of bytes for the receiver.
package enum GpsdWriteResult: Hashable, Sendable {
  /// gpsd has been asked to write them.
  case written
  /// gpsd refused; in its words.
  case refused(String)
}

/// How an established connection ended.
package enum ConnectionEnd: Hashable, Sendable {
  /// gpsd closed it without sending a byte: it has its maximum of clients.
  case closedUnspoken
  /// gpsd closed it.
  case closed
  /// The connection broke; the text is the system's error.
  case failed(String)

  var description: String {
    switch self {
    case .closedUnspoken, .closed: "gpsd closed the connection"
    case .failed(let reason): reason
    }
  }
}
