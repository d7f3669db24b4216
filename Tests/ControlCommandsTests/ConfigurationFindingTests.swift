import EventLoop
import TestSupport
import Testing

@testable import ControlCommands

/// What doctor says of the daemon's configuration.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ConfigurationFindingTests {
  @Test(
    "The daemon's program says whether it is right",
    arguments: [
      ("exit 0", .valid),
      ("echo 'a:1: wrong' >&2; echo 'b:2: too' >&2; exit 78", .invalid(["a:1: wrong", "b:2: too"])),
      ("exit 127", .unknown("positiond --check-config exits with 127")),
      ("kill -9 $$", .unknown("signal 9 ends positiond --check-config")),
      (#"[ "$1" = --check-config ] || exit 78"#, .valid),
    ] as [(String, ConfigurationFinding)])
  func found(script: String, finding: ConfigurationFinding) throws {
    let folder = try TemporaryFolder()
    let program = try Self.program(script, in: folder)
    #expect(ConfigurationFinding.found(by: program, on: try EventLoop(), timeout: TestDeadline.duration) == finding)
  }

  @Test("A program that is absent, or does not end, is no finding")
  func unknown() throws {
    let folder = try TemporaryFolder()
    let absent = ConfigurationFinding.found(by: folder.file("none"), on: try EventLoop(), timeout: .seconds(1))
    guard case .unknown = absent else {
      Issue.record("\(absent)")
      return
    }
    let program = try Self.program("exec cat /dev/zero >/dev/null", in: folder)
    #expect(
      ConfigurationFinding.found(by: program, on: try EventLoop(), timeout: .milliseconds(20))
        == .unknown("positiond --check-config does not end"))
  }

  @Test("An error is a problem with advice, and doctor shows it")
  func check() async throws {
    #expect(DoctorChecks.configuration(.valid).outcome == .ok)
    #expect(DoctorChecks.configuration(.unknown("x")).outcome == .unknown)
    let problem = DoctorChecks.configuration(.invalid(["a:1: wrong", "b:2: too"]))
    #expect(problem.outcome == .problem && problem.detail == "a:1: wrong; b:2: too")
    #expect(problem.advice?.contains("systemctl reload positiond") == true)
  }

  /// Another process writes it: the kernel starts no file that is open for writing, not even in a child of this process.
  private static func program(_ script: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("positiond")
    let write = #"printf '%s\n' '#!/bin/sh' "$1" >"$0" && chmod 0755 "$0""#
    #expect(try SystemProgram.run("/bin/sh", ["-c", write, path, script]).code == 0)
    return path
  }
}
