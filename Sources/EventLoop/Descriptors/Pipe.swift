import CLinux
import Glibc

/// A pipe whose writing end is for another program.
package struct Pipe {
  /// What the other program wrote.
  package let output: FileDescriptor
  /// The end for the other program; it must be closed here, so that `output` can end. It blocks when the pipe is full,
  /// as a program expects of its standard output.
  package let input: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check(unsafe clinux_pipe(&ends), "pipe")
    (output, input) = try FileDescriptor.adopt(pair: ends)
    _ = try SystemError.check(clinux_set_blocking(input.rawValue), "make a pipe's end block")
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
