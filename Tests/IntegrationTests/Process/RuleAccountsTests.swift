import Glibc
import TestSupport
import Testing

/// Users and groups of rules that the system knows, or does not.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RuleAccountsTests {
  @Test("a rule with an unknown user or group is logged, once at the start and once at a reload")
  func unknownAccounts() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let unknown = ["rule far.user=no such user", "rule far.group=no such group", "rule far.grant=always"]
      try fixture.configure(unknown + ["rule near.user=root", "rule near.group=root", "rule near.agent=all"])
      let daemon = try fixture.startServing()
      let warning =
        "warning: [rule far]: there is no user no such user; there is no group no such group, so the rule matches"
        + " nobody; create it and reload positiond\n"
      #expect(daemon.output.contains(warning), "\(daemon.output)")
      #expect(!daemon.output.contains("near"), "\(daemon.output)")
      try fixture.configure(unknown + ["fix.max-speed=400"])
      daemon.send(SIGHUP)
      let log = try daemon.waitToSay("user in [rule near]: root -> unset")
      #expect(log.contains("max-speed in [fix]: 500 -> 400"))
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      #expect(daemon.output.count(of: warning) == 2, "\(daemon.output)")
    }
  }
}

extension String {
  /// How often the text occurs in it.
  fileprivate func count(of words: String) -> Int { self.ranges(of: words).count }
}
