import CFuzzer
import FuzzTargets
import Glibc

/// libFuzzer for one target: fuzz TARGET [ARGUMENT...], with libFuzzer's arguments. `make fuzz` calls it.
@main enum Fuzz {
  /// Set before the first input.
  nonisolated(unsafe) private static var target = FuzzTarget.values

  static func main() {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
      fatalError("usage: fuzz TARGET [ARGUMENT...], where TARGET is one of \(names)")
    }
    unsafe self.target = target
    // libFuzzer's arguments follow the target, which stands where it expects the program's name.
    var (count, arguments) = unsafe (CommandLine.argc - 1, Optional(CommandLine.unsafeArgv + 1))
    exit(
      unsafe LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        unsafe Fuzz.target.run(Array(UnsafeBufferPointer(start: start, count: Int(count))))
        return 0
      })
  }
}
