import ProgramArguments

/// Commands of two words with the same first word, such as `region add` and `region list`.
struct CommandFamily: Sendable {
  let name: String
  /// Their purpose, in a few words that begin with a verb.
  let summary: String

  func has(_ command: CommandDescription) -> Bool { command.name.hasPrefix("\(self.name) ") }
}
