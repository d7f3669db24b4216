import EventLoop
import TestSupport
import Testing

/// The unit files, as systemd reads them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct UnitTests {
  @Test func `systemd finds nothing to say against the units`() async throws {
    try await withLoop { loop in
      let check = try RunningProgram(
        "\(PackageRoot.path)/scripts/check-units", [Programs.path("positiond")],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], on: loop)
      #expect(try check.waitForExit() == 0, "\(check.output)")
    }
  }
}
