import EventLoop
import Glibc

/// The programs that the tests start: those in the folder that POSITIOND_PROGRAMS names, else those that were built with the
/// tests.
enum Programs {
  static let folder: String? = {
    guard let named = unsafe getenv("POSITIOND_PROGRAMS") else { return OwnProgram.folder() }
    return unsafe String(cString: named)
  }()

  static func path(_ name: String) -> String { self.folder.map { "\($0)/\(name)" } ?? name }
}
