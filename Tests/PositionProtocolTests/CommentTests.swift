import FoundationEssentials
import TestSupport
import Testing

@testable import JSONRPC
@testable import PositionProtocol

/// What readers of the source see of a member, and what readers of the protocol see.
///
/// The sentence in a table becomes the documents and the self-description; the comment beside the property becomes the
/// documentation of the Swift library. They say the same up to the first full stop or semicolon: after it, one says when a
/// member is absent, the other when a property is `nil`.
@Suite("A comment beside a property")
struct CommentTests {
  private static let files = SourceFile.below(["PositionProtocol", "Positioning"])

  /// Updates to which the Swift library adds values of its own, for a lost connection.
  private static let extended: Set = ["PositionUpdate", "HeadingUpdate"]

  @Test("says what the sentence in the table says")
  func members() {
    let comments = Dictionary(Self.files.flatMap(\.comments), uniquingKeysWith: { first, _ in first })
    var compared = 0
    for row in Self.files.flatMap(\.rows) where !Self.extended.contains(row.property.type) {
      guard let comment = comments[row.property], !comment.isEmpty else { continue }
      compared += 1
      #expect(comment.firstClause == row.sentence.firstClause, "\(row.property.type).\(row.property.name)")
    }
    #expect(compared >= 200, "the source is not read as it should be")
  }

  @Test("of a message begins with its summary", arguments: PositionMethods.all.map { $0.method })
  func summaries(method: String) throws {
    let message = try #require(PositionMethods.all.first { $0.method == method })
    let comment = try #require(Self.files.lazy.compactMap { $0.types["\(message)"] }.first)
    let summary = message.summary.firstClause
    #expect(comment.hasPrefix(String(summary.prefix { $0 != ":" })), "\(message)")
  }
}

extension PositionMethods {
  fileprivate static var all: [any MessageType.Type] {
    self.server.requests + self.client.requests + self.server.notifications + self.client.notifications
  }
}

extension String {
  fileprivate var firstClause: Substring {
    let end = self.indices.first { place in
      let next = self.index(after: place)
      return ";.".contains(self[place]) && (next == self.endIndex || self[next] == " ")
    }
    return self[..<(end ?? self.endIndex)]
  }
}

/// A file of the source, read line by line as the formatter lays it out.
private struct SourceFile: Sendable {
  struct Property: Hashable {
    let type: String
    let name: String
  }

  /// The comments of properties, joined to one line.
  private(set) var comments: [(Property, String)] = []
  /// The comments of types.
  private(set) var types: [String: String] = [:]
  /// The entries of tables whose values are neither durations nor flags: the Swift forms of those are others.
  private(set) var rows: [(property: Property, sentence: String)] = []

  static func below(_ modules: [String]) -> [SourceFile] {
    modules.flatMap { module in
      let folder = "\(PackageRoot.path)/Sources/\(module)"
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      return paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
        FileManager.default.contents(atPath: "\(folder)/\(path)").map {
          SourceFile(String(decoding: $0, as: UTF8.self))
        }
      }
    }
  }

  private init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var scopes: [(indent: Int, type: String)] = []
    var comment: [Substring] = []
    while let line = lines.popFirst() {
      let (indent, words) = (line.prefix { $0 == " " }.count, line.drop { $0 == " " })
      if words.hasPrefix("/// ") || words == "///" {
        comment.append(words.dropFirst(4))
        continue
      }
      defer { comment = [] }
      scopes.removeAll { !words.isEmpty && $0.indent >= indent && words != "}" }
      let type = scopes.map(\.type).joined(separator: ".")
      if let declared = words.firstMatch(of: /^(?:\w+ )*(?:struct|extension|enum|class|protocol) ([\w.]+).*\{$/) {
        let name = String(declared.1)
        scopes.append((indent, name))
        if self.types[name] == nil { self.types[name] = comment.joined(separator: " ") }
      } else if let property = words.firstMatch(of: /^public (?:private\(set\) )?var (\w+)/) {
        self.comments.append((Property(type: type, name: String(property.1)), comment.joined(separator: " ")))
      } else if words.hasPrefix("Field.") {
        var entry = String(words)
        while entry.count(where: { $0 == "(" }) > entry.count(where: { $0 == ")" }), let more = lines.popFirst() {
          entry += more.drop { $0 == " " }
        }
        self.note(entry, of: type)
      }
    }
  }

  private mutating func note(_ entry: String, of type: String) {
    guard !entry.hasPrefix("Field.flag"), !entry.contains(".seconds("),
      let property = entry.firstMatch(of: /^Field\.\w+\("\w+", \\\.(\w+),/),
      let sentence = entry.firstMatch(of: /((?:"(?:[^"\\]|\\.)*"(?: ?\+ )?)+)\)?[^"]*$/)
    else { return }
    let parts = sentence.1.matches(of: /"((?:[^"\\]|\\.)*)"/).map { $0.1.replacing("\\\"", with: "\"") }
    self.rows.append((Property(type: type, name: String(property.1)), parts.joined()))
  }
}
