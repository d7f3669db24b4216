import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The packet filter that comes with positiond, with nft itself, in a network of the test's own.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: PacketFilter.isPossible, "\(PacketFilter.reason)"))
struct PacketFilterTests {
  /// A server that greets each connection with a text.
  private final class Greeter {
    let loop: EventLoop
    let port: UInt16
    private let descriptor: FileDescriptor
    private var watch: DescriptorWatch?
    private(set) var visitors: [FileDescriptor] = []

    init(port: UInt16, on loop: EventLoop) throws {
      self.loop = loop
      self.port = port
      let descriptor = try OwnNetwork.listen(port: port)
      self.descriptor = descriptor
      self.watch = try loop.watch(descriptor, for: .read) { [unowned self] _ in
        let number = accept(descriptor.rawValue, nil, nil)
        guard number >= 0, let visitor = try? FileDescriptor(adopting: number) else { return }
        _ = try? visitor.write(Array("welcome".utf8)[...])
        self.visitors.append(visitor)
      }
    }

    /// Connects as a user; returns the connection once it was greeted.
    func visit(at address: String, as user: OtherUser) throws -> FileDescriptor {
      let socket = try user.perform { try TCPSocket.connect(address: address, port: self.port) }
      try self.wait(for: socket, .write)
      if let error = TCPSocket.finishConnect(socket) { throw error }
      #expect(try self.said(to: socket) == "welcome")
      return socket
    }

    /// The next text of the server; empty if the connection has ended.
    func said(to socket: FileDescriptor) throws -> String {
      try self.wait(for: socket, .read)
      var bytes: [UInt8] = []
      _ = try socket.read(into: &bytes, upTo: 100)
      return String(decoding: bytes, as: UTF8.self)
    }

    private func wait(for socket: FileDescriptor, _ interest: Interest) throws {
      var isReady = false
      let watch = try self.loop.watch(socket, for: interest) { _ in isReady = true }
      defer { watch.cancel() }
      try self.loop.drive(until: "a word at port \(self.port)") { isReady }
    }

    /// The error of a refused connection; without one the test waits in vain.
    func refusal(at address: String, as user: OtherUser) throws -> Int32 {
      do {
        _ = try self.visit(at: address, as: user)
        return 0
      } catch let error as SystemError {
        return error.code
      }
    }
  }

  private struct People {
    let users: TemporaryUsers
    let daemon: OtherUser
    let other: OtherUser
    let root = OtherUser(uid: 0)

    init() throws {
      self.users = try TemporaryUsers()
      self.daemon = try self.users.addUser()
      self.other = try self.users.addUser()
    }

    var filter: PacketFilter { get throws { try PacketFilter(daemon: self.daemon.name ?? "") } }
  }

  @Test func `only root and the users of the set reach port 2947 of this host, and others are refused at once`()
    async throws
  {
    try await withLoop { loop in
      try OwnNetwork.enter()
      let people = try People()
      let filter = try people.filter
      let gpsd = try Greeter(port: 2947, on: loop)
      let neighbour = try Greeter(port: 2948, on: loop)
      for address in OwnNetwork.addresses { _ = try gpsd.visit(at: address, as: people.other) }

      try filter.start()
      for address in OwnNetwork.addresses {
        for user in [people.root, people.daemon] { _ = try gpsd.visit(at: address, as: user) }
        #expect(try gpsd.refusal(at: address, as: people.other) == ECONNREFUSED, "\(address)")
        _ = try neighbour.visit(at: address, as: people.other)
      }
      // Neither a group nor another name of the user nobody is enough.
      let nearly = OtherUser(uid: people.other.uid, gid: people.daemon.gid, groups: [people.daemon.gid, 0])
      #expect(try gpsd.refusal(at: "127.0.0.1", as: nearly) == ECONNREFUSED)
      #expect(try gpsd.refusal(at: "::ffff:127.0.0.1", as: people.other) == ECONNREFUSED)

      // Further users are added by the administrator, and a reload keeps them.
      try filter.nft(["add", "element", "inet", "positiond_gpsd", "may_connect", "{", people.other.name ?? "", "}"])
      _ = try gpsd.visit(at: "::1", as: people.other)
      try filter.reload()
      _ = try gpsd.visit(at: "::1", as: people.other)
      try filter.stop()
      try filter.start()
      #expect(try gpsd.refusal(at: "::1", as: people.other) == ECONNREFUSED)
      try filter.stop()
      _ = try gpsd.visit(at: "127.0.0.1", as: people.other)
    }
  }

  @Test func `an open connection stays open for permitted users, and ends for others with its next packet`()
    async throws
  {
    try await withLoop { loop in
      try OwnNetwork.enter()
      let people = try People()
      let filter = try people.filter
      let gpsd = try Greeter(port: 2947, on: loop)
      let kept = try gpsd.visit(at: "127.0.0.1", as: people.daemon)
      let asking = try gpsd.visit(at: "127.0.0.1", as: people.other)
      let listening = try gpsd.visit(at: "::1", as: people.other)

      try filter.start()
      _ = try gpsd.visitors[0].write(Array("still here".utf8)[...])
      #expect(try gpsd.said(to: kept) == "still here")
      // One connection that sends, and one that only receives.
      _ = try asking.write(Array("?".utf8)[...])
      #expect(throws: SystemError.self) { while try !gpsd.said(to: asking).isEmpty {} }
      #expect(throws: SystemError.self) {
        for _ in 0..<100 {
          _ = try gpsd.visitors[2].write(Array("more".utf8)[...])
          if try gpsd.said(to: listening).isEmpty { return }
        }
      }
      // A reload does not cut off the daemon.
      try filter.reload()
      _ = try gpsd.visitors[0].write(Array("and here".utf8)[...])
      #expect(try gpsd.said(to: kept) == "and here")
    }
  }

  @Test func `a missing user does not open the filter for others, and no other table is changed`() async throws {
    try await withLoop { loop in
      try OwnNetwork.enter()
      let people = try People()
      let filter = try PacketFilter(daemon: "positest-nosuch")
      let gpsd = try Greeter(port: 2947, on: loop)
      try filter.nft(["add", "table", "inet", "mine"])
      try filter.nft([
        "add", "chain", "inet", "mine", "output", "{ type filter hook output priority 0; policy accept; }",
      ])
      try filter.nft(["add", "rule", "inet", "mine", "output", "tcp", "dport", "1", "drop"])
      let before = try filter.ruleset()

      try filter.start()
      #expect(try gpsd.refusal(at: "127.0.0.1", as: people.other) == ECONNREFUSED)
      #expect(try gpsd.refusal(at: "127.0.0.1", as: people.daemon) == ECONNREFUSED)
      _ = try gpsd.visit(at: "127.0.0.1", as: people.root)
      let loaded = try filter.ruleset()
      #expect(loaded.hasPrefix(before) || loaded.hasSuffix(before), "\(loaded)")
      try filter.start()
      #expect(try filter.ruleset().split(separator: "\n").count == loaded.split(separator: "\n").count)
      try filter.stop()
      #expect(try filter.ruleset() == before)
    }
  }

  @Test func `positiond gets fixes from a real gpsd that refuses everybody else, and doctor identifies the case`()
    async throws
  {
    try await withLoop { loop in
      try OwnNetwork.enter()
      let people = try People()
      let fixture = try IntegrationFixture()
      let filter = try PacketFilter(daemon: people.daemon.name ?? "", port: fixture.gpsdPort)
      let other = try DaemonFixture(on: loop, port: fixture.gpsdPort)
      _ = unsafe chmod(other.folder.path, 0o711)
      _ = unsafe chown(other.folder.path, people.daemon.uid, people.daemon.gid)
      _ = unsafe chown(other.configuration, people.daemon.uid, people.daemon.gid)
      let daemon = try Self.run("positiond", ["--config", other.configuration], as: people.daemon, on: loop)
      try daemon.waitToSay("serves")

      func doctor(as user: OtherUser) throws -> String {
        let run = try Self.run(
          "positionctl", ["--socket", other.socket, "doctor", "--gpsd", "127.0.0.1:\(fixture.gpsdPort)"], as: user,
          on: loop)
        _ = try run.waitForExit()
        return run.output.replacing(/\s+/, with: " ")
      }
      let open = "warning direct access to gpsd: "
      #expect(try doctor(as: people.root).contains("\(open)any local user can read positions from gpsd, past"))
      let name = people.other.name ?? ""
      #expect(try doctor(as: people.other).contains("\(open)the user \(name) can read positions from gpsd, past"))

      try filter.start()
      let result = try LineClient(path: other.socket).call("position.get", ["timeout": 40])
      #expect(result["status"] == "success", "\(result) \(daemon.output)")
      let client = try LineClient(path: other.socket)
      _ = try client.call("position.subscribe")
      #expect(try client.notification("position.update")["subscription"] == 1)
      let closed = "ok direct access to gpsd: refused to the user"
      #expect(try doctor(as: people.root).contains("\(closed) nobody"))
      let others = try doctor(as: people.other)
      #expect(others.contains("\(closed) \(name)"), "\(others)")
      #expect(others.contains("ok gpsd: serves positiond"), "\(others)")
    }
  }

  /// Runs a program as a user who may read the built programs wherever they are.
  private static func run(
    _ program: String, _ arguments: [String], as user: OtherUser, on loop: EventLoop
  ) throws -> RunningProgram {
    let become = [
      "--reuid=\(user.uid)", "--regid=\(user.gid)", "--clear-groups", "--inh-caps=-all,+dac_read_search",
      "--ambient-caps=-all,+dac_read_search", "--bounding-set=-all,+dac_read_search",
    ]
    return try RunningProgram(
      "/usr/bin/setpriv", (user.uid == 0 ? [] : become) + [Programs.path(program)] + arguments, on: loop)
  }
}
