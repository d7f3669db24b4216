import Geodesy
import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The source of magnetic north.
@Suite struct DeclinationTests {
  /// The receiver's time in the middle of a year.
  private static func middle(of year: Double) -> Timestamp {
    Timestamp(seconds: (year + 0.5 - 1970) * 365.2425 * 86400)
  }

  private func model(_ year: Double) throws -> Double {
    try #require(MagneticModel.wmm2025.field(at: Coordinate(latitude: 50, longitude: 8), year: year).declination)
  }

  private func degrees(_ declination: inout Declination, _ seconds: Double = 1) throws -> Double {
    let degrees = declination.degrees(now: at(seconds))
    return try #require(degrees)
  }

  private let here = Coordinate(latitude: 50, longitude: 8)

  @Test("The model is used for the receiver's year")
  func year() throws {
    for year in [2025.0, 2026, 2029] {
      var declination = Declination()
      declination.moved(to: moving(1, course: nil, time: Self.middle(of: year)))
      let (degrees, model) = (try self.degrees(&declination), try self.model(year + 0.5))
      #expect(abs(degrees - model) < 1e-6)
      #expect(!declination.isModelExpired)
    }
  }

  @Test(
    "For an impossible time the middle of the model's years is used",
    arguments: [nil, 1980, 2006.4, 2024, 2040, 2045] as [Double?])
  func wrongClock(year: Double?) throws {
    var declination = Declination()
    declination.moved(to: moving(1, course: nil, time: year.map { Self.middle(of: $0) }))
    let (degrees, model) = (try self.degrees(&declination), try self.model(2027.5))
    #expect(abs(degrees - model) < 1e-6)
    #expect(!declination.isModelExpired)
  }

  @Test("While the model is valid gpsd's coarse table is not used")
  func modelFirst() throws {
    var declination = Declination()
    declination.reported(-20, at: self.here, now: at(1))
    declination.moved(to: moving(1, course: nil, time: Self.middle(of: 2029)))
    let (degrees, model) = (try self.degrees(&declination), try self.model(2029.5))
    #expect(abs(degrees - model) < 1e-6)
  }

  @Test("Past the model's end gpsd's declination is used nearby for a year, then the model, marked as expired")
  func expired() throws {
    var declination = Declination()
    declination.moved(to: moving(1, course: nil, time: Self.middle(of: 2031)))
    let (degrees, model) = (try self.degrees(&declination), try self.model(2031.5))
    #expect(abs(degrees - model) < 1e-6)
    #expect(declination.isModelExpired)

    var informed = Declination()
    informed.moved(to: moving(1, course: nil, time: Self.middle(of: 2031)))
    informed.reported(-20, at: self.here, now: at(1))
    let year = Declination.lifetime.seconds
    #expect(try self.degrees(&informed, year) == -20)
    #expect(!informed.isModelExpired)
    for (kilometers, isNear) in [(49.0, true), (51, false)] {
      var moved = informed
      var fix = moving(2, course: nil, time: Self.middle(of: 2031))
      fix.latitude += kilometers / 111.23
      moved.moved(to: fix)
      #expect((try self.degrees(&moved, 2) == -20) == isNear)
      #expect(moved.isModelExpired == !isNear)
    }
    let later = try self.degrees(&informed, year + 2)
    #expect(abs(later - model) < 1e-6)
    #expect(informed.isModelExpired)
  }

  @Test("The declination is unknown without a place, and where compasses are unusable")
  func unknown() {
    var declination = Declination()
    let nowhere = declination.degrees(now: at(1))
    #expect(nowhere == nil)
    var fix = moving(1, course: nil, time: Self.middle(of: 2025))
    (fix.latitude, fix.longitude) = (86, 140)
    declination.moved(to: fix)
    let nearThePole = declination.degrees(now: at(1))
    #expect(nearThePole == nil)
  }

  @Test("That the model has expired is logged once, and only if a client requests headings")
  func warning() {
    var daemon = VirtualDaemon()
    var actions: [Action] = []
    func drive() {
      for _ in 1...10 {
        actions += daemon.advance(by: 1)
        let seconds = daemon.now.sinceBoot.seconds
        var report = position(seconds)
        report.time = Self.middle(of: 2031) + .seconds(seconds)
        report.track = seconds.truncatingRemainder(dividingBy: 360)
        report.speed = 5
        actions += daemon.send(.receiver(.position(report)))
      }
    }
    daemon.subscribe(SubscriptionParameters())
    drive()
    #expect(actions.warnings.isEmpty)
    actions += daemon.subscribeHeading()
    drive()
    #expect(actions.warnings.count == 1)
    #expect(actions.headings(of: 2).allSatisfy { $0.heading?.magneticHeading != nil })
  }
}
