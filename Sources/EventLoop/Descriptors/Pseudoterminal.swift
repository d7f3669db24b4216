import CLinux
import Glibc

/// A terminal without hardware: a program reads from the file at `path` what is written to `master`, as from a serial
/// port.
package struct Pseudoterminal {
  /// Our side. It reports ``FileDescriptor/ReadResult/endOfFile`` while the other side is closed, and works again when
  /// a program opens it.
  package let master: FileDescriptor
  /// The other side's file, `/dev/pts/N`, which every user may open.
  package let path: String

  /// Creates one in raw mode: no echo, no line editing, unchanged bytes.
  package static func open() throws(SystemError) -> Pseudoterminal {
    let number = try SystemError.check(clinux_terminal_open(), "open a pseudoterminal")
    let master = try FileDescriptor(adopting: number)
    let path = try name(of: master)

    var settings = termios()
    _ = try SystemError.check(unsafe tcgetattr(master.rawValue, &settings), "tcgetattr")
    unsafe cfmakeraw(&settings)
    _ = try SystemError.check(unsafe tcsetattr(master.rawValue, TCSANOW, &settings), "tcsetattr")
    _ = try SystemError.check(unsafe chmod(path, 0o666), "chmod \(path)")

    // A terminal that was never open does not count as hung up, so it is opened and closed once.
    let other = try SystemError.check(unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), "open \(path)")
    close(other)
    return Pseudoterminal(master: master, path: path)
  }

  /// Whether a program holds the other side open.
  package func isOpenedByOther() throws(SystemError) -> Bool {
    try SystemError.check(clinux_is_hung_up(master.rawValue), "poll a pseudoterminal") == 0
  }

  private static func name(of master: FileDescriptor) throws(SystemError) -> String {
    var bytes = [CChar](repeating: 0, count: 64)
    let code = unsafe clinux_terminal_path(master.rawValue, &bytes, UInt(bytes.count))
    guard code == 0 else { throw SystemError(code: code, call: "ptsname") }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
