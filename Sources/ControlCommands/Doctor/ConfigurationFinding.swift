import EventLoop
import Positioning

/// What the daemon's program finds in its configuration.
enum ConfigurationFinding: Hashable {
  case valid
  /// The errors, one for each line.
  case invalid([String])
  /// The program could not check it, for this reason.
  case unknown(String)

  /// Runs `positiond --check-config`.
  ///
  /// - Parameters:
  ///   - program: The daemon's file.
  ///   - patience: How long it may take.
  static func found(by program: String, on loop: EventLoop, patience: Duration) -> ConfigurationFinding {
    do throws(SystemError) {
      let pipe = try Pipe()
      var exit: ChildExit?
      let check = try Subprocess(
        Subprocess.Program(program, ["--check-config"]), on: loop, output: .discarded, errors: .descriptor(pipe.input)
      ) {
        exit = $0
        loop.stop()
      }
      pipe.input.close()
      let timer = try loop.timer(accuracy: .milliseconds(10)) { loop.stop() }
      defer { timer.cancel() }
      timer.arm(at: loop.now + patience)
      // Its errors fit into the pipe, or it does not end.
      _ = try loop.run()
      return try withExtendedLifetime(check) { () throws(SystemError) in
        try self.meaning(of: exit, errors: pipe.output)
      }
    } catch {
      return .unknown("\(error)")
    }
  }

  private static func meaning(of exit: ChildExit?, errors: FileDescriptor) throws(SystemError) -> ConfigurationFinding {
    switch exit {
    case nil: return .unknown("positiond --check-config does not end")
    case .exited(0): return .valid
    case .exited(78):
      var bytes: [UInt8] = []
      while case .bytes = try errors.read(into: &bytes, upTo: 4096) {}
      return .invalid(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    case .exited(let code): return .unknown("positiond --check-config exits with \(code)")
    case .killed(let signal): return .unknown("signal \(signal) ends positiond --check-config")
    }
  }
}
