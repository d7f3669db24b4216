import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The accuracy of a plain NMEA receiver by our rule and by others', with the same simulated errors.
@Suite struct AccuracyRuleTests {
  private static let dilutions = [0.6, 0.8, 1, 1.5, 2, 3, 5]
  /// The receiver's errors in relation to the standard's.
  private static let badnesses = [1, 1.5, 2, 3]
  /// The performance standard of the standard positioning service (2020): 8 m at 95 %, taken for an HDOP of 1.
  private static let standard95 = 8.0

  private enum Rule: String, CaseIterable {
    case positiond, gpsd, geoClue = "GeoClue", androidHAL = "Android HAL", androidEmulator = "emulator"

    /// The rule's accuracy for an HDOP, in metres.
    func accuracy(_ hdop: Double) throws -> Double {
      switch self {
      case .positiond: try #require(fix(hdop).horizontalAccuracy)
      case .gpsd: hdop * 19
      case .geoClue: hdop <= 1 ? 0 : hdop <= 2 ? 1 : hdop <= 5 ? 3 : 50
      case .androidHAL: hdop
      case .androidEmulator: 20
      }
    }
  }

  /// The filter's fix for a report that gpsd wrote for this HDOP.
  private static func fix(_ hdop: Double) throws -> Fix {
    var filter = WatchedFilter.knowing(devices: [ReceiverDevice(path: "a", driver: "NMEA0183", isActivated: true)])
    var events = filter.run([position(1, time: 1, accuracy: hdop * 19, device: "a")])
    events += filter.advance(to: at(3))
    return try #require(events.fixes.first)
  }

  /// The distances of one track's fixes from the truth, for a receiver as good as the standard at an HDOP of 1.
  private static let distances: [Double] = {
    var random = SeededRandom(seed: 68)
    let sigma = standard95 / 2.44775
    return (0..<20_000).map { _ in
      let (north, east) = (random.normal() * sigma, random.normal() * sigma)
      return (north * north + east * east).squareRoot()
    }
  }()

  private static func share(within radius: Double, hdop: Double, badness: Double) -> Double {
    let limit = radius / hdop / badness
    return Double(self.distances.count { $0 <= limit }) / Double(self.distances.count)
  }

  @Test("For a receiver as good as the standard, 68 % of the fixes or a little more lie within their accuracy")
  func asGoodAsTheStandard() throws {
    for hdop in Self.dilutions {
      let fix = try Self.fix(hdop)
      let share68 = Self.share(within: try #require(fix.horizontalAccuracy), hdop: hdop, badness: 1)
      let share95 = Self.share(within: try #require(fix.horizontalAccuracy95), hdop: hdop, badness: 1)
      #expect((0.68...0.72).contains(share68), "\(share68) at HDOP \(hdop)")
      #expect((0.95...0.97).contains(share95), "\(share95) at HDOP \(hdop)")
    }
  }

  @Test("The level room is reached up to HDOP 1, the level house up to HDOP 3")
  func levels() throws {
    #expect(try Self.fix(1).achievedAccuracy(at: at(1)) == .room)
    #expect(try Self.fix(1.01).achievedAccuracy(at: at(1)) == .house)
    #expect(try Self.fix(3).achievedAccuracy(at: at(1)) == .house)
    #expect(try Self.fix(3.01).achievedAccuracy(at: at(1)) == .block)
  }

  @Test("For the same fixes, the other rules claim far too small or far too large errors")
  func beside() throws {
    var lines = ["share of the fixes within their accuracy; columns: how much worse than the standard the receiver is"]
    for rule in Rule.allCases {
      for hdop in Self.dilutions {
        let accuracy = try rule.accuracy(hdop)
        let shares = Self.badnesses.map { Self.share(within: accuracy, hdop: hdop, badness: $0) }
        lines.append("\(rule.rawValue), HDOP \(hdop): \(shares.map { "\(Int(($0 * 100).rounded())) %" })")
        switch rule {
        case .positiond: #expect(shares[0] >= 0.68)
        case .gpsd: #expect(shares[0] >= 0.99)
        case .geoClue, .androidHAL: #expect(hdop > 5 || shares[0] < 0.2)
        // 20 m for every HDOP.
        case .androidEmulator: #expect(hdop > 1 || shares[0] > 0.99)
        }
      }
    }
    print(lines.joined(separator: "\n"))
  }
}
