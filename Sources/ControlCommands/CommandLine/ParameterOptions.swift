import JSONRPC
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
