import Geodesy
import Positioning
import Testing

@testable import Broker

/// Where the device stays, and where it does not.
@Suite struct VisitTests {
  /// Arrives from 2 km away at 10 m/s, and then rests.
  private func arriving(_ origin: Coordinate = Coordinate(latitude: 48.137, longitude: 11.575)) -> VisitJourney {
    var journey = VisitJourney(from: origin)
    journey.move(200, north: 10)
    return journey
  }

  @Test("A device that rests for five minutes has arrived, once, with the time of its arrival")
  func arrival() throws {
    var journey = self.arriving()
    journey.rest(3600)
    #expect(journey.events.count == 1)
    let (seconds, visit) = try #require(journey.arrivals.first)
    let arrival = try #require(visit.arrival).sinceBoot.seconds
    #expect(abs(arrival - 200) <= 25)
    #expect(abs(seconds - arrival - 300) <= 1)
    // With a fix each second the time is known to the second.
    #expect(try #require(visit.arrivalUncertainty) <= .seconds(1))
    #expect(visit.departure == nil && abs(visit.horizontalAccuracy - 5) < 1e-9)
    #expect(Geodesy.distance(from: visit.coordinate, to: journey.place(north: 2000)) < 20)
    #expect(journey.detector.visit?.id == visit.id)
  }

  @Test("A device beyond 200 m has departed when it was last within, with the id of its arrival")
  func departure() throws {
    var journey = self.arriving()
    journey.rest(3600)
    journey.move(600, north: 1.5)
    #expect(journey.events.count == 2)
    let arrived = try #require(journey.arrivals.first).visit
    let (seconds, departed) = try #require(journey.departures.first)
    #expect(departed.id == arrived.id && departed.arrival == arrived.arrival)
    let departure = try #require(departed.departure).sinceBoot.seconds
    // 200 m take 133 s.
    #expect(abs(departure - 3933) < 10)
    #expect(try #require(departed.departureUncertainty) <= .seconds(1))
    #expect(arrived.departureUncertainty == nil && departed.arrivalUncertainty == arrived.arrivalUncertainty)
    #expect(seconds - departure < 25)
    // The middle of an hour's fixes is more accurate than that of five minutes'.
    let rest = journey.place(north: 2000)
    #expect(
      Geodesy.distance(from: departed.coordinate, to: rest) < Geodesy.distance(from: arrived.coordinate, to: rest))
    #expect(journey.detector.visit == nil)
  }

  @Test("Each visit has an id of its own, and begins after the previous one has ended")
  func several() throws {
    var journey = self.arriving()
    for _ in 0..<5 {
      journey.rest(900)
      journey.move(120, north: 10)
    }
    let visits = journey.departures.map(\.visit)
    #expect(visits.map(\.id) == [1, 2, 3, 4, 5])
    #expect(journey.arrivals.map(\.visit.id) == [1, 2, 3, 4, 5])
    for (one, next) in zip(visits, visits.dropFirst()) {
      #expect(try #require(one.departure) < #require(next.arrival))
    }
  }

  @Test("A device that rested at the first fix has no arrival")
  func unknownArrival() throws {
    var journey = VisitJourney()
    journey.rest(600)
    #expect(journey.arrivals.count == 1)
    #expect(journey.arrivals.first?.visit.arrival == nil)
    journey.move(120, north: 10)
    let departed = try #require(journey.departures.first).visit
    #expect(departed.arrival == nil && departed.departure != nil)
  }

  @Test("It has none either if its very first fix was a bad one elsewhere")
  func unknownArrivalAfterOutlier() {
    var journey = VisitJourney()
    journey.report(besideNorth: 5000)
    journey.silence(1)
    journey.rest(600)
    #expect(journey.arrivals.count == 1)
    #expect(journey.arrivals.first?.visit.arrival == nil)
  }

  @Test("A walk without rest is no visit, however slow", arguments: [0.5, 0.7, 1.4, 5], [1, 30, 150] as [Double])
  func walk(speed: Double, interval: Double) {
    var journey = VisitJourney()
    journey.interval = interval
    journey.move(4 * 3600, north: speed)
    #expect(journey.events.isEmpty)
  }

  @Test("A drive with stops shorter than five minutes is none", arguments: [1, 20, 90] as [Double])
  func drive(interval: Double) {
    var journey = VisitJourney()
    journey.interval = interval
    for stop in [10, 60, 240, 120, 30, 200, 90, 240] as [Double] {
      journey.move(180, north: 14)
      journey.rest(stop)
    }
    journey.move(600, north: 20, east: 20)
    #expect(journey.events.isEmpty)
  }

  @Test("Movement within 100 m is rest")
  func shopping() {
    var journey = self.arriving()
    for turn in 0..<40 { journey.move(60, north: turn.isMultiple(of: 2) ? 1 : -1) }
    #expect(journey.arrivals.count == 1 && journey.departures.isEmpty)
  }

  @Test("Between 100 m and 200 m a visit continues, and its middle is unchanged")
  func nearby() throws {
    var journey = self.arriving()
    journey.rest(1800)
    journey.move(150, north: 1)
    journey.rest(7200)
    journey.move(150, north: -1)
    journey.rest(60)
    #expect(journey.events.count == 1)
    let visit = try #require(journey.detector.visit)
    #expect(Geodesy.distance(from: visit.coordinate, to: journey.place(north: 2000)) < 20)
  }

  @Test("A device that rests just outside of the assumed place is detected as arrived")
  func justOutside() {
    for distance in stride(from: 60.0, through: 200, by: 10) {
      var journey = VisitJourney()
      journey.accuracy = 30
      journey.rest(120)
      journey.move(distance, north: 1)
      journey.rest(900)
      #expect(journey.arrivals.count == 1, "\(distance) m")
    }
  }

  @Test(
    "It is the same on the antimeridian and at the poles",
    arguments: [
      Coordinate(latitude: -16.8, longitude: 180), Coordinate(latitude: 65, longitude: -179.9999),
      Coordinate(latitude: 0, longitude: 179.99999), Coordinate(latitude: -89.9995, longitude: 20),
    ])
  func edges(origin: Coordinate) throws {
    var journey = VisitJourney(from: origin)
    journey.accuracy = 10
    var random = SeededRandom(seed: 7)
    journey.error = { _ in
      (Double.random(in: -15...15, using: &random), Double.random(in: -15...15, using: &random))
    }
    journey.rest(3600)
    journey.move(300, north: origin.latitude < -80 ? 5 : 0, east: origin.latitude < -80 ? 0 : 5)
    let visit = try #require(journey.departures.first).visit
    #expect(journey.arrivals.first?.visit.id == visit.id)
    #expect(Geodesy.distance(from: visit.coordinate, to: origin) < 10)
    #expect((-180...180).contains(visit.longitude))
  }

  @Test("A fix that was processed before, or is late, changes nothing")
  func repeated() {
    var journey = self.arriving()
    journey.rest(600)
    let before = journey.detector
    journey.silence(-1)
    for earlier in [0, 0, 100, 550] as [Double] { journey.report(besideNorth: 500, earlier: earlier) }
    #expect(journey.detector == before)
    #expect(journey.events.count == 1)
  }
}
