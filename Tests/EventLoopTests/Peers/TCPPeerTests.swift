import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

/// Who is at the other end of a TCP connection within this machine.
@Suite("Peers over TCP", .timeLimit(.minutes(TestDeadline.minutes))) struct TCPPeerTests {
  /// The accepted ends of a connection, once the kernel has it.
  private static func accept(_ listener: TCPListener, on loop: EventLoop) throws -> FileDescriptor {
    var accepted: FileDescriptor?
    let watch = try loop.watch(listener.descriptor, for: .read) { _ in accepted = (try? listener.accept()) ?? nil }
    try loop.drive(until: "a connection") { accepted != nil }
    watch.cancel()
    return try #require(accepted)
  }

  /// All that the kernel says of a user.
  private static func user(_ uid: UInt32) -> Principal {
    var user = Principal(uid: uid, unit: .unknown)
    user.accountGroups = nil
    return user
  }

  @Test("the peer is the user who made its socket, without groups, process or unit")
  func own() async throws {
    try await withLoop { loop in
      let listener = try TCPSocket.listenOnLoopback()
      let client = try TCPSocket.connect(address: "127.0.0.1", port: listener.localPort)
      let principal = try Principal(peerOf: Self.accept(listener, on: loop))
      #expect(principal == Self.user(geteuid()))
      withExtendedLifetime(client) {}
    }
  }

  @Test("the peer is another user", .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func other() async throws {
    try await withLoop { loop in
      let listener = try TCPSocket.listenOnLoopback()
      let port = listener.localPort
      let client = try OtherUser(uid: 54_321).perform { try TCPSocket.connect(address: "127.0.0.1", port: port) }
      let principal = try Principal(peerOf: Self.accept(listener, on: loop))
      #expect(principal == Self.user(54_321))
      withExtendedLifetime(client) {}
    }
  }

  @Test("a peer that has left is nobody, and not root, as whom the kernel reports its socket")
  func left() async throws {
    try await withLoop { loop in
      let listener = try TCPSocket.listenOnLoopback()
      let client = try TCPSocket.connect(address: "127.0.0.1", port: listener.localPort)
      let accepted = try Self.accept(listener, on: loop)
      client.close()
      #expect(try Principal(peerOf: accepted) == .unknown)
    }
  }

  @Test("a chosen port is listened at on both loopback addresses, also again at once")
  func chosenPort() throws {
    let port = try TCPReservation().port
    for _ in 0..<2 {
      let listeners = try TCPSocket.listenOnLoopback(port: port, backlog: 4)
      #expect(listeners.allSatisfy { $0.localPort == port } && !listeners.isEmpty)
      let error = #expect(throws: SystemError.self) { try TCPSocket.listenOnLoopback(port: port, backlog: 4) }
      #expect(error?.code == EADDRINUSE)
      for listener in listeners { listener.close() }
    }
  }
}
