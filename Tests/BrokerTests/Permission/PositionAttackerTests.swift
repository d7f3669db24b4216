import Geodesy
import Positioning
import TestSupport
import Testing

@testable import Broker

/// What an attacker with reduced precision learns from a thousand times all requests.
@Suite struct PositionAttackerTests {
  private static let connections: UInt64 = 1000
  /// A fifth of the connections is enough with precise permission.
  private static let controlConnections: UInt64 = 200
  /// How long each connection lasts; seconds.
  private static let stay = 4

  private struct Outcome {
    let error: Double
    let radius: Double
    let nearest: Double
    let attacker: PositionAttacker
  }

  /// - Parameter fallback: The default permission.
  private func intrude(
    seed: UInt64, _ fallback: AccessPolicy.Fallback, connections: UInt64 = connections
  ) -> Outcome? {
    var random = SeededRandom(seed: seed)
    let home = Coordinate(
      latitude: Double.random(in: -60...60, using: &random), longitude: Double.random(in: -180...180, using: &random))
    var settings = BrokerSettings()
    settings.access.fallback = fallback
    settings.maxRegionsPerUser = 100_000
    var daemon = VirtualDaemon(settings: settings, seed: seed)
    // The attacker knows the town.
    let town = Geodesy.moved(home, east: 5000, north: Double.random(in: -5000...5000, using: &random))
    var attacker = PositionAttacker(seed: seed, near: town)
    for number in 0..<connections {
      attacker.visit(&daemon, number: number) { daemon in
        (0..<Self.stay).reduce(into: []) { actions, _ in
          actions += daemon.advance(by: 1)
          let noisy = Geodesy.moved(
            home, east: Double.random(in: -3...3, using: &random), north: Double.random(in: -3...3, using: &random))
          actions += daemon.fix(latitude: noisy.latitude, longitude: noisy.longitude)
        }
      }
    }
    guard let region = attacker.estimator.region else { return nil }
    let nearest = attacker.places.map { Geodesy.distance(from: $0, to: home) }.min() ?? .infinity
    return Outcome(error: region.distance(to: home), radius: region.radius, nearest: nearest, attacker: attacker)
  }

  @Test("Ten users on a thousand connections learn no more than one reduced fix shows everybody")
  func reduced() throws {
    var rows: [String] = []
    for seed in TestLength.seeds(3) {
      let outcome = try #require(self.intrude(seed: seed, .reduced))
      let attacker = outcome.attacker
      #expect(attacker.leaks.isEmpty, "seed \(seed): \(attacker.leaks.prefix(3))")
      // One grid point in ten minutes: the attacker gets only the grid and the offset.
      #expect(attacker.places.count <= 4, "seed \(seed): \(attacker.places)")
      // The result is the reduced fix, at its true distance from the device.
      #expect(abs(outcome.error - outcome.nearest) < 800, "seed \(seed)")
      rows.append(
        "\(seed)  \(attacker.calls)  \(attacker.refusals)  \(attacker.places.count)  \(Int(outcome.nearest)) m"
          + "  \(Int(outcome.error)) m")
    }
    print("home  calls  refused  places received  nearest place received  the attacker's error")
    for row in rows { print(row) }
  }

  @Test("With precise permission the same requests locate the device to some metres")
  func control() throws {
    let outcome = try #require(self.intrude(seed: 1, .allow, connections: Self.controlConnections))
    #expect(outcome.error < 30)
    #expect(!outcome.attacker.leaks.isEmpty)
    print("control: the attacker's error is \(Int(outcome.error)) m")
  }
}
