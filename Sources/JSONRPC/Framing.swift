/// How messages are told apart on a stream; chosen by the client's first byte.
package enum Framing: Hashable, Sendable {
  /// One JSON text per line.
  case lines
  /// `Content-Length` headers before each text, as language servers have it.
  case headers

  /// The text as it goes over the wire. The text must not hold a line feed.
  package func frame(_ text: [UInt8]) -> [UInt8] {
    switch self {
    case .lines: text + [UInt8(ascii: "\n")]
    case .headers: Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    }
  }
}
