import JSONRPC
import Printable
import ProgramArguments

/// The options of a command for the parameters of a request, one for each. Names, values, defaults and help are those of
/// the request's table.
struct ParameterOptions<Request: RequestType & WireObject>: Sendable {
  typealias Name = (name: String, letter: Character?)

  private let rows: [(parameter: String, option: Option<JSONValue>)]

  /// - Parameters:
  ///   - parameters: Those that have an option; `nil`: all.
  ///   - others: Those that have none.
  ///   - names: The names of options that differ from their parameters.
  ///   - kinds: The notation of values that the schema alone does not explain.
  ///   - condition: When the options can be given, such as "with --watch".
  init(
    of parameters: Set<String>? = nil, except others: Set<String> = [], named names: [String: Name] = [:],
    kinds: [String: ValueKind<JSONValue>] = [:], condition: String? = nil
  ) {
    self.rows = Request.wire.descriptions.filter { field in
      parameters?.contains(field.name) != false && !others.contains(field.name)
    }.map { field in
      let name = names[field.name] ?? (name: field.name.kebab, letter: nil)
      let help = (condition.map { "\($0): " } ?? "") + field.help
      guard let kind = kinds[field.name] ?? ValueKind(field.schema, of: field.name) else {
        return (field.name, Option(name.name, letter: name.letter, flag: true, help))
      }
      return (field.name, Option(name.name, letter: name.letter, kind, help))
    }
  }

  /// In the order of the table.
  var all: [any CommandOption] { self.rows.map(\.option) }

  /// The options that were given.
  func given(in arguments: Arguments) -> [any CommandOption] { self.all.filter { arguments.has($0) } }

  /// The parameter's option; `nil` if it has none.
  subscript(parameter: String) -> Option<JSONValue>? { self.rows.first { $0.parameter == parameter }?.option }

  /// The request with the parameters whose options were given.
  ///
  /// - Parameters:
  ///   - members: Parameters without an option.
  ///   - leniency: The checks that are made later.
  func request(
    _ arguments: Arguments, beside members: [String: JSONValue] = [:],
    leniency: ReadingContext.Leniency = []
  ) throws(UsageError) -> Request {
    var members = members
    for (parameter, option) in self.rows {
      if let value = arguments[option] { members[parameter] = value }
    }
    do throws(RPCError) {
      return try Request.wire.codec.decode(
        JSONValue.object(members).encoded(), context: ReadingContext(leniency: leniency))
    } catch {
      throw UsageError(String(error.message.trimmingPrefix("Invalid params: ")))
    }
  }
}

extension String {
  /// `minInterval` as an option's name, `min-interval`.
  fileprivate var kebab: String {
    self.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

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
    case .boolean, .integer, .number, .string, .time, .requestID, .either, .array, .object, .dictionary, .reference,
      .any:
      []
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
