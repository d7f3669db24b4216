import EventLoop
import Glibc
import Systemd

/// Starts one unit as the daemon does, for scripts/check-wake, which runs this as the daemon's user: `startunit UNIT`.
@main
enum Main {
  static func main() {
    guard let unit = CommandLine.arguments.dropFirst().first else { fatalError("which unit?") }
    do {
      let loop = try EventLoop()
      let starter = try UnitStarter(loop: loop)
      starter.start(unit) { result in
        switch result {
        case .success:
          print("\(unit) was started")
          loop.stop(code: 0)
        case .failure(let error):
          print(error)
          loop.stop(code: 1)
        }
      }
      exit(try loop.run())
    } catch {
      fatalError("\(error)")
    }
  }
}
