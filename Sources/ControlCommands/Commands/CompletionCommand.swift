import JSONRPC
import PositionProtocol
import ProgramArguments
import Track

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
    examples: ["positionctl completion bash": "the script for bash"])

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
    context.process.print(Self.script(for: self.shell).map { Line($0) }, isForPrograms: true)
    return .success
  }
}

/// The completions of positionctl's command line for three shells, made from the table of its commands.
struct Completions {
  private static let origin = "# Written by `positionctl completion`."

  private let commands = PositionControl.commands.map { $0.description }
  private let firstWords = PositionControl.firstWords
  private let families = PositionControl.families
  private let common: [any CommandOption] = CommonOptions.all
  private var general: [any CommandOption] { self.common + [StandardOptions.version] }

  private func members(of family: CommandFamily) -> [(name: String, summary: String)] {
    PositionControl.members(of: family).map { (String($0.name.dropFirst(family.name.count + 1)), $0.summary) }
  }

  // MARK: bash

  var bash: [String] {
    let familyNames = self.families.map(\.name).joined(separator: "|")
    let valued = Set(
      (self.commands.flatMap(\.options) + self.general).filter { $0.placeholder != nil }.flatMap(\.forms))
    var lines = [
      Self.origin, "# shellcheck shell=bash", "", "_positionctl() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' list='' index",
      "  # bash makes three words of --accuracy=house.",
      "  [[ $word != = ]] || word=",
      "  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}",
      "  for ((index = 1; index < COMP_CWORD; index++)); do", "    case ${COMP_WORDS[index]} in",
      "      \(valued.sorted().joined(separator: "|")))",
      "        ((index++))", "        [[ ${COMP_WORDS[index]} != = ]] || ((index++))", "        ;;", "      -*) ;;",
      "      help) [[ $command ]] && break ;;", "      *)",
      "        command=${command:+$command }${COMP_WORDS[index]}",
      "        case $command in \(familyNames)) ;; *) break ;; esac", "        ;;", "    esac", "  done",
      "  case $command:$before in",
    ]
    for command in self.commands {
      lines += command.allOptions.compactMap { self.bashValues(of: $0, in: command.name) }
    }
    lines.append(contentsOf: self.general.compactMap { self.bashValues(of: $0, in: "") })
    lines += ["    *)", "      case $command in"]
    let first = self.firstWords.map(\.name) + ["help"] + self.general.flatMap(\.forms)
    lines.append("        '') words='\(first.joined(separator: " "))' ;;")
    for family in self.families {
      let words = self.members(of: family).map(\.name) + self.common.flatMap(\.forms)
      lines.append("        \(family.name)) words='\(words.joined(separator: " "))' ;;")
    }
    for command in self.commands {
      let words = command.allOptions.flatMap(\.forms).joined(separator: " ")
      lines.append("        '\(command.name)') words=\(self.bashOperands(of: command))'\(words)' ;;")
    }
    lines += [
      "      esac", "      ;;", "  esac",
      "  # Of a list the last word is completed.",
      "  [[ $word != *,* ]] || list=${word%,*},",
      "  mapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$words\" -- \"${word##*,}\")", "}", "",
      "complete -F _positionctl positionctl",
    ]
    return lines
  }

  /// What a command takes besides options.
  private enum Operands {
    case users, durableNames, words([String]), none
  }

  private func operands(of command: CommandDescription) -> Operands {
    switch command.name {
    case "auth grant", "auth revoke": .users
    case "durable attach", "durable acknowledge", "durable remove": .durableNames
    case "call": .words(PositionMethods.server.requests.map { $0.method })
    case "completion": .words(CompletionCommand.Shell.allCases.map(\.rawValue))
    default: .none
    }
  }

  /// A shell's expression for the words as they are now.
  private func bashOperands(of command: CommandDescription) -> String {
    switch self.operands(of: command) {
    case .users: "\"$(compgen -u | tr '\\n' ' ')\""
    case .durableNames: "\"$(\(Self.durableNames)) \""
    case .words(let words): "'\(words.joined(separator: " ")) '"
    case .none: ""
    }
  }

  /// Names have no characters that a shell would read.
  private static let durableNames = "positionctl durable list 2>/dev/null | sed -n 's/^\\([A-Za-z0-9._-]*\\): .*/\\1/p'"

  private func bashValues(of option: any CommandOption, in command: String) -> String? {
    guard option.placeholder != nil else { return nil }
    let pattern = option.forms.map { "'\(command):\($0)'" }.joined(separator: "|")
    if let endings = option.endings {
      // Folders, and files that the option takes.
      let list = "compgen -d -- \"$word\"" + endings.map { "; compgen -f -X '!*.\($0)' -- \"$word\"" }.joined()
      return "    \(pattern)) mapfile -t COMPREPLY < <(\(list)); return ;;"
    }
    if option.name == DurableOptions.durable.name {
      return "    \(pattern)) words=$(\(Self.durableNames)) ;;"
    }
    if option.isPath { return "    \(pattern)) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;" }
    return "    \(pattern)) words='\(option.choices.joined(separator: " "))' ;;"
  }

  // MARK: zsh

  var zsh: [String] {
    var lines = [
      "#compdef positionctl", Self.origin, "", "_positionctl_durable_names() {",
      "  compadd \"$@\" -- ${(f)\"$(\(Self.durableNames))\"}", "}", "",
    ]
    for family in self.families {
      lines += self.zshFunction(
        "_positionctl_\(family.name)", words: self.members(of: family), options: self.common
      ) { member in
        self.commands.first { $0.name == "\(family.name) \(member)" }.map { self.zshArguments($0) } ?? ""
      }
    }
    lines += self.zshFunction("_positionctl", words: self.firstWords, options: self.general) { word in
      if self.families.contains(where: { $0.name == word }) { return "_positionctl_\(word)" }
      return self.commands.first { $0.name == word }.map { self.zshArguments($0) } ?? ""
    }
    return lines + ["_positionctl \"$@\""]
  }

  private func zshFunction(
    _ name: String, words: [(name: String, summary: String)], options: [any CommandOption],
    rest: (String) -> String
  ) -> [String] {
    let described = words.map { "        '\($0.name):\($0.summary)'" }
    let specifications = options.flatMap { self.zshOption($0) } + ["'1:command:->command'", "'*::argument:->argument'"]
    return [
      "\(name)() {", "  local state", "  local -a commands",
      "  _arguments -C \\\n    " + specifications.joined(separator: " \\\n    "), "  case $state in", "    command)",
      "      commands=(",
    ] + described + [
      "      )", "      _describe command commands", "      ;;", "    argument)", "      case $words[1] in",
    ]
      + words.map { "        \($0.name)) \(rest($0.name)) ;;" } + ["      esac", "      ;;", "  esac", "}", ""]
  }

  private func zshArguments(_ command: CommandDescription) -> String {
    let operands =
      switch self.operands(of: command) {
      case .users: "_users"
      case .durableNames: "_positionctl_durable_names"
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .none: ""
      }
    return "_arguments \\\n          "
      + command.allOptions.flatMap { self.zshOption($0) }.joined(separator: " \\\n          ")
      + " \\\n          '*:argument:\(operands)'"
  }

  private func zshOption(_ option: any CommandOption) -> [String] {
    let help = Self.text(option.help, ["'": "’", "[": "(", "]": ")", ":": "\\:"])
    let value = option.placeholder.map { placeholder in
      let action =
        if let endings = option.endings {
          "_files -g \"*.(\(endings.joined(separator: "|")))\""
        } else if option.name == DurableOptions.durable.name {
          "_positionctl_durable_names"
        } else if option.isPath {
          "_files"
        } else {
          option.choices.isEmpty ? "" : "(\(option.choices.joined(separator: " ")))"
        }
      return "\(option.bareValue == nil ? ":" : "::")\(placeholder):\(action)"
    }
    return option.forms.map { form in
      "'\(form)\(option.placeholder == nil || form.count == 2 ? "" : "=")[\(help)]\(value ?? "")'"
    }
  }

  // MARK: fish

  var fish: [String] {
    var lines = [Self.origin, "", "complete -c positionctl -f"]
    for word in self.firstWords {
      lines.append("complete -c positionctl -n __fish_use_subcommand -a \(word.name) -d \(Self.fishText(word.summary))")
    }
    lines += self.general.map { self.fishOption($0, "") }
    for family in self.families {
      let members = self.members(of: family)
      let names = members.map(\.name).joined(separator: " ")
      let condition =
        "__fish_seen_subcommand_from \(family.name); and not __fish_seen_subcommand_from \(names)"
      lines += members.map { "complete -c positionctl -n '\(condition)' -a \($0.name) -d \(Self.fishText($0.summary))" }
    }
    for command in self.commands {
      let condition = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        .joined(separator: "; and ")
      lines += command.options.map { self.fishOption($0, "-n '\(condition)' ") }
      let operands: String? =
        switch self.operands(of: command) {
        case .users: "(__fish_complete_users)"
        case .durableNames: Self.fishDurableNames
        case .words(let words): words.joined(separator: " ")
        case .none: nil
        }
      if let operands { lines.append("complete -c positionctl -n '\(condition)' -a \(Self.fishText(operands))") }
    }
    return lines
  }

  private static let fishDurableNames = "(\(durableNames))"

  private func fishOption(_ option: any CommandOption, _ condition: String) -> String {
    var line = "complete -c positionctl \(condition)-l \(option.name)"
    if let letter = option.letter { line += " -s \(letter)" }
    if option.placeholder != nil, option.bareValue == nil { line += option.isPath ? " -r -F" : " -x" }
    if let endings = option.endings {
      line += " -a '(__fish_complete_suffix \(endings.map { ".\($0)" }.joined(separator: " ")))'"
    } else if option.name == DurableOptions.durable.name {
      line += " -a \(Self.fishText(Self.fishDurableNames))"
    } else if !option.choices.isEmpty {
      line += " -a '\(option.choices.joined(separator: " "))'"
    }
    return line + " -d \(Self.fishText(option.help))"
  }

  private static func fishText(_ text: String) -> String { "'\(Self.text(text, ["'": "\\'"]))'" }

  private static func text(_ text: String, _ escapes: [Character: String]) -> String {
    text.reduce(into: "") { $0 += escapes[$1] ?? String($1) }
  }
}

extension CommandOption {
  /// Its name and letter with their dashes.
  fileprivate var forms: [String] { ["--\(self.name)"] + (self.letter.map { ["-\($0)"] } ?? []) }
  /// How the files end that it takes; `nil`: any way.
  fileprivate var endings: [String]? {
    guard self.placeholder == TrackCommand.output.placeholder else { return nil }
    return switch self.name {
    case TrackCommand.output.name: TrackFormat.allCases.map(\.rawValue)
    case TrackCommand.summary.name: TrackFormat.allCases.filter { $0 != .svg }.map(\.rawValue)
    default: nil
    }
  }
  fileprivate var isPath: Bool { self.placeholder == "PATH" || self.placeholder == "FILE" }
}
