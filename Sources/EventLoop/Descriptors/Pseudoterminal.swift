import CLinux
import Glibc

/// A terminal without hardware: what is written to `master` a program reads from the file at `path`, as from a
/// serial port.
package struct Pseudoterminal {
  /// Our side. It ends (``FileDescriptor/ReadResult/endOfFile``) whenever the other side is closed, and goes on
  /// when someone opens it again.
  package let master: FileDescriptor
  /// The other side's file, `/dev/pts/N`, which everyone may open.
  package let path: String

  /// Makes one in raw mode: no echo, no line editing, bytes as they are.
  package static func open() throws(SystemError) -> Pseudoterminal {
    let number = try SystemError.check(clinux_terminal_open(), "open a pseudoterminal")
    let master = try FileDescriptor(adopting: number)
    let path = try name(of: master)

    var settings = termios()
    _ = try SystemError.check(unsafe tcgetattr(master.rawValue, &settings), "tcgetattr")
    unsafe cfmakeraw(&settings)
    _ = try SystemError.check(unsafe tcsetattr(master.rawValue, TCSANOW, &settings), "tcsetattr")
    _ = try SystemError.check(unsafe chmod(path, 0o666), "chmod \(path)")

    // A terminal that was never open is not hung up: open and close it once, so that the state is right from the start.
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
