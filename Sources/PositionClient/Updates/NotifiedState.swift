/// The state of the subscription that the program was notified of last, so that no state is repeated.
enum NotifiedState: Hashable, Sendable {
  case connected
  case disconnected
  /// The daemon denies it until permission is granted again.
  case suspended

  /// Whether the state is new.
  mutating func becomes(_ other: Self) -> Bool {
    defer { self = other }
    return self != other
  }
}
