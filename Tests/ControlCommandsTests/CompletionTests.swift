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
      (["track", "--output", "/usr/bi"], "/usr/bin"), (["nonsense", "x"], ""),
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

  @Test("positionctl prints the script of each shell", arguments: CompletionCommand.Shell.allCases)
  func printed(shell: CompletionCommand.Shell) async throws {
    let run = try await CommandRun.of(["completion", shell.rawValue])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output == CompletionCommand.script(for: shell).map { $0 + "\n" }.joined())
  }
}
