import Positioning
import Testing

@testable import Geodesy

@Suite("The mean of places")
struct MeanPlaceTests {
  @Test("A more accurate place weighs more, by the square")
  func weights() {
    var mean = MeanPlace(place(48, 11), accuracy: 10)
    mean.add(place(48.001, 11.001), accuracy: 5)
    #expect(abs(mean.coordinate.latitude - 48.0008) < 1e-9)
    #expect(abs(mean.coordinate.longitude - 11.0008) < 1e-8)
    #expect(mean.count == 2)
  }

  @Test("Many fixes of one receiver are not more accurate than one of them")
  func accuracy() {
    var mean = MeanPlace(place(48, 11), accuracy: 8)
    for _ in 0..<1000 { mean.add(place(48, 11), accuracy: 8) }
    #expect(abs(mean.accuracy - 8) < 1e-9)
  }

  @Test(
    "Neither the antimeridian nor a pole is special",
    arguments: [
      (place(10, 179.9999), place(10, -179.9999), place(10, 180)), (place(90, 0), place(90, 77), place(90, 0)),
      (place(89.9999, 0), place(89.9999, 180), place(90, 0)),
      (place(-0.0001, 0.0001), place(0.0001, -0.0001), place(0, 0)),
    ])
  func edges(one: Coordinate, other: Coordinate, middle: Coordinate) {
    var mean = MeanPlace(one, accuracy: 5)
    mean.add(other, accuracy: 5)
    #expect(Geodesy.distance(from: mean.coordinate, to: middle) < 0.001)
  }

  @Test("A day of fixes adds no rounding error")
  func precision() {
    var mean = MeanPlace(place(48.137154321, 11.575382123), accuracy: 3)
    for _ in 0..<86_400 { mean.add(place(48.137154321, 11.575382123), accuracy: 3) }
    #expect(Geodesy.distance(from: mean.coordinate, to: place(48.137154321, 11.575382123)) < 1e-5)
  }

  @Test("The stored values make the same mean again")
  func kept() {
    var mean = MeanPlace(place(-33.9, 151.2), accuracy: 12)
    mean.add(place(-33.9001, 151.2002), accuracy: 7)
    var again = MeanPlace(mean.coordinate, weight: mean.weight, count: mean.count)
    mean.add(place(-33.8999, 151.2001), accuracy: 4)
    again.add(place(-33.8999, 151.2001), accuracy: 4)
    #expect(Geodesy.distance(from: mean.coordinate, to: again.coordinate) < 1e-5)
    #expect(again.count == 3 && abs(again.accuracy - mean.accuracy) < 1e-12)
  }
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}
