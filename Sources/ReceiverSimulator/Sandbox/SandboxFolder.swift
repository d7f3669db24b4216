package import EventLoop
import Glibc

/// The temporary folder of a separate positiond, with its configuration, socket, database and log.
///
/// It is removed when this object is released.
package final class SandboxFolder {
  private let folder: TemporaryFolder

  /// - Parameter prefix: The beginning of the folder's name.
  package init(prefix: String) throws(SystemError) {
    self.folder = try TemporaryFolder(prefix: prefix)
  }

  package var path: String { self.folder.path }
  /// positiond's socket.
  package var socket: String { self.file("positiond.sock") }
  /// positiond's configuration file.
  package var configuration: String { self.file("positiond.conf") }
  /// The log of positiond, if it is started with this file.
  package var log: String { self.file("positiond.log") }
  /// The receiver's device: a link that stays the same when the receiver is unplugged and plugged in again.
  package var device: String { self.file("receiver") }

  /// The path of a file in it.
  package func file(_ name: String) -> String { self.folder.file(name) }

  /// Writes positiond's configuration: the lines that a positiond in this folder needs, and further lines, which have
  /// precedence if their keys are the same.
  package func configure(gpsdPort: UInt16, _ further: [Sandbox.ConfigurationLine]) throws(SystemError) {
    let own = [
      Sandbox.ConfigurationLine(section: "server", key: "socket", value: self.socket),
      Sandbox.ConfigurationLine(section: "gpsd", key: "host", value: "127.0.0.1"),
      Sandbox.ConfigurationLine(section: "gpsd", key: "port", value: "\(gpsdPort)"),
      Sandbox.ConfigurationLine(section: "store", key: "path", value: self.file("positiond.db")),
      // The position is simulated, so every program that can connect may know it, unless a configuration tests
      // permission.
      Sandbox.ConfigurationLine(section: "authorization", key: "default", value: "allow"),
    ]
    try self.write(configuration: (own + further).withoutRepetition.text)
  }

  /// Replaces the configuration with a text. A reader gets the whole old text or the whole new one.
  package func write(configuration text: String) throws(SystemError) {
    let new = "\(self.configuration).new"
    try File.write(Array(text.utf8), to: new)
    guard unsafe rename(new, self.configuration) == 0 else { throw SystemError.last("rename \(new)") }
  }

  /// The command that starts a positiond with this configuration.
  package func command(_ positiond: String) -> Command {
    Command(positiond, ["--config", self.configuration], hasOwnGroup: true)
  }

  /// Removes it with its contents. A second call does nothing.
  package func remove() throws(SystemError) { try self.folder.remove() }
}
