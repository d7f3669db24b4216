import EventLoop
import TestSupport
import Testing

@testable import ControlCommands

/// The completions that are installed for shells.
struct CompletionTests {
  @Test(
    "bash completes commands, options and their values",
    arguments: [
      (["re"], "region"), (["region", "w"], "watch"), (["get", "--acce"], "--accept"),
      (["get", "--accuracy", "ho"], "house"), (["--json", "region", "add", "--dw"], "--dwell"),
      (["--socket", "/nowhere", "status", "--w"], "--why"), (["watch", "--mode", "s"], "significant"),
      (["track", "--output", "/usr/bi"], "/usr/bin"), (["nonsense", "x"], ""), (["help", "hea"], "heading"),
      (["help", "region", "w"], "watch"), (["get", "--accuracy", "=", "h"], "house"),
      (["last", "--units", "n"], "nautical"),
      (["get", "--accuracy", "=", "house", "--coord"], "--coordinates"), (["auth", "grant", "daemo"], "daemon"),
      (["call", "position.ge"], "position.get"), (["region", "watch", "x", "--notify", "enter,ex"], "enter,exit"),
      (["get", "--format", "latitude,longi"], "latitude,longitude"), (["completion", "f"], "fish"),
    ])
  func bash(words: [String], completion: String) throws {
    let list = (["positionctl"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(CompletionCommand.script(for: .bash).joined(separator: "\n"))
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
      _positionctl
      printf '%s' "${COMPREPLY[*]}"
      """
    let run = try SystemProgram.run("/bin/bash", ["-c", script])
    #expect(run.code == 0 && run.words == completion, "\(run.words)")
  }

  @Test("bash completes durable names as positionctl lists them, and files that a track can have")
  func present() throws {
    let folder = try TemporaryFolder()
    let tour = folder.file("tour")
    for ending in ["gpx", "txt", "svg"] {
      try SystemDisk().replace("\(tour).\(ending)", with: [], mode: 0o600)
    }
    for (words, completion) in [
      (["durable", "attach", "tr"], "tracker"), (["region", "list", "--durable", "h"], "hut-1"),
      (["track", "-o", "\(tour.dropLast())"], "\(tour).gpx \(tour).svg"),
      (["track", "--summary", "\(tour.dropLast())"], "\(tour).gpx"), (["metrics", "-o", "\(tour).t"], "\(tour).txt"),
    ] {
      let list = (["positionctl"] + words).map { "'\($0)'" }.joined(separator: " ")
      let script = """
        positionctl() { printf '%s\\n' 'tracker: 1 region; 0 events waiting' 'hut-1: visits' 'no durable names'; }
        \(CompletionCommand.script(for: .bash).joined(separator: "\n"))
        COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
        _positionctl
        printf '%s' "${COMPREPLY[*]}"
        """
      let run = try SystemProgram.run("/bin/bash", ["-c", script])
      #expect(run.code == 0 && run.words == completion, "\(run.words)")
    }
  }

  /// fish completes a line without a terminal.
  @Test(
    "fish completes operands and values as bash does",
    .enabled(if: SystemDisk().exists("/usr/bin/fish"), "fish is not installed"),
    arguments: [
      ("auth grant daemo", "daemon"), ("durable attach tr", "tracker"), ("region list --durable h", "hut-1"),
      ("call position.ge", "position.get"), ("completion f", "fish"), ("get --accuracy ho", "house"),
      ("track --output /etc/hostnam", "/etc/hostname"),
    ])
  func fish(line: String, completion: String) throws {
    let script = """
      \(CompletionCommand.script(for: .fish).joined(separator: "\n"))
      function positionctl
        printf '%s\\n' 'tracker: 1 region; 0 events waiting' 'hut-1: visits' 'no durable names'
      end
      complete -C 'positionctl \(line)'
      """
    let run = try SystemProgram.run("/usr/bin/fish", ["--no-config", "-c", script])
    // Each line has a completion, and after a tab what it is.
    let words = run.words.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
    #expect(run.code == 0 && words == [completion], "\(run.words)")
  }

  @Test(
    "zsh reads its script, which has the same operands and values",
    .enabled(if: SystemDisk().exists("/usr/bin/zsh"), "zsh is not installed"))
  func zsh() throws {
    let script = CompletionCommand.script(for: .zsh).joined(separator: "\n")
    let run = try SystemProgram.run("/usr/bin/zsh", ["-f", "-n", "-c", script])
    #expect(run.code == 0 && run.words.isEmpty, "\(run.words)")
    for part in [
      "'*:argument:_users'", ":_files -g \"*.(", "'*:argument:(bash zsh fish)'", ":_positionctl_durable_names'",
      "'*:argument:_positionctl_durable_names'",
    ] {
      #expect(script.contains(part), "\(part)")
    }
    // The names, as zsh splits them.
    let names = """
      positionctl() { print -l 'tracker: 1 region; 0 events waiting' 'hut-1: visits' 'no durable names' }
      compadd() { print -rn -- "$*" }
      \(CompletionCommand.script(for: .zsh).dropLast().joined(separator: "\n"))
      _positionctl_durable_names -x
      """
    let listed = try SystemProgram.run("/usr/bin/zsh", ["-f", "-c", names])
    #expect(listed.code == 0 && listed.words == "-x -- tracker hut-1", "\(listed.words)")
  }

  @Test("positionctl prints the script of each shell", arguments: CompletionCommand.Shell.allCases)
  func printed(shell: CompletionCommand.Shell) async throws {
    let run = try await CommandRun.of(["completion", shell.rawValue])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output == CompletionCommand.script(for: shell).map { $0 + "\n" }.joined())
  }
}
