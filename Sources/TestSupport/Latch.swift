import Glibc

/// Opens once; whoever waits for it goes on then.
///
/// `@unchecked Sendable`: the pipe's ends are numbers that never change, and closing one is what opens the latch.
package final class Latch: @unchecked Sendable {
  private var ends: (reader: Int32, writer: Int32) = (-1, -1)

  package init() {
    var descriptors: [Int32] = [-1, -1]
    let code = unsafe pipe(&descriptors)
    precondition(code == 0, "a pipe could not be made")
    self.ends = (descriptors[0], descriptors[1])
  }

  deinit { Glibc.close(self.ends.reader) }

  package func open() { Glibc.close(self.ends.writer) }

  package func wait() {
    var byte: UInt8 = 0
    while unsafe read(self.ends.reader, &byte, 1) < 0 && errno == EINTR {}
  }
}
