import CLinux
import Glibc

/// The program to start, its arguments and environment.
package struct Command: Sendable {
  /// The program's file; it is not looked up in PATH.
  package var path: String
  /// Without the program's own name, which is `path`.
  package var arguments: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]
  /// Whether it leads its own process group, so that ``Subprocess/send(_:)`` reaches its children too, and the
  /// terminal's signals do not reach it.
  package var hasOwnGroup: Bool

  package init(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], hasOwnGroup: Bool = false
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.hasOwnGroup = hasOwnGroup
  }
}

/// A program that this process started: default signals, an empty signal mask, and no descriptors but those given.
///
/// If it still runs when the last reference is released, it is killed and waited for; it is killed too when this
/// process dies. So it cannot outlive its owner by mistake.
///
/// What it reads and writes blocks while nothing is there or all is full. Programs expect that of their standard streams:
/// stdio drops what a full pipe or terminal that does not block refuses, and many programs end then.
package final class Subprocess {
  /// Where the program's output goes.
  package enum Output {
    /// Where this process's own goes.
    case inherited
    case discarded
    /// Appended to a file, which is created with access for the owner only if it does not exist.
    case file(String)
    /// From then on the descriptor blocks: see ``Subprocess``.
    case descriptor(FileDescriptor)
  }

  /// For modules that have a `Command` of their own.
  package typealias Program = Command

  package let pid: Int32
  /// How it ended; nil while it runs.
  package private(set) var exit: ChildExit?
  private let signalTarget: pid_t
  private var watch: ProcessWatch?

  /// Starts it. Its input is empty.
  ///
  /// - Parameters:
  ///   - loop: The loop that is notified of its end, on the calling thread.
  ///   - inherited: further descriptors, numbered from 3 in the program, as socket activation has them; no more than 8.
  ///   - exited: called once when it has ended.
  /// - Throws: when the program cannot be started, `ENOENT` for example.
  package init(
    _ command: Command, on loop: EventLoop, output: Output = .inherited, errors: Output = .inherited,
    inherited: [FileDescriptor] = [], exited: @escaping (ChildExit) -> Void
  ) throws(SystemError) {
    pid = try Self.spawn(command, output: output, errors: errors, inherited: inherited)
    signalTarget = command.hasOwnGroup ? -pid : pid
    ChildGuard.started(signalTarget)
    watch = try loop.onChild(pid) { [weak self, signalTarget] exit in
      ChildGuard.ended(signalTarget)
      self?.exit = exit
      exited(exit)
    }
  }

  deinit {
    watch?.cancel()
    guard exit == nil else { return }
    kill(signalTarget, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    ChildGuard.ended(signalTarget)
  }

  /// Sends a signal to it, or to its group if it leads one; does nothing once it has ended. `SIGTERM` asks it to end.
  package func send(_ signal: Int32) {
    guard exit == nil else { return }
    kill(signalTarget, signal)
  }

  // MARK: Starting

  /// A descriptor for the child, and the object that keeps it open until the child has it.
  private struct Source {
    let number: Int32
    let holder: FileDescriptor?
  }

  private static func open(_ output: Output, own: Int32) throws(SystemError) -> Source {
    switch output {
    case .inherited: Source(number: own, holder: nil)
    case .discarded: try openFile("/dev/null", O_WRONLY)
    case .file(let path): try openFile(path, O_WRONLY | O_CREAT | O_APPEND)
    case .descriptor(let descriptor): try self.blocking(descriptor)
    }
  }

  private static func blocking(_ descriptor: FileDescriptor) throws(SystemError) -> Source {
    _ = try SystemError.check(clinux_set_blocking(descriptor.rawValue), "make a program's descriptor block")
    return Source(number: descriptor.rawValue, holder: descriptor)
  }

  private static func openFile(_ path: String, _ flags: Int32) throws(SystemError) -> Source {
    let number = try SystemError.check(unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600), "open \(path)")
    return try self.blocking(try FileDescriptor(adopting: number))
  }

  /// Starts a program, and returns its number.
  ///
  /// - Parameter input: what it reads; `nil`: nothing.
  static func spawn(
    _ command: Command, output: Output, errors: Output, input: FileDescriptor? = nil, inherited: [FileDescriptor] = []
  ) throws(SystemError) -> pid_t {
    let inputFile =
      if let input { try self.blocking(input) } else { try openFile("/dev/null", O_RDONLY) }
    let outputFile = try open(output, own: STDOUT_FILENO)
    let errorFile = try open(errors, own: STDERR_FILENO)
    let sources = [inputFile.number, outputFile.number, errorFile.number] + inherited.map(\.rawValue)
    return try withExtendedLifetime((inputFile, outputFile, errorFile, inherited)) { () throws(SystemError) in
      try spawn(command, sources: sources)
    }
  }

  private static func spawn(_ command: Command, sources: [Int32]) throws(SystemError) -> pid_t {
    let arguments = CStrings([command.path] + command.arguments)
    let environment = CStrings(command.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    var pid: pid_t = 0
    let code = unsafe clinux_spawn(
      &pid, command.path, arguments.pointers, environment.pointers, sources, Int32(sources.count),
      command.hasOwnGroup ? 1 : 0)
    guard code == 0 else { throw SystemError(code: code, call: "start \(command.path)") }
    return pid
  }
}

/// An array of C strings that ends with a null pointer, as exec wants it.
@safe private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) {
    unsafe pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  }

  deinit {
    unsafe pointers.forEach { unsafe free($0) }
  }
}
