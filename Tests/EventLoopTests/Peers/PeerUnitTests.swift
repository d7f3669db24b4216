import CLinux
import Glibc
import Positioning
import TestSupport
import Testing

@testable import EventLoop

/// With processes that connect and go: the kernel's handle must be that of the one who connected (Linux 6.5).
@Suite("The unit of a peer", .enabled(if: Caller.kernelHasHandles))
struct PeerUnitTests {
  @Test("While the process lives, its control groups are read")
  func alive() async throws {
    try await withLoop { loop in
      let caller = try Caller(on: loop)
      let own = try FileDescriptor(adopting: unsafe open("/proc/self/cgroup", O_RDONLY))
      let expected = PeerUnit(controlGroups: String(decoding: try readAll(own), as: UTF8.self))
      let peer = try Principal(peerOf: caller.socket)
      #expect(peer.pid == caller.program.pid)
      #expect(peer.unit == expected)
    }
  }

  @Test("A process that has ended before the reading has an unknown unit")
  func gone() async throws {
    try await withLoop { loop in
      let caller = try Caller(on: loop)
      try caller.end(on: loop)
      let peer = try Principal(peerOf: caller.socket)
      #expect(peer.pid == caller.program.pid)
      #expect(peer.unit == .unknown)
    }
  }

  @Test("A process that ends during the reading has an unknown unit: its number may be another's")
  func recycled() async throws {
    try await withLoop { loop in
      let caller = try Caller(on: loop)
      let others = "0::/system.slice/map.service\n"
      let numbers = Box<[pid_t]>([])
      let before = PeerUnit(ofPeerOf: caller.socket) { pid in
        numbers.value.append(pid)
        return others
      }
      #expect(before == .named("map.service"))
      let after = PeerUnit(ofPeerOf: caller.socket) { pid in
        numbers.value.append(pid)
        do { try caller.end(on: loop) } catch { Issue.record(error) }
        return others
      }
      #expect(after == .unknown)
      #expect(numbers.value == [caller.program.pid, caller.program.pid])
    }
  }

  @Test("Unreadable control groups give no unit")
  func unreadable() async throws {
    try await withLoop { loop in
      let caller = try Caller(on: loop)
      #expect(PeerUnit(ofPeerOf: caller.socket) { _ in nil } == .unknown)
    }
  }

  @Test("A socket without a peer's process has an unknown unit")
  func noPeer() throws {
    let listener = try TCPSocket.listenOnLoopback()
    #expect(PeerUnit(ofPeerOf: listener.descriptor) == .unknown)
  }

  @Test(
    "A process in a service's control group is of that service, and of none once it is in a session's",
    .enabled(if: ControlGroup.canBeMade))
  func controlGroup() async throws {
    try await withLoop { loop in
      let caller = try Caller(on: loop)
      for (path, unit) in [("map.service", PeerUnit.named("map.service")), ("session-1.scope", .none)] {
        let group = try ControlGroup(path)
        try group.take(caller.program.pid)
        #expect(try Principal(peerOf: caller.socket).unit == unit)
        try group.release(caller.program.pid)
      }
    }
  }
}

/// A process that connected to a socket of this one, and stays.
private final class Caller {
  let program: Subprocess
  let socket: FileDescriptor
  private let folder: TemporaryFolder

  static let kernelHasHandles: Bool = {
    var ends: [Int32] = [0, 0]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return false }
    defer { for end in ends { close(end) } }
    let handle = clinux_peer_process(ends[0])
    if handle >= 0 { close(handle) }
    return handle >= 0
  }()

  init(on loop: EventLoop) throws {
    self.folder = try TemporaryFolder()
    let path = self.folder.file("socket")
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 1)
    self.program = try Subprocess(
      Command(
        "/bin/sh", ["-c", "exec socat UNIX-CONNECT:\(path) EXEC:'sleep 60'"], environment: ["PATH": "/usr/bin:/bin"]),
      on: loop
    ) { _ in }
    let accepted = Box<FileDescriptor?>(nil)
    let watch = try loop.watch(listener.descriptor, for: .read) { _ in
      do { accepted.value = try listener.accept() } catch { Issue.record(error) }
    }
    try loop.drive(until: "the connection") { accepted.value != nil }
    watch.cancel()
    guard let socket = accepted.value else { throw TimedOut("nobody connected") }
    self.socket = socket
  }

  /// Kills it, and waits until its number is free.
  func end(on loop: EventLoop) throws {
    self.program.send(SIGKILL)
    try loop.drive(until: "its end") { self.program.exit != nil }
  }
}

/// A control group of the test's own, below a slice of its own.
private final class ControlGroup {
  private static let top =
    ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].first { unsafe access("\($0)/cgroup.procs", F_OK) == 0 }

  static let canBeMade: Bool = {
    guard let group = try? ControlGroup("probe.service") else { return false }
    withExtendedLifetime(group) {}
    return true
  }()

  private let slice: String
  private let folder: String

  init(_ name: String) throws {
    guard let top = Self.top else { throw TimedOut("there are no control groups of version 2") }
    self.slice = "\(top)/positiond_test\(getpid())\(name.utf8.count).slice"
    self.folder = "\(self.slice)/\(name)"
    for folder in [self.slice, self.folder] where unsafe mkdir(folder, 0o755) != 0 {
      throw SystemError.last("mkdir \(folder)")
    }
  }

  deinit {
    for folder in [self.folder, self.slice] { _ = unsafe rmdir(folder) }
  }

  func take(_ pid: pid_t) throws { try Self.write(pid, to: self.folder) }

  func release(_ pid: pid_t) throws {
    if let top = Self.top { try Self.write(pid, to: top) }
  }

  private static func write(_ pid: pid_t, to folder: String) throws {
    let file = try FileDescriptor(adopting: unsafe open("\(folder)/cgroup.procs", O_WRONLY))
    _ = try file.write(Array("\(pid)".utf8)[...])
  }
}
