/// Writes all text of a command, with control characters of foreign text escaped.
extension ProcessEnvironment {
  /// Writes results, a line each.
  func print(_ lines: [Line]) {
    let isColored = self.isOutputColored
    self.output.write(lines.map { "\($0.written(isColored: isColored))\n" }.joined())
  }

  /// Writes one line that is not a result.
  func report(_ message: String) {
    self.errors.write("\(Line("positionctl: \(message)").written(isColored: false))\n")
  }

  /// Replaces the current line on the terminal of errors; an empty line clears it.
  func redraw(_ line: String) {
    self.errors.write("\r\u{1b}[K\(Line(line).written(isColored: false))")
  }

  /// Clears the screen for new results; without a terminal an empty line separates them.
  func turnPage() {
    self.output.write(self.canRedrawOutput ? "\u{1b}[H\u{1b}[2J" : "\n")
  }

  /// No emphasis for pipes, if `NO_COLOR` is set, and on terminals without support.
  private var isOutputColored: Bool {
    self.output.isTerminal && !self.isDumb && self.environment["NO_COLOR"].map(\.isEmpty) ?? true
  }
}
