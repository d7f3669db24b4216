import Glibc
import Positioning
import TestSupport
import Testing

@testable import EventLoop

/// chrony's protocol, with what Debian's chronyd 4.3 answered to this question.
@Suite struct ChronyTests {
  private static let number: UInt32 = 0x69
  private static let wall = Duration.milliseconds(1_795_884_895_566)
  private static let now = Instant(sinceBoot: .seconds(5000))

  static let reply: [UInt8] = {
    let digits = Array(
      "0602000000210005000000000000000000000069000000000000000047505300000000000000000000000000000000000000000000010000"
        + "000000006b0b074f00fb6cc5008113a3d56516bad2dbc36b0d5ffb47eb4da500f4e0144ec889705fe4f513410c80062d")
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
  }()

  private static func figure(_ change: (inout [UInt8]) -> Void = { _ in }) -> ClockFigure? {
    var bytes = self.reply
    change(&bytes)
    return ChronyTracking.figure(in: bytes, answering: self.number, now: self.now, wall: self.wall)
  }

  @Test func `what chrony says is read with its units and its signs`() throws {
    #expect(ChronyTracking.question(0x0102_0304).count == Self.reply.count)
    #expect(Array(ChronyTracking.question(0x0102_0304)[..<12]) == [6, 1, 0, 0, 0, 33, 0, 0, 1, 2, 3, 4])
    let figure = try #require(Self.figure())
    #expect(figure.reference == "GPS" && figure.isReferenceClock)
    // As `chronyc tracking` shows it: 0.252103 s slow, a skew of 0.0068 ppm, a dispersion of 29 microseconds.
    #expect((figure.correction.seconds - 0.252103).magnitude < 1e-6)
    #expect((figure.drift - 0.007008e-6).magnitude < 1e-12)
    let error = try #require(figure.error)
    #expect((error.seconds - 0.0000292152).magnitude < 1e-9)
    #expect((figure.asked - figure.updated - .milliseconds(16801)).seconds.magnitude < 0.01)
    let later = try #require(figure.error(at: Self.now + .seconds(1_000_000)))
    #expect(((later - error).seconds - 0.007008).magnitude < 1e-6)
  }

  @Test func `a chrony without the time, a server of the network and chrony's own clock are no receiver`() {
    let unset = Self.figure { $0[55] = 3 }
    #expect(unset != nil && unset?.error == nil && unset?.reference == nil)
    #expect(unset?.isReferenceClock == false && unset?.updated == .boot)
    let server = Self.figure { bytes in
      bytes.replaceSubrange(32..<36, with: [192, 0, 2, 1])
      bytes[49] = 1
    }
    #expect(server?.reference == "192.0.2.1" && server?.isReferenceClock == false)
    let six = Self.figure { bytes in
      bytes.replaceSubrange(32..<48, with: [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1])
      bytes[49] = 2
    }
    #expect(six?.reference == "2001:db8:0:0:0:0:0:1")
    // Its own clock, which it calls 127.127.1.1, and which is no receiver.
    let own = Self.figure { $0.replaceSubrange(28..<32, with: [127, 127, 1, 1]) }
    #expect(own?.reference == nil && own?.isReferenceClock == false && own?.error != nil)
    #expect(Self.figure { $0.replaceSubrange(28..<32, with: [27, 91, 49, 109]) }?.reference == nil)
  }

  @Test func `what is no answer to the question is none`() {
    #expect(ChronyTracking.figure(in: [], answering: Self.number, now: Self.now, wall: Self.wall) == nil)
    #expect(Self.figure { $0.removeLast() } == nil)
    for place in [0, 1, 5, 7, 9, 19] { #expect(Self.figure { $0[place] ^= 1 } == nil, "\(place)") }
    // A later release may add to it.
    #expect(Self.figure { $0 += [1, 2, 3] } == Self.figure())
  }

  // MARK: The socket

  @Test func `chrony is asked, and what another number answers is waited past`() throws {
    let (loop, chrony) = (try EventLoop(), try FakeChrony())
    var answers: [ClockFigure?] = []
    ChronySocket.ask(on: loop, port: chrony.port) { answers.append($0) }
    try chrony.answer { question in
      var reply = Self.reply
      reply.replaceSubrange(16..<20, with: question[8..<12])
      return [[], [1, 2, 3], Self.reply, reply, reply]
    }
    try loop.drive(until: "the answer") { !answers.isEmpty }
    #expect(answers.count == 1 && answers[0]?.reference == "GPS")
  }

  @Test func `a chrony that says nothing has a second, and where none listens that is known at once`() throws {
    let loop = try EventLoop()
    var answers: [ClockFigure?] = []
    let chrony = try FakeChrony()
    ChronySocket.ask(on: loop, port: chrony.port) { answers.append($0) }
    try loop.drive(until: "the end of its time") { !answers.isEmpty }
    let port = chrony.port
    chrony.close()
    ChronySocket.ask(on: loop, port: port) { answers.append($0) }
    try loop.drive(until: "the refusal") { answers.count == 2 }
    #expect(answers == [nil, nil])
  }
}

/// A socket of the loopback in chrony's place.
private final class FakeChrony {
  private let socket: FileDescriptor
  let port: UInt16

  init() throws {
    let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    self.socket = try FileDescriptor(adopting: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    guard isBound else { throw SystemError.last("bind") }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Waits for a question, and sends the datagrams.
  func answer(_ datagrams: ([UInt8]) -> [[UInt8]]) throws {
    var question = [UInt8](repeating: 0, count: 1024)
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try unsafe withUnsafeMutablePointer(to: &address) { address in
      try unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let count = unsafe recvfrom(self.socket.rawValue, &question, question.count, 0, address, &length)
        guard count > 0 else { throw SystemError.last("receive") }
        for datagram in datagrams(Array(question[..<count])) {
          guard unsafe sendto(self.socket.rawValue, datagram, datagram.count, 0, address, length) >= 0 else {
            throw SystemError.last("send")
          }
        }
      }
    }
  }

  func close() { self.socket.close() }
}
