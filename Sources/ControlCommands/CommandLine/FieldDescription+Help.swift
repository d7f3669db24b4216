import JSONRPC
import Printable

extension FieldDescription {
  /// The sentence for help texts: without full stop, and with the possible values and the default.
  var help: String {
    let sentence = self.description.replacing("`", with: "").dropLast()
    let words = self.schema.choices.filter { !sentence.contains($0) }.isEmpty ? [] : self.schema.choices
    let remarks = [words.joined(separator: ", "), self.remark].filter { !$0.isEmpty }
    let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
    return sentence.prefix(1).lowercased() + sentence.dropFirst() + remark
  }

  /// The default. For an object: the defaults of its members, with their names.
  private var remark: String {
    if let value = self.usual { return "default \(value)" }
    guard case .object(let fields) = self.schema else { return "" }
    let members = fields.compactMap { field in field.usual.map { "\(field.name.spaced) \($0)" } }
    return members.isEmpty ? "" : "defaults: \(members.joined(separator: ", "))"
  }

  /// The default as it is written on a command line.
  private var usual: String? {
    if case .defaulted(let value) = self.presence { value.word } else { nil }
  }
}

extension Schema {
  /// The possible values.
  fileprivate var choices: [String] {
    switch self {
    case .choice(let words), .either(.choice(let words), _), .array(.choice(let words)): words
    default: []
    }
  }
}

extension JSONValue {
  /// `nil` for a value that no option takes.
  fileprivate var word: String? {
    switch self {
    case .integer(let integer): "\(integer)"
    case .number(let number): number.plain
    case .string(let word): word
    case .array(let values): values.compactMap(\.word).joined(separator: ",")
    case .null, .boolean, .object: nil
    }
  }
}

extension Double {
  /// Without a fraction if it has none.
  var plain: String { self == self.rounded() ? self.fixed(0) : "\(self)" }
}

extension String {
  /// `desiredAccuracy` as plain words, `desired accuracy`.
  var spaced: String { self.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined() }
}
