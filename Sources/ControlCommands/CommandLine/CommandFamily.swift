import ProgramArguments

/// Commands of two words that have the first in common, such as `region add` and `region list`.
struct CommandFamily: Sendable {
  let name: String
  /// What they are for, in a few words that begin with a verb.
  let summary: String

  func has(_ command: CommandDescription) -> Bool { command.name.hasPrefix("\(self.name) ") }
}
