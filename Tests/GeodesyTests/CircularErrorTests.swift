import Glibc
import Testing

@testable import Geodesy

/// The probability that a device is within a region.
@Suite struct CircularErrorTests {
  /// The table from the rule's derivation: a circle, the 95 % radius of a fix in its middle, the probability.
  @Test(
    "In the middle of a circle the probability agrees with the derivation",
    arguments: [(50.0, 50.0, 0.95), (50, 100, 0.53), (50, 200, 0.17), (20, 20, 0.95), (20, 30, 0.74), (20, 50, 0.38)])
  func middle(radius: Double, accuracy95: Double, expected: Double) {
    let sigma = accuracy95 / CircularError.radius95
    let probability = CircularError(sigma: sigma).probability(withinRadius: radius, of: 0)
    #expect(abs(probability - expected) < 0.005)
    #expect(abs(probability - (1 - exp(-radius * radius / sigma / sigma / 2))) < 1e-12)
  }

  @Test("At a straight edge 85 % is a depth of 1.036 sigma, 75 % of 0.674")
  func straightEdge() {
    let error = CircularError(sigma: 10)
    #expect(abs(error.probability(ofDepth: 10.36433) - 0.85) < 1e-6)
    #expect(abs(error.probability(ofDepth: 6.7449) - 0.75) < 1e-6)
    #expect(error.probability(ofDepth: 0) == 0.5)
    #expect(error.probability(ofDepth: -1000) >= 0 && error.probability(ofDepth: -1000) < 1e-100)
    #expect(error.probability(ofDepth: 1000) == 1)
  }

  @Test("The strips agree with the series to ten digits, for circles of all sizes and distances")
  func series() {
    var worst = 0.0
    for radius in [0.05, 0.3, 1, 1.9478801788170654, 4, 10, 25] {
      for distance in [0, 0.01, 0.5, 1, 1.948, 3, 9, 24, 26, 30] {
        let strips = CircularError(sigma: 1).probability(withinRadius: radius, of: distance)
        worst = max(worst, abs(strips - poissonSeries(radius: radius, distance: distance)))
      }
    }
    #expect(worst < 1e-10)
  }

  @Test("Only the ratios matter, and a very large circle is a straight edge")
  func scale() {
    let small = CircularError(sigma: 0.01).probability(withinRadius: 0.05, of: 0.03)
    let large = CircularError(sigma: 10_000).probability(withinRadius: 50_000, of: 30_000)
    #expect(abs(small - large) < 1e-12)
    for depth in [-3.0, -1, 0, 0.5, 1.036, 3] {
      let error = CircularError(sigma: 0.01)
      let edge = error.probability(ofDepth: depth * 0.01)
      #expect(abs(error.probability(withinRadius: 1_000_000, of: 1_000_000 - depth * 0.01) - edge) < 1e-6)
    }
  }

  @Test("The probability falls with the distance and stays within 0 and 1, up to the other side of the globe")
  func bounds() {
    for sigma in [0.001, 1, 245, 100_000] {
      let error = CircularError(sigma: sigma)
      let values = [0, 1, 10, 49, 50, 51, 100, 1000, 1e5, 2e7].map { error.probability(withinRadius: 50, of: $0) }
      #expect(values.allSatisfy { $0 >= 0 && $0 <= 1 })
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 - 1e-14 })
    }
  }
}

extension CircularErrorTests {
  @Test(
    "For any reported accuracy the result is a probability",
    arguments: [0, Double.leastNonzeroMagnitude, 1e-307, 1e-100, 1e-20, 1e-4, 1e6, 1e300])
  func absurd(sigma: Double) {
    let error = CircularError(sigma: sigma)
    for radius in [1e-3, 50, 1e6] {
      for distance in [0, radius / 2, radius, radius * 2, 2e7] {
        let within = error.probability(withinRadius: radius, of: distance)
        #expect((0...1).contains(within), "\(within) of \(radius) m at \(distance) m")
      }
    }
    for depth in [-1e6, -1, 0, 1, 1e6] { #expect((0...1).contains(error.probability(ofDepth: depth))) }
  }
}

/// The same probability as a sum over Poisson's distribution: another way to compute it.
private func poissonSeries(radius: Double, distance: Double) -> Double {
  let mean = distance * distance / 2
  let limit = radius * radius / 2
  // Of k further events before the limit: 1 - exp(-limit) (1 + limit + limit^2 / 2! ...), from its logarithms.
  var tail = 0.0
  var sum = 0.0
  for count in 0..<2000 {
    tail += exp(-limit + Double(count) * (limit > 0 ? log(limit) : 0) - lgamma(Double(count) + 1))
    let weight = mean > 0 ? exp(-mean + Double(count) * log(mean) - lgamma(Double(count) + 1)) : count == 0 ? 1 : 0
    sum += weight * max(1 - tail, 0)
  }
  return sum
}
