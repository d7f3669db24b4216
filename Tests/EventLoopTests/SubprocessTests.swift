import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite("Programs that the loop started")
struct SubprocessTests {
  @Test(
    "The end of a program is reported once, with its exit code or signal",
    arguments: [
      ("exit 0", ChildExit.exited(0)), ("exit 78", .exited(78)), ("kill -TERM $$", .killed(SIGTERM)),
      ("kill -KILL $$", .killed(SIGKILL)),
    ])
  func exit(script: String, expected: ChildExit) async throws {
    let exits = try await withLoop { loop in
      var exits: [ChildExit] = []
      let program = try Subprocess(Command("/bin/sh", ["-c", script]), on: loop) { exits.append($0) }
      try loop.drive(until: "its end") { !exits.isEmpty }
      try settle(loop)
      #expect(program.exit == expected)
      return exits
    }
    #expect(exits == [expected])
  }

  @Test("A program gets exactly the given output, arguments and environment")
  func output() async throws {
    let (output, errors) = try await withLoop { loop in
      let pipe = try Pipe()
      let folder = try TemporaryFolder()
      let isEnded = Box(false)
      let script = "echo $0,$1,$HOME,$GIVEN; echo wrong >&2"
      let command = Command("/bin/sh", ["-c", script, "a b", "c"], environment: ["GIVEN": "x=y"])
      let program = try Subprocess(
        command, on: loop, output: .descriptor(pipe.input), errors: .file(folder.file("errors"))
      ) { _ in isEnded.value = true }
      pipe.input.close()
      var output: [UInt8] = []
      var isAtEnd = false
      let watch = try loop.watch(pipe.output, for: .read) { _ in
        do {
          isAtEnd = try pipe.output.read(into: &output, upTo: 4096) == .endOfFile
        } catch {
          Issue.record(error)
        }
        if isAtEnd { pipe.output.close() }
      }
      try loop.drive(until: "its end") { isAtEnd && isEnded.value }
      withExtendedLifetime((program, watch)) {}
      let file = try FileDescriptor(adopting: unsafe open(folder.file("errors"), O_RDONLY))
      return (String(decoding: output, as: UTF8.self), String(decoding: try readAll(file), as: UTF8.self))
    }
    #expect(output == "a b,c,,x=y\n")
    #expect(errors == "wrong\n")
  }

  @Test(
    "A program that writes faster than it is read loses nothing, to a terminal as to a pipe", arguments: [true, false])
  func full(onTerminal: Bool) async throws {
    let output = try await withLoop { loop in
      let (ours, its) = try onTerminal ? Self.terminal() : Self.pipe()
      var exit: ChildExit?
      let program = try Subprocess(Command("/usr/bin/seq", ["50000"]), on: loop, output: .descriptor(its)) { exit = $0 }
      // Otherwise what is read below could be fast enough all the same.
      #expect(fcntl(its.rawValue, F_GETFL) & O_NONBLOCK == 0)
      its.close()
      var output: [UInt8] = []
      var isAtEnd = false
      let watch = try loop.watch(ours, for: .read) { _ in
        do { isAtEnd = try ours.read(into: &output, upTo: 512) == .endOfFile } catch { Issue.record(error) }
        if isAtEnd { ours.close() }
      }
      try loop.drive(until: "its end") { isAtEnd && exit != nil }
      #expect(exit == .exited(0))
      withExtendedLifetime((program, watch)) {}
      return String(decoding: output, as: UTF8.self)
    }
    #expect(output.split(separator: "\n").count == 50_000)
  }

  private static func pipe() throws -> (FileDescriptor, FileDescriptor) {
    let pipe = try Pipe()
    return (pipe.output, pipe.input)
  }

  private static func terminal() throws -> (FileDescriptor, FileDescriptor) {
    let terminal = try Pseudoterminal.open()
    return (terminal.master, try openOther(terminal))
  }

  @Test(
    "A program has only the given descriptors, and blocks no signal",
    arguments: [
      // ls itself opens one more, the folder that it reads.
      (Command("/bin/ls", ["/proc/self/fd"]), "0\n1\n2\n3\n4\n"),
      (Command("/bin/grep", ["SigBlk", "/proc/self/status"]), "SigBlk:\t0000000000000000\n"),
    ])
  func cleanChild(command: Command, expected: String) async throws {
    let output = try await withLoop { loop in
      let folder = try TemporaryFolder()
      let (near, far) = try UnixSocket.pair()
      // A descriptor that would survive exec.
      let stray = fcntl(near.rawValue, F_DUPFD, 0)
      defer { close(stray) }
      try EventLoop.blockSignal(SIGTERM)
      let isEnded = Box(false)
      let program = try Subprocess(
        command, on: loop, output: .file(folder.file("output")), errors: .file(folder.file("output")), inherited: [far]
      ) { _ in isEnded.value = true }
      try loop.drive(until: "its end") { isEnded.value }
      withExtendedLifetime(program) {}
      return try contents(of: folder.file("output"))
    }
    #expect(output == expected)
  }

  @Test("A program ends on request, and a second request has no effect")
  func asked() async throws {
    let exit = try await withLoop { loop in
      let exit = Box<ChildExit?>(nil)
      let program = try Subprocess(Command("/bin/sleep", ["1000"]), on: loop) { exit.value = $0 }
      program.send(SIGTERM)
      try loop.drive(until: "its end") { exit.value != nil }
      program.send(SIGTERM)
      return exit.value
    }
    #expect(exit == .killed(SIGTERM))
  }

  @Test("A program in a group of its own ends with all that it started")
  func group() async throws {
    try await withLoop { loop in
      let pipe = try Pipe()
      let command = Command("/bin/sh", ["-c", "/bin/sleep 1000 & echo started; wait"], hasOwnGroup: true)
      var program: Subprocess? = try Subprocess(command, on: loop, output: .descriptor(pipe.input)) { _ in }
      pipe.input.close()
      var output: [UInt8] = []
      var isAtEnd = false
      let watch = try loop.watch(pipe.output, for: .read) { _ in
        do {
          isAtEnd = try pipe.output.read(into: &output, upTo: 4096) == .endOfFile
        } catch {
          Issue.record(error)
        }
        if isAtEnd { pipe.output.close() }
      }
      try loop.drive(until: "its start") { output == Array("started\n".utf8) }
      #expect(program != nil)
      program = nil
      // The pipe ends only when nobody has it open: the shell and its sleep have both ended.
      try loop.drive(until: "the end of all") { isAtEnd }
      withExtendedLifetime(watch) {}
    }
  }

  @Test(
    "When the process is killed its programs are killed too, with their groups",
    arguments: [true, false])
  func orphans(hasOwnGroup: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    // It ends when nobody has it open for writing, which only the program has.
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, hasOwnGroup = hasOwnGroup as Bool] in
      let loop = try EventLoop()
      let pipe = try Pipe()
      let command = Command(
        "/bin/sh", ["-c", "exec 3>\(path); echo said >&3; echo started; exec /bin/sleep 1000"], hasOwnGroup: hasOwnGroup
      )
      let isEnded = Box(false)
      let ended = try Subprocess(Command("/bin/true"), on: loop) { _ in isEnded.value = true }
      try loop.drive(until: "the end of another") { isEnded.value }
      let program = try Subprocess(command, on: loop, output: .descriptor(pipe.input)) { _ in }
      let hasStarted = Box(false)
      let watch = try loop.watch(pipe.output, for: .read) { _ in hasStarted.value = true }
      try loop.drive(until: "its start") { hasStarted.value }
      kill(getpid(), SIGKILL)
      withExtendedLifetime((ended, program, watch)) {}
    }
    try await withLoop { loop in
      let fifo = try FileDescriptor(adopting: number)
      var output: [UInt8] = []
      var isAtEnd = false
      let watch = try loop.watch(fifo, for: .read) { watch in
        do {
          isAtEnd = try fifo.read(into: &output, upTo: 4096) == .endOfFile
        } catch {
          Issue.record(error)
        }
        if isAtEnd { fifo.close() }
      }
      try loop.drive(until: "the program's end") { isAtEnd }
      #expect(String(decoding: output, as: UTF8.self) == "said\n")
      withExtendedLifetime(watch) {}
    }
    withExtendedLifetime(folder) {}
  }

  @Test("Ends whose starts the guard never got change nothing")
  func unknownEnds() async throws {
    try await withLoop { loop in
      let pipe = try Pipe()
      var exits: [ChildExit] = []
      let victim = try Subprocess(Command("/bin/sleep", ["1000"]), on: loop) { exits.append($0) }
      // Each of them once doubled the list, so that thirty took all memory.
      let ends = (1...60).map { "end -\($0)\n" }.joined()
      let guarding = try Subprocess(
        Command(
          "/bin/sh",
          ["-c", "printf '\(ends)start \(victim.pid)\n' | /bin/sh -c '\(Self.quoted(ChildGuard.script))'"]),
        on: loop, output: .descriptor(pipe.input)
      ) { _ in }
      try loop.drive(until: "the victim's end") { !exits.isEmpty }
      #expect(exits == [.killed(SIGKILL)])
      withExtendedLifetime(guarding) {}
    }
  }

  private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }

  @Test("A missing program is an error that names it")
  func missing() throws {
    let loop = try EventLoop()
    let error = #expect(throws: SystemError.self) {
      try Subprocess(Command("/nowhere/program"), on: loop) { _ in }
    }
    #expect(error?.description == "start /nowhere/program: No such file or directory")
  }

  private func contents(of path: String) throws -> String {
    let file = try FileDescriptor(adopting: unsafe open(path, O_RDONLY))
    return String(decoding: try readAll(file), as: UTF8.self)
  }
}
