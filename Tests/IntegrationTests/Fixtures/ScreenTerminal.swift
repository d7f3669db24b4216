import EventLoop
import ReceiverSimulator
import TestSupport

/// A terminal with a shell, whose screen a test reads: tmux, with a server of its own.
final class ScreenTerminal {
  private let folder: TemporaryFolder
  private let socket: String

  /// - Parameters:
  ///   - environment: Of the shell, in addition to a path; `TERM` and the language are those of a usual terminal otherwise.
  init(columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
    self.folder = try TemporaryFolder()
    self.socket = self.folder.file("tmux")
    let variables = ["LC_ALL": "C.UTF-8", "PS1": "$ "].merging(environment) { $1 }
    let words = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    try self.tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"] + words + ["/bin/sh"])
  }

  deinit {
    // It may have ended already, with its shell.
    _ = try? SystemProgram.run("/usr/bin/env", ["tmux", "-S", self.socket, "kill-server"])
  }

  /// A file that ends with this terminal.
  func file(_ name: String) -> String { self.folder.file(name) }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    let run = try SystemProgram.run("/usr/bin/env", ["tmux", "-u", "-S", self.socket] + words)
    guard run.code == 0 else { throw TimedOut("tmux \(words): \(run.words)") }
    return run.words
  }

  /// Types a line of the shell.
  func enters(_ line: String) throws { try self.tmux(["send-keys", "-l", line, ";", "send-keys", "Enter"]) }

  /// Presses a key by tmux's name, such as `q` or `C-c`.
  func presses(_ key: String) throws { try self.tmux(["send-keys", key]) }

  func resize(columns: Int, rows: Int) throws {
    try self.tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The lines of the screen.
  ///
  /// - Parameter isColored: With the sequences for colours.
  func lines(isColored: Bool = false) throws -> [String] {
    try self.tmux(["capture-pane", "-p"] + (isColored ? ["-e"] : [])).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Whether the alternate screen is shown, and whether the cursor is: "1 0" while a program has the screen.
  func modes() throws -> String {
    try self.tmux(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).split(separator: "\n").joined()
  }

  /// Writes everything that the terminal gets from now on into a file.
  func record(into path: String) throws { try self.tmux(["pipe-pane", "-O", "cat >\(path)"]) }

  /// Waits until the screen is so, and returns it.
  @discardableResult
  func waits(_ what: String, _ condition: ([String]) throws -> Bool) throws -> [String] {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      let lines = try self.lines()
      if try condition(lines) { return lines }
      guard monotonicSeconds() < deadline else {
        throw TimedOut("\(what): never on this screen:\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  /// Waits until the screen has this text.
  @discardableResult
  func sees(_ text: String) throws -> [String] {
    try self.waits("\"\(text)\"") { lines in lines.contains { $0.contains(text) } }
  }
}
