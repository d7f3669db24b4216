import EventLoop
import ReceiverSimulator
import TestSupport
import Testing

/// The unit files, as systemd reads them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct UnitTests {
  @Test func `systemd reports no error in the units`() async throws {
    try await withLoop { loop in
      let check = try RunningProgram(
        "\(PackageRoot.path)/scripts/check-units", [Programs.path("positiond")],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], on: loop)
      #expect(try check.waitForExit() == 0, "\(check.output)")
    }
  }

  @Test func `the unit limits memory and threads, and starts after the user database`() throws {
    let unit = try String(decoding: File.read("\(PackageRoot.path)/systemd/positiond.service"), as: UTF8.self)
    let settings = unit.split(separator: "\n").map { String($0) }
    #expect(settings.contains { $0.hasPrefix("MemoryMax=") } && settings.contains { $0.hasPrefix("TasksMax=") })
    #expect(settings.contains { $0.hasPrefix("After=") && $0.contains("nss-user-lookup.target") })
  }
}
