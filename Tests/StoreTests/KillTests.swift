import Broker
import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Store

/// A process that stores one event after the other, and is killed.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct KillTests {
  @Test("After a kill at any moment all confirmed changes are there, and every batch is there whole or not at all")
  func kill() async throws {
    try await withLoop { loop in
      let fixture = try StoreFixture()
      var random = SeededRandom(seed: 20)
      var most: UInt64 = 0
      for round in 0..<100 {
        let keeper = try KeeperProcess(fixture.path, on: loop)
        // Some are killed before they have opened it, which takes longest at the very first start.
        if round % 5 != 0 { try loop.drive(until: "the first of round \(round)") { keeper.newest != nil } }
        try loop.drive(for: .microseconds(Int.random(in: 0...40_000, using: &random)))
        try keeper.kill()
        most = max(most, keeper.newest ?? 0)
        let kept = try Self.kept(fixture, on: loop)
        #expect(kept >= most, "round \(round): \(most) was said to be kept")
        most = kept
      }
      #expect(most > 500, "only \(most) were kept in all rounds: nothing was tried")
      #expect(fixture.messages.isEmpty, "\(fixture.messages)")
    }
  }

  @Test("With a full disk it reports that, keeps what it confirmed, and continues when there is room")
  func fullDisk() async throws {
    try await withLoop { loop in
      let fixture = try StoreFixture()
      let keeper = try KeeperProcess(fixture.path, prefix: "trap '' XFSZ;", on: loop)
      try loop.drive(until: "the first") { keeper.newest != nil }
      // A file cannot grow beyond 256 KiB: like on a full disk, that is an error of the write itself.
      try keeper.limitFiles(to: "\(256 * 1024)")
      try loop.drive(until: "the error") { keeper.output.contains("cannot store anything now") }
      let newest = try #require(keeper.newest)
      try loop.drive(for: .milliseconds(300))
      #expect(keeper.newest == newest, "it went on although nothing could be kept")
      try keeper.limitFiles(to: "unlimited")
      try loop.drive(until: "that it goes on") { keeper.newest ?? 0 > newest + 10 }
      #expect(keeper.output.contains("storing works again"))
      try keeper.kill()
      #expect(try Self.kept(fixture, on: loop) >= newest)
    }
  }

  /// The newest stored number; all rows of a batch must have it.
  private static func kept(_ fixture: StoreFixture, on loop: EventLoop) throws -> UInt64 {
    fixture.clock = BootClock(of: loop)
    guard let name = try fixture.open().state.names.first else { return 0 }
    let numbers = name.events.map(\.id)
    #expect(numbers.isEmpty || numbers == Array((numbers.first ?? 0)...name.lastEvent), "a gap in \(numbers)")
    guard let last = numbers.last else { return name.lastEvent }
    #expect(last == name.lastEvent)
    #expect(name.position?.updates == Int(last))
    #expect(name.regions.first?.snapshot.since == Instant(sinceBoot: .nanoseconds(Int64(last))))
    return last
  }
}

/// The program that stores events.
private final class KeeperProcess {
  private(set) var output = ""
  private var isOver = false
  private var exit: ChildExit?
  private let loop: EventLoop
  private var process: Subprocess?
  private var watch: DescriptorWatch?

  /// - Parameter prefix: The shell's commands before the program.
  init(_ path: String, prefix: String = "", on loop: EventLoop) throws {
    self.loop = loop
    let pipe = try Pipe()
    self.watch = try loop.watch(pipe.output, for: .read) { [unowned self] _ in self.read(pipe.output) }
    let program = "\(OwnProgram.folder() ?? ".")/storekeeper"
    let command =
      prefix.isEmpty
      ? Command(program, [path]) : Command("/bin/bash", ["-c", "\(prefix) exec \"$0\" \"$1\"", program, path])
    self.process = try Subprocess(command, on: loop, output: .descriptor(pipe.input)) { [unowned self] in
      self.exit = $0
    }
    pipe.input.close()
  }

  /// Limits the size of its files from now on, in bytes.
  func limitFiles(to size: String) throws {
    let pid = self.process?.pid ?? 0
    let limit = try RunOnce("/usr/bin/prlimit", ["--pid", "\(pid)", "--fsize=\(size):unlimited"], on: self.loop)
    try limit.wait(on: self.loop)
  }

  /// The last number that it confirmed.
  var newest: UInt64? {
    self.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { UInt64($0) }.last
  }

  /// Kills it, and waits until all its output has been read.
  func kill() throws {
    self.process?.send(SIGKILL)
    try self.loop.drive(until: "its end") { self.exit != nil && self.isOver }
    #expect(self.exit == .killed(SIGKILL), "\(self.output)")
  }

  private func read(_ descriptor: FileDescriptor) {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      if case .endOfFile = try descriptor.read(into: &bytes, upTo: 65_536) { self.isOver = true }
    } catch {
      self.isOver = true
    }
    self.output += String(decoding: bytes, as: UTF8.self)
    if self.isOver { self.watch?.cancel() }
  }
}

/// A program that is run once.
private final class RunOnce {
  private var exit: ChildExit?
  private var process: Subprocess?

  init(_ path: String, _ arguments: [String], on loop: EventLoop) throws {
    self.process = try Subprocess(Command(path, arguments), on: loop) { [unowned self] in self.exit = $0 }
  }

  func wait(on loop: EventLoop) throws {
    try loop.drive(until: "its end") { self.exit != nil }
    #expect(self.exit == .exited(0))
  }
}
