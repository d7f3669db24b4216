import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// Twenty clients with filters of their own on one receiver at 10 Hz.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct FilterTests {
  struct Filter {
    let minInterval: Double
    let minDistance: Double
    let onlyBetterThan: Double?

    var parameters: [String: JSONValue] {
      var parameters: [String: JSONValue] = [
        "minInterval": .number(self.minInterval), "minDistance": .number(self.minDistance), "replay": "none",
      ]
      if let onlyBetterThan { parameters["onlyBetterThan"] = .number(onlyBetterThan) }
      return parameters
    }

    /// The deliveries by the filter, computed apart from the daemon's own code.
    ///
    /// The daemon computes with values that the wire rounds. If a fix is so near a limit that a rounded digit decides,
    /// both results are right, and the client's is used.
    func expected(of stream: [ReceivedUpdates.Update], received: Set<Double>) -> [Double] {
      var delivered: [Position] = []
      for update in stream {
        guard let fix = update.fix else { continue }
        if let onlyBetterThan, (update.accuracy ?? .infinity) > onlyBetterThan { continue }
        if let last = delivered.last {
          let spare = fix.arrival - last.arrival - (self.minInterval - min(0.1 * self.minInterval, 30))
          let surplus = meters(last.coordinate, fix.coordinate) - self.minDistance
          guard spare > -0.0015, self.minDistance == 0 || surplus > -0.001 else { continue }
          let isClear = (spare > 0.0015 || self.minInterval == 0) && (surplus > 0.001 || self.minDistance == 0)
          guard isClear || received.contains(fix.arrival) else { continue }
        }
        delivered.append(fix)
      }
      return delivered.map(\.arrival)
    }
  }

  /// No interval less its tenth is near a multiple of the receiver's 0.1 s, so that no jitter decides.
  static let filters = [0, 0.25, 0.5, 1.05, 2.5].flatMap { interval in
    [(0.0, nil), (3, nil), (10, 20.0), (25, nil)].map {
      Filter(minInterval: interval, minDistance: $0.0, onlyBetterThan: $0.1)
    }
  }

  @Test func `each of twenty clients at 10 Hz gets the updates of its filter`() async throws {
    try await onOwnThread { try Self.run() }
  }

  private static func run() throws {
    var settings = IntegrationFixture.Settings()
    settings.receiver.period = .milliseconds(100)
    let fixture = try IntegrationFixture(settings)
    // The client that turns the receiver on is the last, so that all get the same stream from its beginning.
    var clients: [ReceivedUpdates] = []
    for filter in Self.filters {
      clients.append(try ReceivedUpdates(fixture, filter.parameters.merging(["mode": "passive"]) { $1 }))
    }
    var everything = try ReceivedUpdates(fixture, ["minInterval": 0, "replay": "none"])
    for _ in 0..<120 { try everything.read(until: "a fix") { $0.fix != nil } }
    try fixture.onLoop { $0.receiver?.goSilent() }
    try everything.read(until: "the loss") { $0.reason == "lost" }

    #expect(everything.fixes.count >= 120)
    #expect(everything.updates.allSatisfy { $0.dropped == 0 })
    for (place, filter) in Self.filters.enumerated() {
      try clients[place].read(until: "the loss") { $0.reason == "lost" }
      let received = clients[place].fixes.map(\.arrival)
      let expected = filter.expected(of: everything.updates, received: Set(received))
      #expect(received == expected, "\(filter)")
      #expect(expected.count > 1, "\(filter) lets nothing through")
    }
  }
}

/// Metres between two places near each other, by the ellipsoid's radii of curvature there: a separate computation,
/// exact to a millimetre over a kilometre.
func meters(_ a: Coordinate, _ b: Coordinate) -> Double {
  let latitude = (a.latitude + b.latitude) / 2 * .pi / 180
  let (axis, eccentricity) = (6_378_137.0, 0.00669437999014)
  let w = (1 - eccentricity * sin(latitude) * sin(latitude)).squareRoot()
  let north = (b.latitude - a.latitude) * .pi / 180 * axis * (1 - eccentricity) / (w * w * w)
  let east = (b.longitude - a.longitude) * .pi / 180 * axis / w * cos(latitude)
  return (north * north + east * east).squareRoot()
}
