/// What the program was told last of how its subscription stands, so that nothing of that is told twice.
enum NotifiedState: Hashable, Sendable {
  case standing
  case disconnected
  /// The daemon refuses it until there is permission again.
  case suspended

  /// Whether that is news.
  mutating func becomes(_ other: Self) -> Bool {
    defer { self = other }
    return self != other
  }
}
