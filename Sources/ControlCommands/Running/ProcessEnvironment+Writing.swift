/// How a command's words are written: all of them here, where whatever is foreign in them is made harmless.
extension Surroundings {
  /// Writes results, a line each.
  func print(_ lines: [Line]) {
    let isColored = self.isOutputColored
    self.output.write(lines.map { "\($0.written(isColored: isColored))\n" }.joined())
  }

  /// Tells on one line what is not a result.
  func tell(_ message: String) {
    self.errors.write("\(Line("positionctl: \(message)").written(isColored: false))\n")
  }

  /// Draws over the line that stands on the terminal that errors go to; an empty one clears it.
  func redraw(_ line: String) {
    self.errors.write("\r\u{1b}[K\(Line(line).written(isColored: false))")
  }

  /// Clears the screen for results that take the place of those before; on paper an empty line stands between.
  func turnPage() {
    self.output.write(self.canRedrawOutput ? "\u{1b}[H\u{1b}[2J" : "\n")
  }

  /// No emphasis for pipes, where `NO_COLOR` is set, and on terminals that cannot.
  private var isOutputColored: Bool {
    self.output.isTerminal && !self.isDumb && self.environment["NO_COLOR"].map(\.isEmpty) ?? true
  }
}
