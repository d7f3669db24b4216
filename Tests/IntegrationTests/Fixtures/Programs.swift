import EventLoop

/// The programs that were built with the tests.
enum Programs {
  static func path(_ name: String) -> String {
    guard let folder = OwnProgram.folder() else { return name }
    return "\(folder)/\(name)"
  }
}
