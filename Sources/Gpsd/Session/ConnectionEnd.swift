/// How a connection that had come about ended.
package enum ConnectionEnd: Hashable, Sendable {
  /// gpsd closed it without a byte: it serves as many clients as it can.
  case closedUnspoken
  /// gpsd closed it.
  case closed
  /// It broke; the system's words.
  case failed(String)
}
