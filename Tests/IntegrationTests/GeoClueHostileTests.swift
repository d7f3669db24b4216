import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// Programs on the bus that do to GeoClue's interface whatever a program can do.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct GeoClueHostileTests {
  private static let program = "hostile-bus-client.py"

  /// The numbers of the users for whom the bridge has connections to the daemon.
  private static func users(of world: GeoClueFixture) throws -> [JSONValue] {
    let clients = try world.fixture.client().call("admin.clients")["clients"]?.elements ?? []
    return clients.compactMap { $0["principal"] }.filter { $0["relay"] != nil }.compactMap { $0["uid"] }
  }

  private static func locations(of program: RunningProgram) -> Int {
    program.output.split(separator: "\n").count { $0.hasPrefix("Latitude:") }
  }

  @Test(arguments: [1, 2])
  func `whatever a program does, it gets clear errors, others get positions, and nothing of it stays`(seed: Int)
    async throws
  {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let victim = try world.start(as: world.precise, seconds: 3600, ["-a", "8"])
      try victim.waitToSay("Latitude:")
      let bridge = ProcessFacts(pid: world.bridge.pid)
      let (memory, descriptor) = (try bridge.peakMemory(), bridge.firstFreeDescriptor(from: 0))

      let program = try ReadableCopy(ofProgram: Self.program)
      let hostile = try world.run(
        ["/usr/bin/python3", program.path, "attack", world.busSocket, "\(seed)", "/org/freedesktop/GeoClue2/Client/1"],
        as: world.reduced)
      // Who comes now is served too.
      let late = try world.start(as: world.precise, seconds: 3600, ["-a", "8"])
      try late.waitToSay("Latitude:")
      #expect(try hostile.waitForExit() == 0, "\(hostile.output)")
      let seen = try JSONValue(parsing: Array(hostile.output.utf8))
      #expect(seen["differences"] == [] && seen["clients"] == 64, "\(seen)")

      #expect(world.bridge.exit == nil, "\(world.bridge.output)")
      let growth = try bridge.peakMemory() - memory
      #expect(growth < 64 << 20, "\(growth) bytes")
      late.send(SIGKILL)
      try world.loop.drive(until: "the end of the hostile program's connections") {
        try Self.users(of: world) == [.integer(Int(world.precise.uid))]
      }
      #expect(bridge.firstFreeDescriptor(from: 0) == descriptor)
      let before = Self.locations(of: victim)
      try world.loop.drive(until: "another location") { Self.locations(of: victim) > before }
      // Its own user is served again.
      let next = try world.start(as: world.reduced, seconds: 60, ["-a", "8"])
      try next.waitToSay("Latitude:")
      for program in [victim, next] { program.send(SIGKILL) }
      try world.waitForRelease()
    }
  }

  @Test func `the programs of many users take all places, and when they leave there are places again`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let users = try (0..<9).map { _ in "\(try world.accounts.addUser().uid)" }
      let program = try ReadableCopy(ofProgram: Self.program)
      let hostile = try RunningProgram(
        "/usr/bin/python3", [program.path, "fill", world.busSocket] + users, environment: world.environment,
        on: world.loop)
      #expect(try hostile.waitForExit() == 0, "\(hostile.output)")
      let seen = try JSONValue(parsing: Array(hostile.output.utf8))
      #expect(seen == ["held": 512, "programs": 576, "differences": []], "\(seen)")
      #expect(world.bridge.exit == nil, "\(world.bridge.output)")
      let next = try world.start(as: world.precise, seconds: 60, ["-a", "8"])
      try next.waitToSay("Latitude:")
    }
  }
}
