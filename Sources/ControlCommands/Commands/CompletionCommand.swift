import ProgramArguments

/// `positionctl completion`: the script with which a shell completes positionctl's command line.
struct CompletionCommand: Command {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  static let description = CommandDescription(
    name: "completion", summary: "print the completions for a shell",
    explanation: [
      "The shells are bash, zsh and fish. The package installs the completions; this is for other installations."
    ],
    operands: [.init(name: "SHELL", .required)],
    examples: [.init(line: "positionctl completion bash", meaning: "the script for bash")])

  private let shell: Shell

  init(_ arguments: Arguments) throws(UsageError) {
    let name = arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      let shells = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("no completions for \"\(name)\"; the shells are \(shells)")
    }
    self.shell = shell
  }

  static func script(for shell: Shell) -> [String] {
    let completions = Completions()
    let script =
      switch shell {
      case .bash: completions.bash
      case .zsh: completions.zsh
      case .fish: completions.fish
      }
    return script.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.process.print(Self.script(for: self.shell).map { Line($0) })
    return .success
  }
}
