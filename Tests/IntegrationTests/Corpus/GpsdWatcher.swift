import EventLoop
import FoundationEssentials
import Glibc
import TestSupport

/// A minimal watcher of gpsd, which shares nothing with the daemon but the socket: it reads gpsd's JSON with
/// Foundation's decoder.
final class GpsdWatcher {
  /// The members of a position report that the tests use.
  struct Report: Decodable {
    var `class`: String
    var mode: Int?
    var time: String?
    var lat: Double?
    var lon: Double?
    var status: Int?

    /// Whether it has a position that a receiver measured, by gpsd's manual.
    var isUsable: Bool { (self.mode ?? 0) >= 2 && self.lat != nil && self.lon != nil && self.status != 8 }
  }

  private let socket: FileDescriptor
  private var unread: [UInt8] = []
  /// All reports of a position so far.
  private(set) var reports: [Report] = []

  /// Connects, and requests nothing yet.
  init(port: UInt16) throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      let socket = try TCPSocket.connect(address: "127.0.0.1", port: port)
      Self.wait(for: POLLOUT, on: socket, seconds: TestDeadline.seconds)
      guard let error = TCPSocket.finishConnect(socket) else {
        self.socket = socket
        return
      }
      guard monotonicSeconds() < deadline else { throw error }
      // gpsd refuses for the first milliseconds of its life.
      Self.wait(for: POLLIN, on: nil, seconds: 0.02)
    }
  }

  func watch() throws {
    _ = try self.socket.write(Array("?WATCH={\"enable\":true,\"json\":true};\r\n".utf8)[...])
  }

  /// Reads what has arrived.
  func read() throws {
    while case .bytes = try self.socket.read(into: &self.unread, upTo: 65_536) {}
    while let end = self.unread.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Data(self.unread[..<end])
      self.unread.removeFirst(end + 1)
      let report = try JSONDecoder().decode(Report.self, from: line)
      if report.class == "TPV" { self.reports.append(report) }
    }
  }

  private static func wait(for events: Int32, on socket: FileDescriptor?, seconds: Double) {
    var poller = pollfd(fd: socket?.rawValue ?? -1, events: Int16(events), revents: 0)
    _ = unsafe poll(&poller, 1, Int32(seconds * 1000))
  }
}
