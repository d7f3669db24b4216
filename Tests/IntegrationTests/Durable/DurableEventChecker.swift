import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// A client of a durable name that checks over many kills of the daemon that everything promised is kept.
struct DurableEventChecker {
  static let name = "checker"
  private var random: SeededRandom
  /// Each event as it was first delivered.
  private(set) var events: [Int: JSONValue] = [:]
  /// The daemon confirmed that events up to this one are acknowledged.
  private(set) var acknowledged = 0
  /// Events up to this one may be acknowledged: it was killed before the confirmation.
  private var perhapsAcknowledged = 0
  private(set) var registered: Set<String> = []
  private(set) var redelivered = 0
  private var regions = 0

  init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

  /// Makes registrations with many events.
  mutating func register(_ client: LineClient) throws {
    let durable: JSONValue = ["name": .string(Self.name)]
    _ = try client.call(
      "position.subscribe", ["mode": "deferred", "deferredTimeout": 0.3, "minInterval": 0, "durable": durable])
    for _ in 1...8 { try self.addRegion(client) }
  }

  /// Works with one daemon, from attaching until the kill.
  ///
  /// - Parameters:
  ///   - isDead: Called when it is silent.
  ///   - diesSoon: Called when it closed the connection; waits for its end.
  mutating func live(_ client: LineClient, isDead: () throws -> Bool, diesSoon: () throws -> Bool) throws {
    do {
      try self.attach(client)
      var next: Int?
      while true {
        do {
          let message = try client.next(within: 0.2, what: "event")
          if let event = message["params"], let id = event["eventId"]?.double.map({ Int($0) }) {
            self.check(id, event, expected: next)
            next = id + 1
            if self.isOneIn(6) { try self.acknowledge(id, client) }
            if self.isOneIn(10), self.regions < 60 { try self.addRegion(client) }
          }
        } catch let error as TimedOut {
          if try isDead() { return }
          guard error.description.contains("no event within") else { throw error }
        }
      }
    } catch {
      // Anything that failed did so because the daemon was killed, or else it is a failure.
      guard try diesSoon() else { throw error }
    }
  }

  private mutating func attach(_ client: LineClient) throws {
    var params: [String: JSONValue] = ["name": .string(Self.name)]
    let newest = self.events.keys.max() ?? 0
    if self.isOneIn(4), newest > 0 {
      self.perhapsAcknowledged = max(self.perhapsAcknowledged, newest)
      params["sinceEvent"] = .integer(newest)
    }
    let attached = try client.call("durable.attach", params)
    // Attaching does not wait for the disk: events that `sinceEvent` acknowledges are sent again if that was lost.
    let ids = attached["regions"]?.elements.compactMap { $0["id"]?.text } ?? []
    #expect(self.registered.isSubset(of: ids), "lost: \(self.registered.subtracting(ids))")
    #expect(attached["position"]?["deferredTimeout"] != nil)
    #expect(Int(attached["lastEvent"]?.double ?? -1) >= newest, "an event that was delivered was not stored")
  }

  private mutating func check(_ id: Int, _ event: JSONValue, expected: Int?) {
    #expect(id > self.acknowledged, "\(id) was acknowledged and came again")
    if let expected {
      #expect(id == expected, "\(id) instead of \(expected)")
    } else {
      let mayBegin = self.acknowledged + 1...max(self.acknowledged, self.perhapsAcknowledged) + 1
      #expect(mayBegin.contains(id), "the first is \(id), not in \(mayBegin)")
    }
    let content = event.withoutAges
    if let known = self.events[id] {
      self.redelivered += 1
      #expect(known == content, "\(id) changed")
    } else {
      self.events[id] = content
    }
  }

  private mutating func acknowledge(_ id: Int, _ client: LineClient) throws {
    self.perhapsAcknowledged = max(self.perhapsAcknowledged, id)
    _ = try client.call("durable.acknowledge", ["name": .string(Self.name), "event": .integer(id)])
    self.acknowledged = max(self.acknowledged, id)
  }

  /// A small circle on the way.
  private mutating func addRegion(_ client: LineClient) throws {
    self.regions += 1
    let id = "region-\(self.regions)"
    let angle = Double.random(in: 0..<(2 * .pi), using: &self.random)
    // 500 m from the middle, in degrees.
    let latitude = 48.137 + 500 * cos(angle) / 111_200
    let longitude = 11.575 + 500 * sin(angle) / 74_300
    _ = try client.call(
      "region.add",
      [
        "id": .string(id),
        "circle": ["latitude": .number(latitude), "longitude": .number(longitude), "radius": 30],
        "durable": ["name": .string(Self.name)],
      ])
    self.registered.insert(id)
  }

  private mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self.random) == 0 }
}

extension JSONValue {
  /// Without members that change with each delivery.
  fileprivate var withoutAges: JSONValue {
    switch self {
    case .object(let object): .object(object.filter { $0.key != "age" }.mapValues(\.withoutAges))
    case .array(let array): .array(array.map(\.withoutAges))
    case .null, .boolean, .integer, .number, .string: self
    }
  }
}
