import Geodesy
import Positioning
import Testing

@Suite("An error with a separate deviation along each axis")
struct EllipticalErrorTests {
  @Test(
    "Its radii agree with tables, from a line to a circle, whichever axis is named first",
    arguments: [
      (0.001, 1.0, 1.95996), (0.3, 1.04908, 1.98420), (0.5, 1.15290, 2.03586), (0.75, 1.32804, 2.18580),
      (1, 1.51517, 2.44775),
    ])
  func radii(ratio: Double, radius68: Double, radius95: Double) {
    for error in [EllipticalError(7, 7 * ratio), EllipticalError(7 * ratio, 7)] {
      #expect(abs(error.radius(holding: EllipticalError.oneSigma) / 7 - radius68) < 1e-4)
      #expect(abs(error.radius(holding: 0.95) / 7 - radius95) < 1e-4)
    }
  }

  @Test("A radius holds its share of random errors", arguments: [(1.0, 4.0), (3, 3), (9.2, 9.9)])
  func shares(north: Double, east: Double) {
    var random = SeededRandom(seed: 7)
    let error = EllipticalError(north, east)
    let radii = [EllipticalError.oneSigma, 0.95].map { error.radius(holding: $0) }
    var within = [0, 0]
    let count = 40_000
    for _ in 0..<count {
      let (y, x) = (random.normal() * north, random.normal() * east)
      for (place, radius) in radii.enumerated() where x * x + y * y <= radius * radius { within[place] += 1 }
    }
    #expect(abs(Double(within[0]) / Double(count) - 0.6827) < 0.01)
    #expect(abs(Double(within[1]) / Double(count) - 0.95) < 0.005)
  }
}
