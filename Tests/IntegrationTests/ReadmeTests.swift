import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The examples of README.md for the shell, Python, C and Swift are run unchanged.
@Suite(.sharedFixture, .serialized, .timeLimit(.minutes(TestDeadline.minutes))) struct ReadmeTests {
  private static let blocks = FencedBlock.all(in: Documents.text("README.md"))

  /// The only block in a language.
  private static func code(_ language: String) throws -> String {
    let found = Self.blocks.filter { $0.language == language }
    try #require(found.count == 1, "\(found.count) blocks of \(language)")
    return found[0].text
  }

  // MARK: The shell

  /// The expected output of a line in a shell block, by the line's beginning; lines that build and install are not run
  /// here.
  private static let said: [(line: String, words: String)] = [
    ("positionctl get ", " N, 11.5"), ("positionctl watch ", " N, 11.5"), ("positionctl heading", "° true"),
    ("positionctl last ", "°"),
    ("positionctl region watch ", "-- home: outside"), ("positionctl status --why", "receiver"),
    ("positionctl track ", "tour.svg: "), ("positionctl monitor ", " the receiver is "),
    ("echo ", #""status":"success""#),
  ]
  private static let shellLines = blocks.filter { $0.language == "sh" }.flatMap(\.lines)
  private static let uses = shellLines.filter { !$0.hasPrefix("make ") && !$0.hasPrefix("sudo ") }

  @Test func `every way of a request from the shell is there`() {
    for (line, _) in Self.said { #expect(Self.uses.contains { $0.hasPrefix(line) }, "\(line)") }
  }

  @Test(arguments: uses)
  func `a line for the shell works`(line: String) async throws {
    let words = try #require(Self.said.first { line.hasPrefix($0.line) }, "nobody knows what it must say").words
    let fixture = try SharedFixture.current
    let isEndless = line.contains(" watch ") || line.contains(" monitor ")
    // The test does not wait for half an hour, and files are written to the fixture's folder.
    let code = fixture.localized(line).replacing("30min", with: "3s")
    try await withLoop { loop in
      let run = try RunningProgram(
        "/bin/sh", ["-c", "cd '\(fixture.folder)' && \(isEndless ? "exec " : "")\(code)"],
        environment: fixture.environment, on: loop)
      if isEndless {
        try run.waitToSay(words)
        run.send(SIGINT)
        #expect(try run.waitForExit() == 130)
      } else {
        #expect(try run.waitForExit() == 0, "\(run.output)")
        #expect(run.output.contains(words), "\(run.output)")
      }
    }
  }

  // MARK: Other languages

  @Test func `the Python works`() async throws {
    let fixture = try SharedFixture.current
    let code = fixture.localized(try Self.code("python"))
    try await withLoop { loop in
      let run = try RunningProgram("/usr/bin/env", ["python3", "-c", code], environment: fixture.environment, on: loop)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.contains("'status': 'success'"), "\(run.output)")
    }
  }

  @Test func `if permission is denied the Python prints why`() async throws {
    let daemon = try FakeDaemon { _, _ in [.error(-32002, "A rule says no")] }
    let code = try Self.code("python").replacing("/run/positiond/positiond.sock", with: daemon.path)
    try await withLoop { loop in
      let run = try RunningProgram("/usr/bin/env", ["python3", "-c", code], on: loop)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output == "A rule says no\n")
    }
  }

  @Test func `without a daemon the Swift prints that, and ends`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let run = try RunningProgram(
        Programs.path("Example"), [], environment: ["POSITIOND_SOCKET": folder.file("none")], on: loop)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(run.output.hasPrefix("no position: positiond is not running: nobody serves "), "\(run.output)")
    }
  }

  @Test func `the C works, and compiles without a warning`() async throws {
    let fixture = try SharedFixture.current
    let code = fixture.localized(try Self.code("c"))
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      try File.write(Array(code.utf8), to: folder.file("where.c"))
      let compiler = "compiler=$(command -v cc || command -v clang) && exec \"$compiler\" -Wall -Wextra -Werror"
      let compilation = try RunningProgram(
        "/bin/sh", ["-c", "\(compiler) -o \(folder.file("where")) \(folder.file("where.c"))"],
        environment: fixture.environment, on: loop)
      #expect(try compilation.waitForExit() == 0, "\(compilation.output)")
      let run = try RunningProgram(folder.file("where"), [], on: loop)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      #expect(try JSONValue(parsing: Array(run.output.utf8))["result"]?["status"] == "success", "\(run.output)")
    }
  }

  @Test func `the Swift is the built example, and works`() async throws {
    #expect(try Self.code("swift") == Documents.text("Examples/Example/main.swift"))
    let fixture = try SharedFixture.current
    try await withLoop { loop in
      // Line by line, as on a terminal.
      let run = try RunningProgram(
        "/usr/bin/env", ["stdbuf", "-oL", Programs.path("Example")], environment: fixture.environment, on: loop)
      // The one fix, and the first of the updates.
      let output = try run.waitToSay("available Coordinate")
      #expect(output.hasPrefix("48.1"), "\(output)")
    }
  }
}
