import Glibc

/// The error of a fix as a normal distribution with two standard deviations, one along each of two axes.
///
/// A standard deviation is not a radius: the share of the distribution within a circle depends on the shape of the
/// ellipse. For a circle, 1.515 deviations hold 68.27 % and 2.448 hold 95 %; for a line, 1 and 1.96 do.
package struct EllipticalError: Hashable, Sendable {
  /// The share within one standard deviation in one dimension, known as 68 %.
  package static let oneSigma = 0.6826894921370859

  /// The larger standard deviation, in metres; greater than 0.
  package let major: Double
  /// The smaller, at least 0.
  package let minor: Double

  /// Two standard deviations along axes that are at right angles, in any order.
  package init(_ one: Double, _ other: Double) {
    self.major = max(one, other)
    self.minor = min(one, other)
  }

  /// The probability that the device is within a circle around the fix.
  ///
  /// In the ellipse's own angle the integral over the radius has a closed form, and the remaining integrand is smooth
  /// and periodic: equal steps of a quarter turn are exact to a hundred thousandth, even if the ellipse is a line.
  package func probability(withinRadius radius: Double) -> Double {
    var sum = 0.0
    for step in 0..<Self.steps {
      let angle = (Double(step) + 0.5) / Double(Self.steps) * Double.pi / 2
      let (east, north) = (self.major * cos(angle), self.minor * sin(angle))
      sum += 1 - exp(-radius * radius / (2 * (east * east + north * north)))
    }
    return sum / Double(Self.steps)
  }

  /// The radius, in metres, of the circle around the fix that holds this probability.
  ///
  /// - Parameter probability: greater than 0, less than 1.
  package func radius(holding probability: Double) -> Double {
    // The circular errors with one and the other deviation are the two bounds.
    let round = (-2 * log(1 - probability)).squareRoot()
    var (low, high) = (self.minor * round, self.major * round)
    for _ in 0..<Self.halvings {
      let middle = (low + high) / 2
      if self.probability(withinRadius: middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static let steps = 32
  private static let halvings = 40
}
