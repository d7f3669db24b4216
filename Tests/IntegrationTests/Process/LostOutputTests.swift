import EventLoop
import Glibc
import TestSupport
import Testing

/// Every program's standard output on a full disk, closed, and into a pipe that nobody reads.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LostOutputTests {
  private static let lines: [(String, String)] =
    ["--help", "--version"].flatMap { option in
      ["positiond", "positionctl", "positiond-mqtt", "positiond-geoclue", "positiond-desktop", "positiond-history"].map
      { ($0, option) }
    } + [("positionsim", "--help"), ("positionsim", "--json"), ("positionctl", "completion bash")]

  @Test(arguments: lines)
  func `output that cannot be written is an error of every program`(name: String, words: String) throws {
    for (place, reason) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
      let run = try SystemProgram.run("/bin/sh", ["-c", "\"$0\" \(words) \(place)", Programs.path(name)])
      #expect(run.code == 1)
      #expect(run.words.contains("write standard output: \(reason)"), "\(run.words)")
    }
  }

  @Test(arguments: lines.filter { $0.1 != "--json" })
  func `a reader that has gone has read what it wanted`(name: String, words: String) async throws {
    try await withLoop { loop in
      let pipe = try Pipe()
      pipe.output.close()
      var exit: ChildExit?
      let command = Command(Programs.path(name), words.split(separator: " ").map(String.init))
      let program = try Subprocess(command, on: loop, output: .descriptor(pipe.input), errors: .descriptor(pipe.input))
      {
        exit = $0
      }
      pipe.input.close()
      try loop.drive(until: "its end") { exit != nil }
      #expect(withExtendedLifetime(program) { exit } == .exited(0))
    }
  }
}
