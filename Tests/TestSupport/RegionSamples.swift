package import JSONRPC

/// Sample data of a daemon about regions, visits and durable names.
extension Samples {
  package static func regionEvent(
    _ id: String, _ event: String, _ state: String, durable: String? = nil, eventID: Int? = nil
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "event": .string(event), "state": .string(state), "fix": self.fix, "probability": 0.97,
    ]
    if let durable { members["durable"] = .string(durable) }
    if let eventID { members["eventId"] = .integer(eventID) }
    return .object(members)
  }

  package static let visit: JSONValue = [
    "id": 12, "latitude": 48.137154, "longitude": 11.575382, "horizontalAccuracy": 8.5,
    "arrival": "2026-01-31T12:00:00.000Z",
  ]

  /// The same visit, once the device has left.
  package static let endedVisit: JSONValue = [
    "id": 12, "latitude": 48.137154, "longitude": 11.575382, "horizontalAccuracy": 8.5,
    "arrival": "2026-01-31T12:00:00.000Z", "departure": "2026-01-31T13:30:00.000Z",
  ]

  /// A batch of two fixes, 60 s apart.
  package static func batch(
    _ reason: String, subscription: Int? = 7, durable: String? = nil, eventID: Int? = nil, dropped: Int? = nil
  ) -> JSONValue {
    let fixes: [JSONValue] = [940.0, 1000].map { arrival in
      self.fix.with(["arrival": .number(arrival), "age": .number(1000.4 - arrival)])
    }
    var members: [String: JSONValue] = [
      "state": "delivering", "availability": "available", "reason": .string(reason), "fixes": .array(fixes),
    ]
    if let subscription { members["subscription"] = .integer(subscription) }
    if let durable { members["durable"] = .string(durable) }
    if let eventID { members["eventId"] = .integer(eventID) }
    if let dropped { members["dropped"] = .integer(dropped) }
    return .object(members)
  }

  /// A region of 150 m, as in lists.
  package static func watchedRegion(_ id: String, _ state: String) -> JSONValue {
    [
      "id": .string(id), "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150],
      "notify": ["enter", "exit"], "initial": "none", "state": .string(state),
    ]
  }

  package static func durable(
    _ name: String = "tracker", regions: [JSONValue] = [], waiting: Int = 0, lastEvent: Int = 0
  ) -> JSONValue {
    [
      "durable": .string(name), "regions": .array(regions), "visits": false, "waiting": .integer(waiting),
      "lastEvent": .integer(lastEvent), "attached": true,
    ]
  }
}
