import PositionClient

do {
  let client = try await PositionClient()
  let result = try await client.position(accuracy: .house, timeout: .seconds(10))
  print(result.fix?.latitude ?? "no fix", result.diagnostics.availability)
  for try await update in client.updates(accuracy: .room, minDistance: 50) {
    print(update.availability, update.fix?.coordinate ?? "-")
  }
} catch {
  print("no position:", error)
}
