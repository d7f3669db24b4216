import JSONRPC
import Positioning
import TestSupport

/// The deliveries to one subscription, in order.
struct ReceivedUpdates {
  /// One `position.update`.
  struct Update {
    let fix: Position?
    let accuracy: Double?
    let reason: String?
    let availability: String
    let dropped: Int

    init(_ params: JSONValue) {
      self.fix = Position(params["fix"])
      self.accuracy = params["fix"]?["horizontalAccuracy"]?.double
      self.reason = params["reason"]?.text
      self.availability = params["availability"]?.text ?? ""
      self.dropped = params["dropped"]?.double.map { Int($0) } ?? 0
    }
  }

  let client: LineClient
  private(set) var updates: [Update] = []

  /// Subscribes on a connection of its own.
  init(_ fixture: IntegrationFixture, _ parameters: [String: JSONValue]) throws {
    self.client = try fixture.client()
    _ = try self.client.call("position.subscribe", parameters)
  }

  var fixes: [Position] { self.updates.compactMap(\.fix) }

  /// Reads until an update matches, which is then the last one.
  @discardableResult
  mutating func read(
    until what: String, _ matches: (Update) -> Bool
  ) throws -> [Update] {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    let start = self.updates.count
    while true {
      let params: JSONValue
      do {
        params = try self.client.notification("position.update", within: max(0.01, deadline - monotonicSeconds()))
      } catch {
        throw TimedOut("\(what): never; the last: \(self.updates.suffix(4))")
      }
      let update = Update(params)
      self.updates.append(update)
      if matches(update) { return Array(self.updates[start...]) }
    }
  }
}
