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
    let settings = try Self.settings("systemd/positiond.service")
    #expect(settings.contains { $0.hasPrefix("MemoryMax=") } && settings.contains { $0.hasPrefix("TasksMax=") })
    #expect(settings.contains { $0.hasPrefix("After=") && $0.contains("nss-user-lookup.target") })
  }

  @Test func `a reload checks the configuration first, failed starts come to an end, and each unit enables the other`()
    throws
  {
    let service = try Self.settings("systemd/positiond.service")
    let reload = service.filter { $0.hasPrefix("ExecReload=") }
    #expect(reload.first == "ExecReload=/usr/bin/positiond --check-config" && reload.count == 2)
    // The starts of one burst come within the interval, so that systemd counts them all.
    let numbers = ["RestartSec=", "StartLimitBurst=", "StartLimitIntervalSec="].map { key in
      service.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count).filter(\.isNumber)) }
    }
    let (pause, burst, interval) = (try #require(numbers[0]), try #require(numbers[1]), try #require(numbers[2]))
    #expect(pause * burst < interval)
    #expect(service.contains("Also=positiond.socket"))
    #expect(try Self.settings("systemd/positiond.socket").contains("Also=positiond.service"))
  }

  @Test func `make uninstall removes what make install installed, except the configuration`() throws {
    let folder = try TemporaryFolder()
    let (built, root) = (folder.file("built"), folder.file("root"))
    let programs = [
      "positiond", "positionctl", "positionsim", "positiond-geoclue", "positiond-mqtt", "positiond-desktop",
      "positiond-history",
    ]
    let names = programs.map { "\(built)/\($0)" }.joined(separator: " ")
    let stand = "mkdir \(built) && for name in \(names); do printf '#!/bin/sh\\n' >$name && chmod 0755 $name; done"
    #expect(try SystemProgram.run("/bin/sh", ["-c", stand]).code == 0)
    for target in ["install", "uninstall"] {
      let arguments = ["-C", PackageRoot.path, target, "RELEASE=\(built)", "DESTDIR=\(root)"]
      let run = try SystemProgram.run("/usr/bin/make", arguments)
      #expect(run.code == 0, "\(run.words)")
      let files = try SystemProgram.run("/usr/bin/find", [root, "-type", "f"]).words.split(separator: "\n")
      let outside = files.filter { !$0.hasPrefix("\(root)/etc/positiond/") }
      #expect(target == "install" ? outside.count > 20 : outside.isEmpty, "\(outside)")
      // The daemon's configuration and the bridge's.
      #expect(files.count == outside.count + 2)
    }
  }

  private static func settings(_ path: String) throws -> [String] {
    let text = try String(decoding: File.read("\(PackageRoot.path)/\(path)"), as: UTF8.self)
    return text.split(separator: "\n").map { String($0) }
  }
}
