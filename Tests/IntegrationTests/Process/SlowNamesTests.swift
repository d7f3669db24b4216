import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The real daemon beside a directory server that takes ten seconds for each answer.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SlowNamesTests {
  /// A library that comes before what the system says of users, and the file that makes it slow.
  private struct Directory {
    let folder: TemporaryFolder
    var library: String { self.folder.file("slow-names.so") }
    var file: String { self.folder.file("slow") }

    init() throws {
      self.folder = try TemporaryFolder()
      let source = "\(PackageRoot.path)/Tests/IntegrationTests/Programs/slow-names.c"
      let built = try SystemProgram.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", self.library, source, "-ldl"])
      try #require(built.code == 0, "\(built.words)")
      try self.slowDown()
    }

    func slowDown() throws { try File.write([], to: self.file) }

    func speedUp() throws {
      guard unsafe unlink(self.file) == 0 else { throw SystemError.last("remove \(self.file)") }
    }

    var environment: [String: String] { ["LD_PRELOAD": self.library, "SLOW_NAMES": self.file] }
  }

  @Test("starts, serves, reloads and decides while the system is long in saying who users are, and learns it later")
  func slow() async throws {
    try await withLoop { loop in
      let directory = try Directory()
      let home = try DaemonHome(on: loop)
      let rules = ["rule far.group=root", "rule far.grant=always"]
      try home.configure(rules)
      let daemon = try home.startServing(environment: directory.environment)
      #expect(daemon.output.contains("the system cannot say which group root is"), "\(daemon.output)")

      // A client comes: it is served without a name, and nobody else waits with it.
      let client = try home.client()
      let isNameless = try client.call("session.hello")["principal"]
      #expect(isNameless?["uid"] == .integer(Int(getuid())) && isNameless?["user"] == nil, "\(daemon.output)")

      // The configuration is read again, and a decision is made: whoever is connected is served meanwhile.
      try home.configure(rules + ["fix.max-speed=400"])
      daemon.send(SIGHUP)
      let grant = try client.request("admin.grant", ["user": "root", "level": "always"])
      _ = try client.call("status.get")
      if getuid() == 0 {
        #expect(try client.reply(to: grant)["error"]?["code"] == -32603)
      }
      try daemon.waitToSay("max-speed in [fix]: 500 -> 400")
      _ = try client.call("status.get")

      // What the system says in the end counts for those who are connected.
      try directory.speedUp()
      let name = try #require(UserName(of: getuid()).name)
      var user: JSONValue?
      while user == nil {
        try loop.drive(for: .milliseconds(50))
        user = try client.call("session.hello")["principal"]?["user"]
      }
      #expect(user == .string(name))
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
    }
  }
}

extension UserName {
  fileprivate var name: String? { if case .named(let name) = self { name } else { nil } }
}
