import EventLoop
import Glibc

/// The machine to check: this one, or a test's replacement of it.
package struct InspectedMachine: Sendable {
  /// The root of its files, including `/proc`, `/sys` and `/run`.
  package var root: String
  /// The key of gpsd's shared memory; gpsd's default unless it is configured otherwise.
  package var sharedMemoryKey: Int32

  /// The daemon's program, which checks its configuration; `nil`: that is not checked.
  package var daemon: String?

  package init(root: String = "", sharedMemoryKey: Int32 = 0x4750_5344, daemon: String? = nil) {
    self.root = root
    self.sharedMemoryKey = sharedMemoryKey
    self.daemon = daemon
  }

  /// This machine, with the daemon that is installed beside this program.
  static var own: InspectedMachine {
    let daemon = OwnProgram.folder().map { "\($0)/positiond" }
    return InspectedMachine(daemon: daemon.flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil })
  }
}
