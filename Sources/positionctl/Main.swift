import ControlCommands

/// The program: wiring only.
@main
enum Main {
  static func main() {
    PositionControl.runAndExit()
  }
}
