import Geodesy
import Glibc
import Positioning
import Testing

@testable import Broker

/// Visits with bad, rare or missing fixes.
@Suite struct VisitDoubtTests {
  private func resting(_ seconds: Double = 1800) -> VisitJourney {
    var journey = VisitJourney()
    journey.move(200, north: 10)
    journey.rest(seconds)
    return journey
  }

  @Test("One bad fix far away ends no visit, whatever its accuracy", arguments: [2, 20, 99] as [Double])
  func outlier(accuracy: Double) {
    var journey = self.resting()
    for _ in 0..<20 {
      journey.report(besideNorth: 3000, accuracy: accuracy)
      journey.silence(1)
      journey.rest(30)
    }
    #expect(journey.events.count == 1)
  }

  @Test("Several within ten seconds end none either, and two that are further apart do")
  func outliers() {
    var journey = self.resting()
    for _ in 0..<10 {
      journey.report(besideNorth: 3000)
      journey.silence(1)
    }
    journey.rest(60)
    #expect(journey.departures.isEmpty)
    journey.report(besideNorth: 3000)
    journey.silence(10)
    journey.report(besideNorth: 3000)
    #expect(journey.departures.count == 1)
  }

  @Test("A bad fix delays no arrival")
  func outlierWhileBuilding() throws {
    var journey = self.resting(100)
    journey.report(besideNorth: 700)
    journey.silence(1)
    journey.rest(300)
    let visit = try #require(journey.arrivals.first)
    #expect(visit.seconds <= 505)
  }

  @Test("Fixes of unknown accuracy or more than 100 m neither begin nor end a visit")
  func vague() {
    var journey = VisitJourney()
    journey.accuracy = 101
    journey.rest(3600)
    #expect(journey.events.isEmpty && journey.detector == VisitDetector())

    journey = self.resting()
    for _ in 0..<100 {
      journey.report(besideNorth: 3000, accuracy: 101)
      journey.reportWithoutAccuracy(besideNorth: 3000)
      journey.silence(30)
    }
    #expect(journey.events.count == 1)
  }

  @Test("A departure needs a fix that is certainly beyond 200 m: a distance within its error ends no visit")
  func uncertain() {
    // 95 % of a fix of 60 m and a middle of 5 m: 97 m.
    for (distance, isSure) in [(190.0, false), (250, false), (290, false), (305, true), (400, true)] {
      var journey = self.resting()
      journey.accuracy = 60
      journey.move(0.5, north: 2 * distance)
      journey.rest(120)
      #expect(journey.departures.count == (isSure ? 1 : 0), "\(distance) m")
    }
  }

  @Test("A receiver between high houses is at one place", arguments: 1...20 as ClosedRange<UInt64>)
  func canyon(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var drift = (north: 0.0, east: 0.0)
    var journey = self.resting(0)
    journey.accuracy = 40
    // Correlated errors, like a receiver's, with the reported standard deviation; one fix in a hundred is wrong.
    journey.error = { _ in
      let scale = 40 / 1.51 * (1 - 0.9 * 0.9).squareRoot()
      drift.north = 0.9 * drift.north + scale * random.normal()
      drift.east = 0.9 * drift.east + scale * random.normal()
      guard random.oneIn(100) else { return drift }
      return (drift.north + 600 * random.normal(), drift.east + 600 * random.normal())
    }
    journey.rest(4 * 3600)
    #expect(journey.arrivals.count == 1 && journey.departures.isEmpty)
    journey.move(300, north: 10)
    #expect(journey.departures.count == 1)
    let visit = journey.departures.first?.visit
    #expect(visit.map { Geodesy.distance(from: $0.coordinate, to: journey.place(north: 2000)) < 25 } ?? false)
  }

  @Test("A restart during a visit causes no second arrival, and one departure", arguments: [false, true])
  func restart(isBoot: Bool) throws {
    var journey = self.resting()
    if isBoot { journey.boot() } else { journey.restart() }
    journey.silence(20)
    journey.rest(1200)
    #expect(journey.events.count == 1)
    #expect(journey.detector.visit?.id == 1)
    journey.move(120, north: 10)
    let arrived = try #require(journey.arrivals.first).visit
    let departed = try #require(journey.departures.first).visit
    #expect(departed.id == arrived.id)
    // How long before the boot it arrived is unknown.
    #expect(departed.arrival == (isBoot ? nil : arrived.arrival))
    journey.rest(600)
    #expect(journey.arrivals.map(\.visit.id) == [1, 2])
  }

  @Test("A restart during a stay loses nothing of it")
  func restartWhileBuilding() {
    var journey = self.resting(200)
    journey.restart()
    journey.rest(200)
    #expect(journey.arrivals.count == 1)
    #expect(journey.arrivals.first.map { $0.seconds < 520 && $0.visit.arrival != nil } ?? false)
  }

  @Test("A silence with the same place at both ends is rest from its beginning")
  func silentRest() throws {
    var journey = self.resting(60)
    journey.silence(5 * 3600)
    journey.report()
    let visit = try #require(journey.arrivals.first).visit
    #expect(abs(try #require(visit.arrival).sinceBoot.seconds - 200) <= 25)
  }

  @Test("A silence with two places at its ends is no visit, and the departure is somewhere within")
  func silentMove() throws {
    var journey = VisitJourney()
    journey.rest(10)
    journey.silence(3600, north: 2000)
    journey.rest(60)
    #expect(journey.events.isEmpty)

    journey = self.resting()
    let last = journey.now
    journey.silence(3600, north: 2000)
    journey.rest(60)
    let visit = try #require(journey.departures.first?.visit)
    let (departure, uncertainty) = (try #require(visit.departure), try #require(visit.departureUncertainty))
    // The middle, less half of the time that the device needs for the distance.
    #expect(abs(departure.sinceBoot.seconds - last - 1790) <= 15)
    #expect(departure - uncertainty <= at(last) && departure + uncertainty >= at(last + 3560))
    // Its arrival was not observed.
    journey.rest(600)
    #expect(journey.arrivals.count == 2)
    #expect(journey.arrivals.last?.visit.arrival == nil)
  }

  @Test("Probes as rare as the detector requests find the same visits, and a doubtful one is repeated at once")
  func probes() throws {
    var journey = VisitJourney()
    let driving = journey.drive(1800, speed: 15)
    // A pair of fixes in 160 s.
    #expect((20...28).contains(driving))
    let cameToRest = journey.now
    #expect(journey.drive(600) <= 8)
    let (seconds, visit) = try #require(journey.arrivals.first)
    #expect(seconds - cameToRest <= 500)
    #expect(abs(try #require(visit.arrival).sinceBoot.seconds - cameToRest) <= 160)
    #expect(journey.drive(4 * 3600) <= 25)
    #expect(journey.events.count == 1)
    let left = journey.now
    _ = journey.drive(900, speed: 15)
    let (reported, departed) = try #require(journey.departures.first)
    #expect(reported - left <= 630)
    let departure = try #require(departed.departure).sinceBoot.seconds
    #expect(abs(departure - left) <= 310)
    #expect(abs(departure - left) <= (try #require(departed.departureUncertainty)).seconds)
  }

  @Test(
    "The times of an arrival and a departure are within their uncertainty",
    arguments: [40.0, 200, 555, 4000, 20_000], [nil, 15] as [Double?])
  func estimates(stay: Double, speed: Double?) throws {
    var journey = VisitJourney()
    _ = journey.drive(900, speed: 15, reported: speed)
    let came = journey.now
    _ = journey.drive(600 + stay, reported: nil)
    let left = journey.now
    _ = journey.drive(1200, speed: 15, reported: speed)
    let visit = try #require(journey.departures.first).visit
    let arrival = try #require(visit.arrival).sinceBoot.seconds - came
    let departure = try #require(visit.departure).sinceBoot.seconds - left
    #expect(abs(arrival) <= (try #require(visit.arrivalUncertainty)).seconds + 15)
    #expect(abs(departure) <= (try #require(visit.departureUncertainty)).seconds + 15)
    // With a reported speed it is better than the middle.
    #expect(abs(arrival) <= (speed == nil ? 90 : 20))
    #expect(abs(departure) <= (speed == nil ? 310 : 20))
  }

  @Test("A fix at the place with movement, or at its edge, is followed by another soon")
  func suspicion() {
    var journey = self.resting()
    #expect(journey.detector.nextProbe(now: at(journey.now)) == .seconds(600))
    journey.speed = 14
    journey.report(besideNorth: 30)
    #expect(journey.detector.nextProbe(now: at(journey.now)) == .seconds(10))
    journey.speed = 0.4
    journey.silence(10)
    journey.report()
    #expect(journey.detector.nextProbe(now: at(journey.now)) == .seconds(600))
    journey.silence(10)
    journey.report(besideNorth: 150)
    #expect(journey.detector.nextProbe(now: at(journey.now)) == .seconds(10))
    // A device that stays at the edge does not move.
    journey.silence(0, north: 150)
    #expect(journey.drive(3600) <= 20)
    #expect(journey.events.count == 1)
    #expect(journey.detector.nextProbe(now: at(journey.now)) == .seconds(600))
  }

  @Test("An unresolved doubt keeps the receiver on for a minute, not for ever")
  func unresolved() {
    var journey = self.resting()
    journey.report(besideNorth: 3000)
    let start = journey.now
    #expect(journey.detector.nextProbe(now: at(start)) == .seconds(10))
    journey.accuracy = 500
    #expect(journey.drive(3600) <= 18)
    #expect(journey.events.count == 1)
  }
}

extension SeededRandom {
  /// Around 0, with a standard deviation of 1.
  fileprivate mutating func normal() -> Double {
    let length = (-2 * log(Double.random(in: 1e-12...1, using: &self))).squareRoot()
    return length * cos(2 * .pi * Double.random(in: 0...1, using: &self))
  }
}
