package import EventLoop
import Glibc

/// The temporary folder of a positiond of one's own: where its configuration, its socket, its database and its log are.
///
/// It is removed when the last reference to it goes.
package final class SandboxFolder {
  private let folder: TemporaryFolder

  /// - Parameter prefix: how the folder's name begins.
  package init(prefix: String) throws(SystemError) {
    self.folder = try TemporaryFolder(prefix: prefix)
  }

  package var path: String { self.folder.path }
  /// positiond's socket.
  package var socket: String { self.file("positiond.sock") }
  /// positiond's configuration file.
  package var configuration: String { self.file("positiond.conf") }
  /// What positiond logs, where it is started with that.
  package var log: String { self.file("positiond.log") }
  /// The receiver's device: a link, which stays the same when the receiver is unplugged and plugged in again.
  package var device: String { self.file("receiver") }

  /// The path of a file in it.
  package func file(_ name: String) -> String { self.folder.file(name) }

  /// Writes positiond's configuration: what a positiond in this folder needs, and further lines, which come first where
  /// they have the same key.
  package func configure(gpsdPort: UInt16, _ further: [Sandbox.ConfigurationLine]) throws(SystemError) {
    let own = [
      Sandbox.ConfigurationLine(section: "server", key: "socket", value: self.socket),
      Sandbox.ConfigurationLine(section: "gpsd", key: "host", value: "127.0.0.1"),
      Sandbox.ConfigurationLine(section: "gpsd", key: "port", value: "\(gpsdPort)"),
      Sandbox.ConfigurationLine(section: "store", key: "path", value: self.file("positiond.db")),
      // The position is simulated, so every program that reaches the socket may know it, unless permission is what is
      // tried out.
      Sandbox.ConfigurationLine(section: "authorization", key: "default", value: "allow"),
    ]
    try self.write(configuration: (own + further).withoutRepetition.text)
  }

  /// Puts a text in the configuration's place. Whoever reads the file finds the old text or the new one, whole.
  package func write(configuration text: String) throws(SystemError) {
    let new = "\(self.configuration).new"
    try File.write(Array(text.utf8), to: new)
    guard unsafe rename(new, self.configuration) == 0 else { throw SystemError.last("rename \(new)") }
  }

  /// How a positiond is started with this configuration.
  package func command(_ positiond: String) -> Command {
    Command(positiond, ["--config", self.configuration], hasOwnGroup: true)
  }

  /// Removes it with everything in it. A second time does nothing.
  package func remove() throws(SystemError) { try self.folder.remove() }
}
