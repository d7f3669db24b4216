import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

/// The real daemon without free descriptors. The limit is a whole process's, and in the process of the tests Dispatch opens
/// descriptors at moments of its own; so only the daemon has it.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DescriptorTests {
  private static let refusal = "a client could not be accepted"

  @Test func `without free descriptors connected clients are served, and waiting ones when there is one`()
    async throws
  {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing()
      let inside = try fixture.client()
      _ = try inside.call("request.list")
      let facts = ProcessFacts(pid: daemon.pid)
      let began = Clocks.system.sinceBoot()
      // Two numbers are free below this.
      var limit = 0
      for _ in 0..<2 { limit = facts.firstFreeDescriptor(from: limit) + 1 }
      let limited = try SystemProgram.run("/usr/bin/prlimit", ["--pid", "\(daemon.pid)", "--nofile=\(limit):"])
      try #require(limited.code == 0, "\(limited.words)")
      var others = [try fixture.client(), try fixture.client()]
      for other in others { _ = try other.call("request.list") }
      let outside = try fixture.client()
      let id = try outside.request("request.list")
      try daemon.waitToSay(Self.refusal)
      // Each of these is a turn of the daemon's loop, and the waiting client would be accepted in the next, if not for the pause.
      for _ in 0..<200 { _ = try inside.call("request.list") }
      others.removeLast()
      _ = try outside.reply(to: id)
      _ = try inside.call("request.list")
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0, "\(daemon.output)")
      // Accepting is tried once a second, and not in each turn.
      let attempts = daemon.output.split(separator: "\n").count { $0.contains(Self.refusal) }
      let seconds = Int((Clocks.system.sinceBoot() - began).components.seconds)
      #expect((1...seconds + 1).contains(attempts), "\(attempts) attempts in \(seconds) s: \(daemon.output)")
    }
  }
}
