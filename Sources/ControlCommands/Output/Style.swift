/// Emphasis, where the reader is a person at a terminal.
struct Style: Sendable {
  /// No emphasis at all.
  static let plain = Style(isColored: false)

  let isColored: Bool

  func bold(_ text: String) -> String { self.wrapped(text, "1") }
  func dim(_ text: String) -> String { self.wrapped(text, "2") }
  func good(_ text: String) -> String { self.wrapped(text, "32") }
  func bad(_ text: String) -> String { self.wrapped(text, "1;31") }
  func doubtful(_ text: String) -> String { self.wrapped(text, "33") }

  private func wrapped(_ text: String, _ code: String) -> String {
    self.isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
