import Printable

/// A configuration file's path and bytes, as `ConfigurationFiles` reads them.
package struct ConfigurationFile: Hashable, Sendable {
  package let path: String
  package let contents: [UInt8]

  package init(path: String, contents: [UInt8]) {
    self.path = path
    self.contents = contents
  }
}

/// The text in a section's brackets: `[kind]`, or `[kind name]` if there may be several of a kind.
package struct SectionTitle: Hashable, CustomStringConvertible {
  package let kind: String
  package let name: String?

  /// As between the brackets, with one space.
  package var description: String { self.name.map { "\(self.kind) \($0)" } ?? self.kind }
}

/// Parses INI files in systemd's form: sections, `key=value`, comments on lines of their own.
///
/// It knows only the form; the settings tables know the sections and keys. A line that cannot be read becomes an error
/// and reading continues, so that all errors are reported at once.
package struct ConfigurationReader {
  /// A title, and its line.
  package struct Section: Equatable {
    package let title: SectionTitle
    package let line: Int
  }

  /// `key=value`, without spaces around either; the value may be empty.
  package struct Entry: Equatable {
    package let section: SectionTitle
    package let key: String
    package let value: String
    package let line: Int
  }

  /// Far more than any value needs, so that a file that is not a configuration is noticed.
  package static let longestLine = 4096

  package private(set) var sections: [Section] = []
  package private(set) var entries: [Entry] = []
  package private(set) var errors: [ConfigurationError] = []

  private let path: String
  /// The section that messages name as an example.
  private let example: String
  /// The first line of each key, by section and key.
  private var seen: [SectionTitle: [String: Int]] = [:]

  /// - Parameter example: A section of this program's files, for messages.
  package init(_ file: ConfigurationFile, example: String = "server") {
    self.path = file.path
    self.example = example
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let contents = file.contents.starts(with: byteOrderMark) ? file.contents.dropFirst(3) : file.contents[...]
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      self.read(bytes, line: index + 1)
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, line: Int) {
    guard bytes.count <= Self.longestLine else {
      return self.fail(line, "the line is longer than \(Self.longestLine) bytes; shorten it")
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      return self.fail(line, "the line is not valid UTF-8; save the file as UTF-8")
    }
    let text = decoded[...].trimmed
    if let control = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control && $0 != "\t" }) {
      return self.fail(line, "the line holds the control character \(String(control).quotable); remove it")
    }
    switch text.utf8.first {
    case nil, UInt8(ascii: "#"): return
    case UInt8(ascii: "["): self.readSection(text, line: line)
    default: self.readEntry(text, line: line)
    }
  }

  private mutating func readSection(_ text: Substring, line: Int) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex
    let title = text[..<end].dropFirstByte.trimmed
    guard end != text.endIndex, text[end...].utf8.count == 1, !title.isEmpty else {
      return self.fail(
        line, "expected a section alone on its line, such as [\(self.example)], but found '\(String(text).quotable)'")
    }
    let kind = title.utf8.firstIndex { Substring.blanks.contains($0) }.map { title[..<$0] } ?? title
    let name = title[kind.endIndex...].trimmed
    self.sections.append(
      Section(title: SectionTitle(kind: String(kind), name: name.isEmpty ? nil : String(name)), line: line))
  }

  private mutating func readEntry(_ text: Substring, line: Int) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      return self.fail(
        line,
        "expected key=value, [section], or a comment that starts with #, but found '\(String(text).quotable)'")
    }
    let key = String(text[..<equals].trimmed)
    guard let section = self.sections.last?.title else {
      return self.fail(
        line, "'\(key.quotable)' stands before the first section; put a section such as [\(self.example)] above it")
    }
    if let first = self.seen[section]?[key] {
      let name = "\(key.quotable) in [\("\(section)".quotable)]"
      return self.fail(line, "\(name) was set on line \(first) already; remove one of them")
    }
    self.seen[section, default: [:]][key] = line
    self.entries.append(
      Entry(section: section, key: key, value: String(text[equals...].dropFirstByte.trimmed), line: line))
  }

  private mutating func fail(_ line: Int, _ message: String) {
    self.errors.append(ConfigurationError(file: self.path, line: line, message: message))
  }
}

// By bytes rather than characters: a combining mark after a `=` would form another character with it.
extension Substring {
  /// Spaces, tabs, and the carriage return that some editors leave at the end.
  fileprivate static let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]

  /// Without spaces at either end.
  fileprivate var trimmed: Substring {
    guard let first = self.utf8.firstIndex(where: { !Self.blanks.contains($0) }),
      let last = self.utf8.lastIndex(where: { !Self.blanks.contains($0) })
    else { return "" }
    return self[first..<self.utf8.index(after: last)]
  }

  /// Without its first byte, which is ASCII.
  fileprivate var dropFirstByte: Substring { self[self.utf8.index(after: self.startIndex)...] }
}

/// What is wrong with one line of a configuration file, or with the whole file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path as given.
  package let file: String

  /// Counted from 1; `nil` for the whole file.
  package let line: Int?

  /// What was found, what was expected, and what to do: printable, on one line.
  package let message: String

  package init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// `FILE:LINE: message`, the form that editors jump to.
  package var description: String {
    let place = self.line.map { "\(self.file.printable):\($0)" } ?? self.file.printable
    return "\(place): \(self.message)"
  }
}

/// All errors of a configuration, reported at once so that they can be fixed together. Never empty.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// In the order of the files, and of the lines within each.
  package let all: [ConfigurationError]

  /// `nil` if there are no errors.
  package init?(_ errors: [ConfigurationError]) {
    guard !errors.isEmpty else { return nil }
    self.all = errors
  }

  /// One error a line.
  package var description: String {
    self.all.map(\.description).joined(separator: "\n")
  }
}

extension String {
  /// The text for quoting in a message: printable, because a configuration file is foreign text, and shortened.
  package var quotable: String { self.printable(upTo: 120) }
}
