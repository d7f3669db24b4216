import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct OtherUserTests {
  /// A socket where every user may connect, if its mode allows it.
  private final class Door {
    let folder: TemporaryFolder
    let path: String
    let listener: UnixListener

    init(mode: UInt32) throws {
      self.folder = try TemporaryFolder()
      self.path = self.folder.file("socket")
      try self.folder.openToEverybody()
      self.listener = try UnixSocket.listen(path: self.path, mode: mode, backlog: 8)
    }

    func peer() throws -> Principal {
      guard let socket = try self.listener.accept() else { throw TimedOut("nobody is at the door") }
      return try Principal(peerOf: socket)
    }
  }

  @Test func `the kernel reports the user that connected for a client, and no other thread changes`() async throws {
    try await onOwnThread {
      let door = try Door(mode: 0o666)
      let others = [
        OtherUser(uid: 54_321), OtherUser(uid: 54_322, gid: 12_345, groups: [23_456, 34_567]), OtherUser(uid: 0),
      ]
      let clients = try others.map { try LineClient(path: door.path, as: $0) }
      for other in others {
        let peer = try door.peer()
        #expect(peer.uid == other.uid)
        #expect(peer.gid == other.gid)
        // The primary group is the first, whether the kernel lists it or not.
        #expect(peer.groups == [other.gid] + other.groups.filter { $0 != other.gid })
        #expect(peer.pid == getpid())
      }
      withExtendedLifetime(clients) {}
      _ = try LineClient(path: door.path)
      #expect(try door.peer().uid == 0)
      #expect(geteuid() == 0 && getuid() == 0 && getegid() == getgid())
    }
  }

  @Test func `a file that is closed to another user is closed to the test's other user`() async throws {
    try await onOwnThread {
      let door = try Door(mode: 0o600)
      #expect(throws: TimedOut.self) { try LineClient(path: door.path, as: OtherUser(uid: 54_321)) }
      #expect(throws: Never.self) { try LineClient(path: door.path) }
      let ofGroup = try Door(mode: 0o660)
      _ = unsafe chown(ofGroup.path, 0, 12_345)
      #expect(throws: TimedOut.self) { try LineClient(path: ofGroup.path, as: OtherUser(uid: 54_321)) }
      #expect(throws: Never.self) { try LineClient(path: ofGroup.path, as: OtherUser(uid: 54_321, groups: [12_345])) }
    }
  }

  @Test func `another user has no rights of root any more, and errors are passed back`() async throws {
    try await onOwnThread {
      let found = try OtherUser(uid: 54_321).perform { () -> [Int32] in
        #expect(throws: SystemError.self) { try OtherUser(uid: 0).perform {} }
        return [Int32(geteuid()), kill(1, 0), errno]
      }
      #expect(found == [54_321, -1, EPERM])
      #expect(throws: TimedOut.self) { try OtherUser(uid: 54_321).perform { throw TimedOut("as it was to be") } }
      #expect(kill(1, 0) == 0)
    }
  }

  @Test(.enabled(if: OwnNetwork.canBeMade, "\(OwnNetwork.reason)"))
  func `in a network of its own a thread has every port for itself`() async throws {
    let outside = try TCPSocket.listenOnLoopback()
    let port = outside.localPort
    try await withLoop { loop in
      try OwnNetwork.enter()
      #expect(throws: SystemError.self) { try Self.connect("127.0.0.1", port, loop) }
      let listener = try OwnNetwork.listen(port: port)
      for address in OwnNetwork.addresses { try Self.connect(address, port, loop) }
      withExtendedLifetime(listener) {}
    }
    #expect(try outside.accept() == nil)
  }

  private static func connect(_ address: String, _ port: UInt16, _ loop: EventLoop) throws {
    let socket = try TCPSocket.connect(address: address, port: port)
    var isReady = false
    let watch = try loop.watch(socket, for: .write) { _ in isReady = true }
    try loop.drive(until: "an answer of \(address)") { isReady }
    watch.cancel()
    if let error = TCPSocket.finishConnect(socket) { throw error }
  }
}
