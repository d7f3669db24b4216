package import JSONRPC

/// One block of samples of docs/protocol.md: the messages of one connection in both directions, in order.
package struct ProtocolSample: Sendable, CustomStringConvertible {
  package enum Step: Sendable {
    /// A text as on the wire, without its line end.
    case send(String)
    case expect(JSONPattern)
  }

  /// Where the block starts in the document.
  package let line: Int
  package let steps: [Step]

  package var description: String { "line \(self.line)" }

  /// Every block of a document.
  ///
  /// - Throws: the error in a block, and its line.
  package static func all(in document: String) throws -> [ProtocolSample] {
    try FencedBlock.all(in: document).filter { $0.language == "jsonc" }.map { block in
      ProtocolSample(line: block.line, steps: try self.steps(of: block.lines))
    }
  }

  private static func steps(of lines: [String]) throws -> [Step] {
    var texts: [String] = []
    for line in lines {
      if line.hasPrefix(" "), let last = texts.popLast() {
        texts.append("\(last) \(line.drop { $0 == " " })")
      } else {
        texts.append(line)
      }
    }
    return try texts.map { text in
      if text.hasPrefix("-> ") { return .send(String(text.dropFirst(3))) }
      guard text.hasPrefix("<- ") else { throw Malformed(line: text) }
      return .expect(try JSONPattern(parsing: String(text.dropFirst(3))))
    }
  }

  struct Malformed: Error { let line: String }
}

/// A JSON value with open parts, written `...`.
package struct JSONPattern: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  /// The pattern with `"..."` for each `...`.
  package let value: JSONValue

  package static let open: JSONValue = "..."

  package init(parsing text: String) throws {
    self.text = text
    self.value = try JSONValue(parsing: Array(Self.quoted(text).utf8))
  }

  package var description: String { self.text }

  package func matches(_ value: JSONValue) -> Bool { Self.matches(self.value, value) }

  /// Whether this message, which does not match, shows that none will: it is the reply to the same request, or an error
  /// though none is shown.
  package func isContradicted(by message: JSONValue) -> Bool {
    guard message["method"] == nil else { return false }
    let isSameReply = self.value["method"] == nil && self.value["id"] == message["id"]
    return isSameReply || (message["error"] != nil && self.value["error"] == nil)
  }

  private static func matches(_ pattern: JSONValue, _ value: JSONValue) -> Bool {
    switch (pattern, value) {
    case (self.open, _): true
    case (.array(let patterns), .array(let values)):
      if patterns.last == self.open {
        values.count >= patterns.count - 1 && zip(patterns.dropLast(), values).allSatisfy { self.matches($0, $1) }
      } else {
        patterns.count == values.count && zip(patterns, values).allSatisfy { self.matches($0, $1) }
      }
    case (.object(let patterns), .object(let values)):
      (patterns["..."] != nil || patterns.count == values.count)
        && patterns.allSatisfy { key, pattern in
          key == "..." || values[key].map { self.matches(pattern, $0) } ?? false
        }
    case (_, _): pattern == value
    }
  }

  /// Converts each `...` outside of strings to JSON: to a value, or to a member of its own.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    var containers: [Character] = []
    var isInString = false
    var isEscaped = false
    var isAfterColon = false
    var rest = text[...]
    while let character = rest.first {
      if !isInString, rest.hasPrefix("...") {
        quoted += containers.last == "{" && !isAfterColon ? "\"...\":0" : "\"...\""
        rest = rest.dropFirst(3)
        continue
      }
      rest = rest.dropFirst()
      quoted.append(character)
      if isInString {
        isInString = isEscaped || character != "\""
        isEscaped = character == "\\" && !isEscaped
        continue
      }
      switch character {
      case "\"": isInString = true
      case "{", "[": containers.append(character)
      case "}", "]": _ = containers.popLast()
      default: break
      }
      if character != " " { isAfterColon = character == ":" || (isAfterColon && character == "\"") }
    }
    return quoted
  }
}
