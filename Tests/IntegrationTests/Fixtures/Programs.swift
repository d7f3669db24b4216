import ReceiverSimulator

/// The programs that were built with the tests.
enum Programs {
  static func path(_ name: String) -> String {
    guard let folder = File.ownFolder() else { return name }
    return "\(folder)/\(name)"
  }
}
