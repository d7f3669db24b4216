import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The program, started by hand, and its errors.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ProcessTests {
  @Test(arguments: [
    (["--version"], Int32(0), "positiond 0."), (["--help"], 0, "Usage: positiond"), (["-h"], 0, "--check-config"),
    (["--bogus"], 2, "unknown option \"--bogus\"\nTry `positiond --help`"),
    (["extra"], 2, "unexpected argument \"extra\""), (["--config"], 2, "--config needs a value: --config FILE"),
  ])
  func `the options of the command line work`(arguments: [String], code: Int32, words: String) async throws {
    try await withLoop { loop in
      let run = try RunningProgram(Programs.path("positiond"), arguments, on: loop)
      #expect(try run.waitForExit() == code)
      #expect(run.output.contains(words), "\(run.output)")
    }
  }

  @Test(arguments: ["positiond", "positiond-mqtt", "positiond-geoclue", "positiond-desktop", "positiond-history"])
  func `each service refuses a command line that it does not know, as an error`(name: String) throws {
    let run = try SystemProgram.run("/bin/sh", ["-c", "\"$0\" --bogus 2>/dev/null", Programs.path(name)])
    #expect(run.code == 2 && run.words.isEmpty, "\(run)")
    let words = try SystemProgram.run("/bin/sh", ["-c", "\"$0\" --bogus 2>&1", Programs.path(name)]).words
    #expect(words == "unknown option \"--bogus\"\nTry `\(name) --help`.\n")
  }

  @Test(arguments: [true, false])
  func `every error of a configuration is reported at once, with file and line`(isCheck: Bool) async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.write("[server]\nsocket=relative\n\n[receiver]\nlinger=soon\nlinger=5s\nnonsense=1\n")
      let run = try RunningProgram(
        Programs.path("positiond"), ["--config", fixture.configuration] + (isCheck ? ["--check-config"] : []), on: loop)
      #expect(try run.waitForExit() == 78)
      for line in [2, 5, 6, 7] {
        #expect(run.output.contains("\(fixture.configuration):\(line): "), "line \(line): \(run.output)")
      }
      #expect(run.output.contains("does not start") != isCheck)
    }
  }

  @Test func `a valid configuration passes the check, and a missing one does not`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let program = Programs.path("positiond")
      let good = try RunningProgram(program, ["--check-config", "--config", fixture.configuration], on: loop)
      #expect(try good.waitForExit() == 0)
      #expect(good.output == "\(fixture.configuration): no errors\n")
      let missing = try RunningProgram(program, ["--check-config", "--config=\(fixture.configuration)x"], on: loop)
      #expect(try missing.waitForExit() == 78)
      #expect(missing.output.contains("\(fixture.configuration)x: cannot be read: No such file"), "\(missing.output)")
    }
  }

  @Test func `without any gpsd the daemon serves, and reports the failure`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing()
      let result = try fixture.client().call("position.get", ["timeout": 0.5])
      #expect(result["status"] == "timedOut")
      #expect(result["diagnostics"]?["availability"] == "gpsdDown")
      let detail = try #require(result["diagnostics"]?["detail"]?.text)
      #expect(detail.contains("gpsd") && detail.contains("refused"), "\(detail)")
      #expect(daemon.exit == nil)
    }
  }

  @Test func `a second daemon leaves the first one's socket alone`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let first = try fixture.startServing()
      let second = try fixture.start()
      #expect(try second.waitForExit() == 1)
      #expect(second.output.contains(fixture.socket) && second.output.contains("another process listens there"))
      #expect(try fixture.client().call("status.get")["clients"] == 1)
      #expect(first.exit == nil)
    }
  }

  @Test func `the socket of a crashed daemon is replaced`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let crashed = try fixture.startServing()
      crashed.send(SIGKILL)
      #expect(try crashed.waitForExit() == nil)
      #expect(unsafe access(fixture.socket, F_OK) == 0)
      let daemon = try fixture.startServing()
      #expect(try fixture.client().call("status.get")["clients"] == 1)
      #expect(daemon.exit == nil)
    }
  }

  @Test func `a limit of clients above the system's limit of open files is refused at the start`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let command = "ulimit -n 180; exec \(Programs.path("positiond")) --config \(fixture.configuration)"
      let refused = try RunningProgram("/bin/sh", ["-c", command], on: loop)
      #expect(try refused.waitForExit() == 1)
      #expect(
        refused.output.contains("max-clients needs 1168 open files and the system allows 180"), "\(refused.output)")

      try fixture.configure(["server.max-clients=36", "server.max-clients-per-user=36"])
      let daemon = try RunningProgram("/bin/sh", ["-c", command], on: loop)
      try daemon.waitToSay("serves")
      // A reload does not raise the limit either, and existing connections stay.
      try fixture.configure(["server.max-clients=37", "server.max-clients-per-user=36"])
      daemon.send(SIGHUP)
      try daemon.waitToSay("max-clients needs 181 open files and the system allows 180")
      try daemon.waitToSay("keeping max-clients=36")
      #expect(try fixture.client().call("status.get")["clients"] == 1)
    }
  }
}
