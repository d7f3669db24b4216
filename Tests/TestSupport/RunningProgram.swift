package import EventLoop
package import Glibc

/// A program that runs beside a test, and all its output so far.
///
/// It belongs to the test's own loop, which reads the output while a wait drives the loop. It leads its own process group, so
/// that a shell's programs end with it.
package final class RunningProgram {
  package private(set) var output = ""
  package private(set) var exit: ChildExit?
  private var hasOutputEnded = false
  private let loop: EventLoop
  private var process: Subprocess?
  private var watch: DescriptorWatch?

  /// - Parameter onTerminal: Whether it writes to a terminal rather than into a pipe.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], onTerminal: Bool = false,
    on loop: EventLoop
  ) throws {
    self.loop = loop
    let (ours, its) = try onTerminal ? Self.openTerminal() : Self.openPipe()
    self.watch = try loop.watch(ours, for: .read) { [unowned self] _ in self.read(ours) }
    self.process = try Subprocess(
      // Programs write symbols in ASCII where the locale has no UTF-8.
      Command(
        path, arguments, environment: ["LANG": "C.UTF-8"].merging(environment) { $1 }, hasOwnGroup: true), on: loop,
      output: .descriptor(its), errors: .descriptor(its)
    ) { [unowned self] in self.exit = $0 }
    its.close()
  }

  private static func openPipe() throws -> (ours: FileDescriptor, its: FileDescriptor) {
    let pipe = try Pipe()
    return (pipe.output, pipe.input)
  }

  private static func openTerminal() throws -> (ours: FileDescriptor, its: FileDescriptor) {
    let terminal = try Pseudoterminal.open()
    let other = try FileDescriptor(adopting: unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    return (terminal.master, other)
  }

  package var pid: pid_t { self.process?.pid ?? 0 }

  package func send(_ signal: Int32) { self.process?.send(signal) }

  /// Waits until the output has this text, and returns all output.
  @discardableResult
  package func waitToSay(_ text: String) throws -> String {
    do {
      try self.loop.drive(until: "\"\(text)\"") {
        self.output.contains(text) || self.hasOutputEnded
      }
    } catch { throw TimedOut("\(error): \(self.output)") }
    guard self.output.contains(text) else { throw TimedOut("it ended without \"\(text)\": \(self.output)") }
    return self.output
  }

  /// Waits for its end, and returns its exit code; `nil` if a signal ended it.
  package func waitForExit() throws -> Int32? {
    do {
      try self.loop.drive(until: "its end") { self.exit != nil && self.hasOutputEnded }
    } catch { throw TimedOut("\(error): \(self.output)") }
    guard case .exited(let code) = self.exit else { return nil }
    return code
  }

  private func read(_ descriptor: FileDescriptor) {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      if case .endOfFile = try descriptor.read(into: &bytes, upTo: 65_536) {
        self.hasOutputEnded = true
        self.watch?.cancel()
      }
    } catch {
      self.output += "\(error)"
      self.hasOutputEnded = true
      self.watch?.cancel()
    }
    self.output += String(decoding: bytes, as: UTF8.self)
  }
}
