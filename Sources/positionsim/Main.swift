import EventLoop
import Glibc
import ProgramArguments
import ReceiverSimulator

@main struct Main {
  static func main() {
    StandardStreams.prepare()
    do throws(UsageError) {
      let command = try SimulatorCommand.parse(Array(CommandLine.arguments.dropFirst()), readFile: Self.readText)
      exit(Self.run(command))
    } catch {
      Console.error(error.message)
      exit(2)
    }
  }

  private static func readText(_ path: String) throws(UsageError) -> String {
    do throws(SystemError) {
      return String(decoding: try File.read(path), as: UTF8.self)
    } catch {
      throw UsageError("\(error)")
    }
  }

  private static func run(_ command: SimulatorCommand) -> Int32 {
    do {
      switch command {
      case .help(let lines):
        try Console.write(lines.map { "\($0)\n" }.joined())
        return 0
      case .receive(let run): return try ReceiverRun(run).run()
      case .replay(let run): return try ReplayRun(run).run()
      case .sandbox(let run): return try SandboxSession(run).run()
      }
    } catch {
      Console.error("\(error)")
      return 1
    }
  }
}
