/// The position of one value or key in a text.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number
    /// A string without escapes.
    case plainString
    case escapedString
    /// Its elements follow.
    case array
    /// Its members follow: key and value in turn.
    case object
  }

  var kind: Kind
  /// Offsets in bytes, including quotation marks and brackets.
  var start: Int32
  var end: Int32
  /// The number of the node after this one and all that it contains.
  var next: Int32
}

/// A JSON text that was checked once, so that reading it cannot fail.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]

  /// - Throws: `RPCError` -32700 with the position of the syntax error.
  package init(_ bytes: [UInt8]) throws(RPCError) {
    do throws(JSONScanner.Failure) {
      self.nodes = try JSONScanner.scan(bytes)
    } catch {
      throw .parseError(error, in: bytes)
    }
    self.bytes = bytes
  }

  package var root: JSONView { JSONView(document: self, node: 0) }

  /// An object without members, for absent parameters.
  static let empty = JSONDocument(object: Array("{}".utf8))

  private init(object bytes: [UInt8]) {
    self.bytes = bytes
    self.nodes = [JSONNode(kind: .object, start: 0, end: Int32(bytes.count), next: 1)]
  }
}

extension RPCError {
  static func parseError(_ failure: JSONScanner.Failure, in bytes: [UInt8]) -> RPCError {
    let before = bytes[..<failure.offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return .parseError(
      offset: failure.offset, line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: failure.offset - lineStart + 1, expected: failure.expected)
  }
}
