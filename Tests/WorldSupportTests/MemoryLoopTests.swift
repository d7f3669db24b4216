import EventLoop
import Glibc
import Positioning
import Synchronization
import Testing
import WorldSupport

@Suite("A loop in a kernel in memory") struct MemoryLoopTests {
  private static let ada = Principal(uid: 1000, gid: 1000, pid: 42, groups: [27], unit: .named("tracker.service"))

  private let machine = MemoryMachine(seed: 1)
  private let loop: EventLoop
  private let kernel: MemoryKernel

  init() throws {
    (self.loop, self.kernel) = try self.machine.makeLoop(as: Principal(uid: 0, gid: 0, pid: 7))
  }

  // MARK: Time

  @Test("A timer of an hour is called after an hour of the machine's time, and at once by this test's")
  func timer() throws {
    let began = self.machine.now
    let called = Box<[Instant]>([])
    let timer = try self.loop.timer(accuracy: .milliseconds(1)) { called.value.append(self.loop.now) }
    timer.arm(at: began + .seconds(3600))
    #expect(try self.machine.run(until: began + .seconds(3599)) { !called.value.isEmpty } == false)
    try self.machine.run(for: .seconds(2))
    #expect(called.value.count == 1)
    let late = try #require(called.value.first) - began - .seconds(3600)
    #expect(late >= .zero && late < .milliseconds(1))
    #expect(!timer.isArmed)
  }

  @Test("Each reading of a clock takes time, and the moment of a wake-up stays")
  func cost() throws {
    let first = self.loop.readClock()
    #expect(self.loop.readClock() > first)
    let seen = Box<[Instant]>([])
    let loop = self.loop
    loop.call { seen.value = [loop.now, loop.readClock(), loop.now] }
    try self.machine.run(for: .seconds(1))
    try #require(seen.value.count == 3)
    #expect(seen.value[0] == seen.value[2])
    #expect(seen.value[1] > seen.value[0])
  }

  @Test("In a sleep of the machine the monotonic clock stands still, and a step of the wall clock moves that alone")
  func clocks() throws {
    let clocks = self.loop.clocks
    let before = (clocks.sinceBoot(), clocks.monotonic(), clocks.wall())
    self.machine.suspend(for: .seconds(600))
    self.machine.stepWallClock(by: .seconds(-86_400))
    let after = (clocks.sinceBoot(), clocks.monotonic(), clocks.wall())
    #expect(abs((after.0 - before.0 - .seconds(600)).seconds) < 0.001)
    #expect(abs((after.1 - before.1).seconds) < 0.001)
    #expect(abs((after.2 - before.2 - .seconds(600 - 86_400)).seconds) < 0.001)
  }

  @Test("The loop notices a sleep of the machine and a stop of its process, and no gap otherwise")
  func gaps() throws {
    let found = Box<[Duration]>([])
    self.loop.onGap { found.value.append($0) }
    let ticks = Box(0)
    let timer = Box<LoopTimer?>(nil)
    timer.value = try self.loop.timer(accuracy: .milliseconds(1)) {
      ticks.value += 1
      timer.value?.arm(at: self.loop.now + .seconds(5))
    }
    timer.value?.arm(at: self.machine.now)
    try self.machine.run(for: .seconds(3600))
    #expect(ticks.value > 700)
    #expect(found.value.isEmpty)
    self.machine.suspend(for: .seconds(60))
    try self.machine.run(for: .seconds(10))
    #expect(found.value.count == 1)
    self.kernel.stop(for: .seconds(90))
    try self.machine.run(for: .seconds(100))
    #expect(found.value.count == 2)
    #expect(found.value.allSatisfy { abs($0.seconds - 60) < 6 || abs($0.seconds - 90) < 6 }, "\(found.value)")
  }

  @Test("Timers that are due together come in an order that the seed draws, and the same seed draws the same")
  func order() throws {
    let orders = try (UInt64(1)...6).map { try Self.order(seed: $0) }
    #expect(try (UInt64(1)...6).map { try Self.order(seed: $0) } == orders)
    #expect(Set(orders).count > 1)
    #expect(orders.allSatisfy { $0.sorted() == Array(0..<8) })
  }

  private static func order(seed: UInt64) throws -> [Int] {
    let machine = MemoryMachine(seed: seed)
    let (loop, _) = try machine.makeLoop(as: Self.ada)
    let called = Box<[Int]>([])
    let timers = try (0..<8).map { number in try loop.timer(accuracy: .milliseconds(1)) { called.value.append(number) }
    }
    for timer in timers { timer.arm(at: machine.now + .seconds(1)) }
    try machine.run(for: .seconds(2))
    return called.value
  }

  // MARK: Workers

  @Test("A worker steps when it is woken and at its moment, and its end is waited for")
  func worker() throws {
    let steps = Box<[Instant]>([])
    let clocks = self.loop.clocks
    let worker = try Worker(on: self.loop, name: "worker") {
      steps.value.append(clocks.sinceBoot())
      switch steps.value.count {
      case 1: return .wait(until: clocks.sinceBoot() + .seconds(30))
      case 2: return .wait(until: nil)
      case _: return .end
      }
    }
    worker.wake()
    #expect(steps.value.isEmpty)
    try self.machine.run(for: .seconds(60))
    try #require(steps.value.count == 2)
    #expect((steps.value[1] - steps.value[0]).seconds >= 30)
    worker.join()
    #expect(steps.value.count == 3)
    worker.join()
    worker.wake()
    try self.machine.run(for: .seconds(60))
    #expect(steps.value.count == 3)
  }

  @Test("A loop that waits lets work beside it go on")
  func beside() throws {
    let isDone = Box(false)
    let loop = self.loop
    try loop.performBeside(name: "lookup") { loop.call { isDone.value = true } }
    while !isDone.value { _ = try loop.runOnce(timeout: nil) }
    #expect(isDone.value)
  }

  // MARK: Streams

  @Test("What a client sends arrives whole and in order, however it is split, and the kernel says who it is")
  func stream() throws {
    let server = try Echo(on: self.loop, at: "/run/echo.sock")
    let client = try self.machine.connect(to: .path("/run/echo.sock"), as: Self.ada)
    let text = (0..<2000).map { "line \($0)\n" }.joined()
    client.send(text)
    let isWhole = try self.machine.run(until: self.machine.now + .seconds(60)) {
      client.received.count >= text.utf8.count
    }
    #expect(isWhole)
    #expect(String(decoding: client.received, as: UTF8.self) == text)
    let peer = try #require(server.peers.first)
    #expect((peer.uid, peer.pid, peer.unit) == (1000, 42, .named("tracker.service")))
    #expect(peer.groups == [1000, 27])
    #expect(server.reads > 1)
  }

  @Test("A stream fills up while nobody reads, and goes on when somebody does")
  func full() throws {
    let server = try Echo(on: self.loop, at: "/run/echo.sock")
    let client = try self.machine.connect(to: .path("/run/echo.sock"), as: Self.ada)
    client.isReading = false
    client.limitUnread(to: 1000)
    client.send(String(repeating: "x", count: 5000))
    try self.machine.run(for: .seconds(10))
    #expect(client.received.isEmpty)
    #expect(server.hasBeenFull)
    client.isReading = true
    let isWhole = try self.machine.run(until: self.machine.now + .seconds(60)) { client.received.count == 5000 }
    #expect(isWhole)
  }

  @Test("A client that ends its direction, leaves or breaks off is noticed as such")
  func ends() throws {
    let server = try Echo(on: self.loop, at: "/run/echo.sock")
    let half = try self.machine.connect(to: .path("/run/echo.sock"), as: Self.ada)
    half.send("last words\n")
    half.endSending()
    try self.machine.run(for: .seconds(1))
    #expect(String(decoding: half.received, as: UTF8.self) == "last words\n")
    #expect(server.ends == ["the end"])
    let leaving = try self.machine.connect(to: .path("/run/echo.sock"), as: Self.ada)
    try self.machine.run(for: .seconds(1))
    leaving.close()
    try self.machine.run(for: .seconds(1))
    #expect(server.ends == ["the end", "hung up"])
    let breaking = try self.machine.connect(to: .path("/run/echo.sock"), as: Self.ada)
    try self.machine.run(for: .seconds(1))
    breaking.reset()
    try self.machine.run(for: .seconds(1))
    #expect(server.ends == ["the end", "hung up", "hung up"])
  }

  @Test("Where nobody listens a Unix socket is refused at once, and one of TCP after a moment")
  func refused() throws {
    let error = #expect(throws: SystemError.self) {
      try self.machine.connect(to: .path("/run/nobody.sock"), as: Self.ada)
    }
    #expect(error?.code == ECONNREFUSED)
    let socket = try self.loop.connect(address: "127.0.0.1", port: 2947)
    let result = Box<SystemError??>(nil)
    let watch = try self.loop.watch(socket, for: .write) { _ in
      result.value = .some(TCPSocket.finishConnect(socket))
      socket.close()
    }
    try self.machine.run(for: .seconds(1))
    #expect(result.value??.code == ECONNREFUSED)
    withExtendedLifetime(watch) {}
  }

  @Test("A loop connects over TCP to a part of the world that has none")
  func connect() throws {
    let peers = Box<[MemoryPeer]>([])
    self.machine.listen(at: .port(2947, address: "127.0.0.1")) { peer in
      peers.value.append(peer)
      peer.send("banner\n")
    }
    let socket = try self.loop.connect(address: "127.0.0.1", port: 2947)
    let bytes = Box<[UInt8]>([])
    let watch = Box<DescriptorWatch?>(nil)
    watch.value = try self.loop.watch(socket, for: .write) { _ in
      watch.value?.interest = .read
      do { _ = try socket.read(into: &bytes.value, upTo: 100) } catch { Issue.record(error) }
    }
    let isRead = try self.machine.run(until: self.machine.now + .seconds(10)) { bytes.value.count == 7 }
    #expect(isRead)
    socket.close()
    let hasEnded = try self.machine.run(until: self.machine.now + .seconds(10)) { peers.value.first?.hasEnded ?? false }
    #expect(hasEnded)
  }

  @Test("A signal reaches the process to which it is sent")
  func signal() throws {
    let (other, _) = try self.machine.makeLoop(as: Self.ada)
    let ended = Box<[String]>([])
    let watches = [
      try self.loop.onSignal(SIGTERM) { ended.value.append("first") },
      try other.onSignal(SIGTERM) { ended.value.append("other") },
    ]
    self.kernel.send(SIGTERM)
    try self.machine.run(for: .seconds(1))
    #expect(ended.value == ["first"])
    withExtendedLifetime(watches) {}
  }
}

/// A value that handlers of one thread share.
final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// Sends each client what it has sent, and notes how clients end.
private final class Echo {
  private final class Client {
    let socket: FileDescriptor
    var watch: DescriptorWatch?
    var unsent: [UInt8] = []

    init(_ socket: FileDescriptor) { self.socket = socket }
  }

  private let loop: EventLoop
  private let listener: any StreamListener
  private var watch: DescriptorWatch?
  private var clients: [Client] = []
  private(set) var peers: [Principal] = []
  private(set) var reads = 0
  private(set) var hasBeenFull = false
  private(set) var ends: [String] = []

  init(on loop: EventLoop, at path: String) throws {
    self.loop = loop
    self.listener = try loop.listen(path: path, mode: 0o600, backlog: 8)
    self.watch = try loop.watch(self.listener.descriptor, for: .read) { [unowned self] _ in
      do { try self.accept() } catch { Issue.record(error) }
    }
  }

  private func accept() throws {
    while let socket = try self.listener.accept() {
      self.peers.append(try Principal(peerOf: socket))
      let client = Client(socket)
      self.clients.append(client)
      client.watch = try self.loop.watch(socket, for: .read) { [unowned self, unowned client] found in
        do { try self.serve(client, found) } catch { Issue.record(error) }
      }
    }
  }

  private func serve(_ client: Client, _ found: Interest) throws {
    if found.contains(.hangup) {
      self.ends.append("hung up")
      return client.socket.close()
    }
    if found.contains(.read) {
      switch try client.socket.read(into: &client.unsent, upTo: 4096) {
      case .bytes: self.reads += 1
      case .wouldBlock: break
      case .endOfFile:
        self.ends.append("the end")
        return client.socket.close()
      }
    }
    while !client.unsent.isEmpty {
      guard case .wrote(let count) = try client.socket.write(client.unsent[...]) else {
        self.hasBeenFull = true
        break
      }
      client.unsent.removeFirst(count)
    }
    client.watch?.interest = Interest(read: client.unsent.count < 4096, write: !client.unsent.isEmpty)
  }
}
