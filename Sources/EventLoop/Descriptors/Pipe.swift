import CLinux
import Glibc

/// A pipe whose writing end is for another program.
package struct Pipe {
  /// What the other program wrote.
  package let output: FileDescriptor
  /// The end for the other program; it must be closed here, so that `output` can end.
  package let input: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check(unsafe clinux_pipe(&ends), "pipe")
    (output, input) = try FileDescriptor.adopt(pair: ends)
  }
}

extension FileDescriptor {
  /// Takes over the two descriptors of a pipe or a socket pair, both or none.
  static func adopt(pair: [Int32]) throws(SystemError) -> (FileDescriptor, FileDescriptor) {
    let first: FileDescriptor
    do throws(SystemError) {
      first = try FileDescriptor(adopting: pair[0])
    } catch {
      Glibc.close(pair[1])
      throw error
    }
    return (first, try FileDescriptor(adopting: pair[1]))
  }
}
