import EventLoop
import Positioning
import TestSupport
import Testing

@Suite("Descriptors on the loop")
struct DescriptorTests {
  private let loop: EventLoop
  private let near: FileDescriptor
  private let far: FileDescriptor

  init() throws {
    loop = try EventLoop()
    (near, far) = try UnixSocket.pair()
  }

  @Test("A watch is called for the requested conditions, and never without any")
  func interest() throws {
    var received: [Interest] = []
    let watch = try loop.watch(near, for: []) { received.append($0) }
    _ = try far.write([1, 2, 3])
    try settle(loop)
    #expect(received.isEmpty)

    watch.interest = .read
    #expect(try loop.runOnce(timeout: .zero))
    #expect(received == [.read])

    watch.interest = [.read, .write]
    #expect(try loop.runOnce(timeout: .zero))
    #expect(received == [.read, [.read, .write]])

    #expect(try readAll(near) == [1, 2, 3])
    watch.interest = .read
    try settle(loop)
    #expect(received.count == 2)
  }

  @Test("The other side's closing is reported as a hang-up, requested or not", arguments: [[], .read] as [Interest])
  func hangup(interest: Interest) throws {
    var received: Interest?
    let watch = try loop.watch(near, for: interest) { received = $0 }
    far.close()
    #expect(try loop.runOnce(timeout: TestDeadline.duration))
    #expect(received?.contains(.hangup) == true)
    #expect(received?.contains(.read) == interest.contains(.read))
    withExtendedLifetime(watch) {}
    var bytes: [UInt8] = []
    #expect(try near.read(into: &bytes, upTo: 10) == .endOfFile)
  }

  @Test("All descriptors that are ready at once are served, once each before any is served again")
  func atOnce() throws {
    var order: [Int] = []
    let pairs = try (0..<50).map { _ in try UnixSocket.pair() }
    let watches = try pairs.enumerated().map { index, pair in
      try loop.watch(pair.0, for: .read) { _ in order.append(index) }
    }
    for pair in pairs { _ = try pair.1.write([1]) }
    // Nobody reads, so all stay ready; still each has its turn.
    try loop.drive(until: "two rounds") { order.count == 100 }
    for index in 0..<50 {
      #expect(order.filter { $0 == index }.count >= 1)
    }
    withExtendedLifetime(watches) {}
  }

  @Test("Calls that always add another call do not delay a descriptor")
  func fairness() throws {
    let loop = loop
    let isRead = Box(false)
    let turns = Box(0)
    let watch = try loop.watch(near, for: .read) { _ in isRead.value = true }
    @Sendable func again() {
      turns.value += 1
      // It ends by itself, in case the descriptor never has its turn.
      if !isRead.value && turns.value < 100_000 { loop.call(again) }
    }
    again()
    _ = try far.write([1])
    try loop.drive(until: "the descriptor's turn") { isRead.value || turns.value >= 100_000 }
    #expect(isRead.value)
    #expect(turns.value < 100)
    withExtendedLifetime(watch) {}
  }

  @Test("A watch that another handler cancels is not called, even if it is ready")
  func cancelOther() throws {
    let (second, other) = try UnixSocket.pair()
    let watches = Box<[DescriptorWatch]>([])
    var called: [Int] = []
    watches.value = [
      try loop.watch(near, for: .read) { _ in
        called.append(0)
        watches.value[1].cancel()
        watches.value[0].cancel()
      },
      try loop.watch(second, for: .read) { _ in
        called.append(1)
        watches.value[0].cancel()
        watches.value[1].cancel()
      },
    ]
    _ = try far.write([1])
    _ = try other.write([1])
    try settle(loop)
    #expect(called.count == 1)
    watches.value = []
  }

  @Test("Closing a descriptor ends its watch, and its number can be watched again for another")
  func closeWhileWatched() throws {
    var called: [String] = []
    let first = try loop.watch(near, for: .read) { _ in called.append("first") }
    let number = near.rawValue
    _ = try far.write([1])
    near.close()

    // Tests run concurrently, so the number may be in use elsewhere; then another pair shows less, but nothing wrong.
    var (again, other) = try UnixSocket.pair()
    if other.rawValue == number { (again, other) = (other, again) }
    let second = try loop.watch(again, for: .read) { _ in called.append("second") }
    first.cancel()
    _ = try other.write([1])
    #expect(try loop.runOnce(timeout: TestDeadline.duration))
    #expect(called == ["second"])
    withExtendedLifetime(second) {}
  }

  @Test("Bytes are exchanged by a handler that answers")
  func echo() throws {
    let watch = try loop.watch(near, for: .read) { [near] _ in
      do {
        var bytes: [UInt8] = []
        _ = try near.read(into: &bytes, upTo: 4096)
        _ = try near.write(bytes[...])
      } catch {
        Issue.record(error)
      }
    }
    var got: [UInt8] = []
    for round in 0..<100 as Range<UInt8> {
      #expect(try far.write([round, 255 - round]) == .wrote(2))
      try loop.drive(until: "the answer") { try far.read(into: &got, upTo: 10) == .bytes(2) }
    }
    #expect(got == (0..<100).flatMap { [$0, 255 - $0] })
    withExtendedLifetime(watch) {}
  }

  @Test("Reading appends, and neither reading nor writing ever blocks")
  func neverBlocks() throws {
    var bytes: [UInt8] = [9]
    #expect(try near.read(into: &bytes, upTo: 10) == .wouldBlock)
    _ = try far.write([1, 2, 3])
    #expect(try near.read(into: &bytes, upTo: 2) == .bytes(2))
    #expect(bytes == [9, 1, 2])

    let chunk = [UInt8](repeating: 7, count: 65536)
    var written = 0
    while case .wrote(let count) = try far.write(chunk[...]) { written += count }
    #expect(written > 0)
    #expect(try readAll(near).count == written + 1)
  }

  @Test("Writing to a socket whose other side is closed is an error, not a signal")
  func brokenPipe() throws {
    far.close()
    let error = #expect(throws: SystemError.self) { try near.write([1]) }
    #expect(error?.code == 32)
    #expect(error?.description == "write: Broken pipe")
  }
}
