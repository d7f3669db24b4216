import Broker
package import EventLoop
import JSONRPC
import PositionProtocol
package import Positioning

/// A file, readable for everybody on the device, with the users who get positions: for indicators that are not clients.
///
/// It exists while the daemon runs, and is always complete: a new one is written beside it and renamed. It is small,
/// and in the sockets' folder, which is in memory.
package final class InUseFile {
  package static let name = "in-use.json"

  private let path: String
  private let disk: any Disk
  private let clocks: Clocks
  private let log: (LogKind, LogMessage) -> Void
  private var users: [DaemonStatus.InUse] = []
  private var isBegun = false
  /// Whether a failed write was logged.
  private var isFailing = false

  /// - Parameter socket: The path of the socket, which has the file beside it.
  package init(
    beside socket: String, on disk: any Disk = SystemDisk(), clocks: Clocks,
    log: @escaping (LogKind, LogMessage) -> Void
  ) {
    let folder = socket.lastIndex(of: "/").map { socket[...$0] } ?? ""
    self.path = "\(folder)\(Self.name)"
    self.disk = disk
    self.clocks = clocks
    self.log = log
  }

  /// Writes the file from now on, replacing an old one. Called once the daemon owns the sockets, and so the file.
  package func begin() {
    self.isBegun = true
    self.write()
  }

  package func write(_ users: [DaemonStatus.InUse]) {
    self.users = users
    if self.isBegun { self.write() }
  }

  /// Removes the file, because no user gets positions any more.
  package func end() {
    guard self.isBegun else { return }
    self.isBegun = false
    self.disk.remove(self.path)
  }

  private func write() {
    let content = Content(inUse: self.users)
    do {
      let text = try Content.codec.encode(
        content, moment: CodingMoment(now: self.clocks.sinceBoot(), since1970: self.clocks.wall()))
      try self.disk.replace(self.path, with: text + [UInt8(ascii: "\n")], mode: 0o644)
      self.isFailing = false
    } catch {
      // No file is better than an outdated one.
      self.disk.remove(self.path)
      if !self.isFailing { self.log(.inUseUnwritten, "\(self.path, .file) cannot show who gets positions: \(error)") }
      self.isFailing = true
    }
  }

  private struct Content: WireObject {
    var inUse: [DaemonStatus.InUse]

    static let wire = ObjectCodec<Content>(blank: Content(inUse: [])) {
      Field.required(
        "inUse", \.inUse, .array(of: DaemonStatus.InUse.codec), example: [DaemonStatus.InUse.example],
        "Who is being given positions.")
    }
  }
}
