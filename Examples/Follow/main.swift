// Follows the device: one fix first, then as many as the argument says.
//
// It may be started before positiond, and continues when positiond is restarted.
import PositionClient

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10

let client = try await PositionClient(name: "follow", purpose: "shows where the device is", waitsForDaemon: true)

let first = try await client.position(accuracy: .house, timeout: .seconds(20))
if let fix = first.fix {
  print("here:", description(fix))
} else {
  print("not found within 20 s:", first.diagnostics.availability)
}

for try await update in client.updates(accuracy: .house, maxUpdates: count) {
  switch (update.fix, update.reason) {
  case (let fix?, _): print("fix:", description(fix))
  case (nil, .disconnected?): print("disconnected: positiond is gone, waiting for it")
  case (nil, .reconnected?): print("reconnected:", update.availability)
  case (nil, let reason): print("\(reason?.rawValue ?? "heartbeat"):", update.availability)
  }
}

/// The fix as a line, with its known values.
func description(_ fix: Fix) -> String {
  let accuracy = fix.horizontalAccuracy.map { " within \($0) m" } ?? ""
  return "\(fix.latitude), \(fix.longitude)\(accuracy)"
}
