import Printable

/// A parsed command line: options and operands.
package struct Arguments {
  private var values: [String: [any Sendable]] = [:]
  package private(set) var operands: [String] = []

  /// The option's value; `nil` if it was not given. Of several values the last counts.
  package subscript<Value>(_ option: Option<Value>) -> Value? { self.values[option.name]?.last as? Value }

  /// The values of an option that may be repeated, in order.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    self.values[option.name]?.compactMap { $0 as? Value } ?? []
  }

  package func has(_ option: any CommandOption) -> Bool { self.values[option.name] != nil }

  /// Reads options up to the first operand, if the command takes no operands.
  ///
  /// - Parameter words: The words that were read are removed.
  package mutating func readOptions(
    _ options: [any CommandOption], from words: inout ArraySlice<String>
  ) throws(UsageError) {
    while let word = words.first, word.hasPrefix("-"), word != "-" {
      words.removeFirst()
      if word == "--" { return }
      try self.read(word, options, from: &words)
    }
  }

  /// Reads everything: options and operands in any order, and only operands after `--`.
  package init(_ words: ArraySlice<String>, of description: CommandDescription) throws(UsageError) {
    try self.readAll(words, of: description)
  }

  package init() {}

  package mutating func readAll(_ words: ArraySlice<String>, of description: CommandDescription) throws(UsageError) {
    var words = words
    while let word = words.popFirst() {
      if word == "--" {
        self.operands += words
        break
      }
      if word.hasPrefix("-"), word != "-" {
        try self.read(word, description.allOptions, from: &words)
      } else {
        self.operands.append(word)
      }
    }
    // With --help no operand is required.
    guard !self.has(StandardOptions.help) else { return }
    if self.operands.count > description.operands.count {
      throw UsageError("unexpected argument \"\(self.operands[description.operands.count])\"")
    }
    for operand in description.operands.dropFirst(self.operands.count) where self.requires(operand) {
      throw UsageError("missing \(operand.name)")
    }
  }

  private func requires(_ operand: CommandDescription.Operand) -> Bool {
    switch operand.presence {
    case .required: true
    case .optional: false
    case .requiredUnless(let option): !self.has(option)
    }
  }

  private mutating func read(
    _ word: String, _ options: [any CommandOption], from words: inout ArraySlice<String>
  ) throws(UsageError) {
    let (name, attached) = Arguments.split(word)
    let found = options.first { name == "--\($0.name)" || $0.letter.map { name == "-\($0)" } ?? false }
    guard let option = found else {
      let meant = Spelling.nearest(to: name, among: options.map { "--\($0.name)" })
      throw UsageError("unknown option \"\(name)\"" + (meant.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    let value: any Sendable
    if attached == nil, let bare = option.bareValue {
      value = bare
    } else if let text = attached ?? words.popFirst() {
      value = try option.read(text)
    } else {
      throw UsageError("\(name) needs a value: \(name) \(option.placeholder ?? "")")
    }
    self.values[option.name, default: []].append(value)
  }

  /// Splits `--name=value` and `-nVALUE`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    if word.hasPrefix("--") {
      guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
    let value = word.dropFirst(2)
    return (String(word.prefix(2)), value.isEmpty ? nil : String(value))
  }
}
