/// The options that a command knows: what reads its arguments, and what its help is made of.
struct OptionTable {
  /// One option.
  struct Option {
    /// Whether a value follows.
    enum Value {
      case none
      /// `--name VALUE` or `--name=VALUE`.
      case required(String)
      /// `--name` or `--name=VALUE`.
      case optional(String)
    }

    var name: String
    var value: Value
    var meaning: String

    init(_ name: String, _ value: Value = .none, _ meaning: String) {
      self.name = name
      self.value = value
      self.meaning = meaning
    }
  }

  /// An argument that was understood as far as the table goes.
  enum Argument: Hashable {
    case option(String, value: String?)
    case operand(String)
  }

  var options: [Option]

  /// Splits arguments into options and operands. Names may be cut short as far as they are clear, as with getopt_long.
  func read(_ arguments: [String]) throws(SpecificationError) -> [Argument] {
    var result: [Argument] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + rest.map { .operand($0) } }
      guard argument.hasPrefix("-"), argument != "-" else {
        result.append(.operand(argument))
        continue
      }
      let body = argument.drop { $0 == "-" }
      let equals = body.firstIndex(of: "=")
      let given = equals.map { String(body[body.index(after: $0)...]) }
      let option = try self.option(named: body[..<(equals ?? body.endIndex)], as: argument)
      switch option.value {
      case .none:
        guard given == nil else {
          throw SpecificationError("--\(option.name) takes no value, and \(argument) gives one")
        }
        result.append(.option(option.name, value: nil))
      case .optional:
        result.append(.option(option.name, value: given))
      case .required(let meaning):
        guard let value = given ?? rest.popFirst() else {
          throw SpecificationError("--\(option.name) needs a value: \(meaning)")
        }
        result.append(.option(option.name, value: value))
      }
    }
    return result
  }

  private func option(named name: Substring, as argument: String) throws(SpecificationError) -> Option {
    if let option = self.options.first(where: { $0.name == name }) { return option }
    let matches = name.isEmpty || !argument.hasPrefix("--") ? [] : self.options.filter { $0.name.hasPrefix(name) }
    switch matches.count {
    case 1:
      return matches[0]
    case 0:
      throw SpecificationError("there is no option \(argument); --help lists them")
    default:
      let names = matches.map { "--\($0.name)" }.joined(separator: ", ")
      throw SpecificationError("\(argument) is cut too short; it could be \(names)")
    }
  }

  /// The options, one a line, with their meaning beside them.
  var help: String {
    let lines = self.options.map { option in
      switch option.value {
      case .none: ("--\(option.name)", option.meaning)
      case .required(let value): ("--\(option.name) \(value)", option.meaning)
      case .optional(let value): ("--\(option.name)[=\(value)]", option.meaning)
      }
    }
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)\n" }.joined()
  }
}
