import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("TCP sockets")
struct TCPSocketTests {
  @Test("A connection is made, and then the socket becomes writable")
  func connect() throws {
    let loop = try EventLoop()
    let listener = try TCPSocket.listenOnLoopback()
    let client = try TCPSocket.connect(address: "127.0.0.1", port: listener.localPort)
    var isWritable = false
    let watch = try loop.watch(client, for: .write) { if $0.contains(.write) { isWritable = true } }
    try loop.drive(until: "the connection") { isWritable }
    #expect(TCPSocket.finishConnect(client) == nil)
    let accepted = try #require(try listener.accept())
    _ = try accepted.write([1])
    watch.interest = .read
    var got: [UInt8] = []
    try loop.drive(until: "a byte") { try client.read(into: &got, upTo: 1) == .bytes(1) }
  }

  @Test("A refused connection is reported once")
  func refused() throws {
    let loop = try EventLoop()
    let listener = try TCPSocket.listenOnLoopback()
    let port = listener.localPort
    listener.descriptor.close()
    let error: SystemError?
    do throws(SystemError) {
      let client = try TCPSocket.connect(address: "127.0.0.1", port: port)
      var isConnected = false
      let watch = try loop.watch(client, for: .write) { _ in isConnected = true }
      #expect(throws: Never.self) { try loop.drive(until: "the refusal") { isConnected } }
      withExtendedLifetime(watch) {}
      error = TCPSocket.finishConnect(client)
    } catch let atOnce {
      error = atOnce
    }
    #expect(error?.code == ECONNREFUSED)
  }

  @Test("Root can open a socket that is another user's, and stays root", .enabled(if: geteuid() == 0))
  func owner() throws {
    let listener = try TCPSocket.listenOnLoopback()
    for owner in [54_321, nil] as [UInt32?] {
      let client = try TCPSocket.connect(address: "127.0.0.1", port: listener.localPort, owner: owner)
      var status = stat()
      #expect(unsafe fstat(client.rawValue, &status) == 0)
      #expect(status.st_uid == owner ?? 0)
      client.close()
    }
  }

  @Test("Other users cannot", .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func noOwner() throws {
    let listener = try TCPSocket.listenOnLoopback()
    let error = try OtherUser(uid: 54_321).perform {
      #expect(throws: SystemError.self) {
        try TCPSocket.connect(address: "127.0.0.1", port: listener.localPort, owner: 54_322)
      }
    }
    #expect(error?.code == EPERM)
  }

  @Test("A host name is no address", arguments: ["localhost", "", "1.2.3.4.5", "::1::"])
  func notNumeric(address: String) {
    let error = #expect(throws: SystemError.self) { try TCPSocket.connect(address: address, port: 2947) }
    #expect(error?.message == "not a numeric IPv4 or IPv6 address")
  }
}
