import EventLoop
import ReceiverSimulator
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

  @Test func `the unit has a last line for memory and threads, and waits for whoever says who users are`() throws {
    let unit = try String(decoding: File.read("\(PackageRoot.path)/systemd/positiond.service"), as: UTF8.self)
    let settings = unit.split(separator: "\n").map { String($0) }
    #expect(settings.contains { $0.hasPrefix("MemoryMax=") } && settings.contains { $0.hasPrefix("TasksMax=") })
    #expect(settings.contains { $0.hasPrefix("After=") && $0.contains("nss-user-lookup.target") })
  }
}
