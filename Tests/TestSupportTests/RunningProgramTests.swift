import EventLoop
import Glibc
import TestSupport
import Testing

/// The programs that tests run beside them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RunningProgramTests {
  @Test("Nothing that a program's shell started outlives it")
  func children() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let path = folder.file("held")
      try #require(unsafe mkfifo(path, 0o600) == 0)
      let fifo = try FileDescriptor(adopting: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
      var isReleased = false
      let watch = try loop.watch(fifo, for: .read) { _ in
        do {
          var bytes: [UInt8] = []
          isReleased = try fifo.read(into: &bytes, upTo: 4096) == .endOfFile || isReleased
        } catch {
          Issue.record(error)
        }
      }
      // The sleep holds the file open as long as it lives.
      var program: RunningProgram? = try RunningProgram(
        "/bin/sh", ["-c", "exec 9>'\(path)'; echo said >&9; /bin/sleep 1000 | /bin/cat & echo started; wait"], on: loop)
      try program?.waitToSay("started")
      #expect(!isReleased)
      program = nil
      try loop.drive(until: "the end of all") { isReleased }
      watch.cancel()
      fifo.close()
    }
  }
}
