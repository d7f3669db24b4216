// Asks on this terminal whether programs of this user may know where the device is.
//
// It may be started before positiond, and continues when positiond is restarted. Ctrl-C ends it.
import PositionClient

let client = try await PositionClient(name: "agent", waitsForDaemon: true)

try await client.answerPrompts { prompt in
  let asker = prompt.principal
  // A yes holds for all programs of the user. The kernel's facts come first, then the program's own statements, with
  // control characters escaped.
  print("Allow programs run by \(asker.user ?? "user \(asker.uid)") to know where this device is?")
  print("user \(asker.uid), process \(asker.pid ?? 0) asks for the position: \(prompt.level), \(prompt.precision)")
  print("it calls itself \((asker.name ?? "nothing").debugDescription)")
  print("yes, no or once?")
  switch readLine() {
  case "yes": return .allow()
  case "once": return .allow(remember: false)
  case "no": return .deny()
  default: throw CancellationError()
  }
}
