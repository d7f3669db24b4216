/// How messages are separated on a stream; determined by the client's first byte.
@usableFromInline
package enum Framing: Hashable, Sendable {
  /// One JSON text per line.
  case lines
  /// `Content-Length` headers before each text, as in the Language Server Protocol.
  case headers

  /// The text with its frame. The text must not contain a line feed.
  package func frame(_ text: consuming [UInt8]) -> [UInt8] {
    switch self {
    case .lines:
      text.append(UInt8(ascii: "\n"))
      return text
    case .headers: return Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    }
  }
}
