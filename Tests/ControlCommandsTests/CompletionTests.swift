import EventLoop
import TestSupport
import Testing

@testable import ControlCommands

/// The completions that are installed for shells.
struct CompletionTests {
  @Test(
    "They are those of the commands as they are",
    arguments: [("bash", Completions().bash), ("zsh", Completions().zsh), ("fish", Completions().fish)])
  func current(shell: String, text: String) throws {
    #expect(try WrittenDocument("completions/positionctl.\(shell)").isCurrent(text), "\(WrittenDocument.advice)")
  }

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
      source '\(PackageRoot.path)/completions/positionctl.bash'
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
      _positionctl
      printf '%s' "${COMPREPLY[*]}"
      """
    let run = try SystemProgram.run("/bin/bash", ["-c", script])
    #expect(run.code == 0 && run.words == completion, "\(run.words)")
  }
}
