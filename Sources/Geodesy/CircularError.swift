import Glibc

/// The error of a fix as a circular normal distribution: the probability that the device is beyond a border.
package struct CircularError: Hashable, Sendable {
  /// The standard deviation along each axis, in metres; at least `least`.
  package let sigma: Double

  /// No receiver is accurate to a tenth of a millimetre. The bound keeps quotients from overflowing.
  package static let least = 1e-4

  /// The 95 % radius of such an error, divided by its sigma.
  package static let radius95 = 2.448

  package init(sigma: Double) {
    self.sigma = max(sigma, Self.least)
  }

  /// The probability that the device is on this side of a straight edge; the distance to the edge is positive on this
  /// side.
  package func probability(ofDepth depth: Double) -> Double {
    erfc(-depth / self.sigma / 2.0.squareRoot()) / 2
  }

  /// The probability that the device is within a circle whose centre is at that distance: 1 - Q1(distance / sigma,
  /// radius / sigma), where Q1 is Marcum's function.
  ///
  /// It is summed over strips across the line to the centre, each of which has a closed form. The strips are spaced by
  /// the sine of an angle, so that they become thin at the edge of the circle, and cover only the reach of the error.
  /// So nothing cancels or overflows for any size of circle.
  package func probability(withinRadius radius: Double, of distance: Double) -> Double {
    let radius = radius / self.sigma
    let distance = distance / self.sigma
    let low = max(-radius, distance - Self.reach)
    let high = min(radius, distance + Self.reach)
    guard low < high else { return 0 }
    let start = asin(low / radius)
    let width = (asin(high / radius) - start) / Double(Self.panels)
    var sum = 0.0
    for panel in 0..<Self.panels {
      let middle = start + (Double(panel) + 0.5) * width
      for (node, weight) in Self.quadrature {
        sum += weight * Self.strip(at: middle + node * width / 2, radius, distance)
        sum += weight * Self.strip(at: middle - node * width / 2, radius, distance)
      }
    }
    return min(max(sum * width / 2, 0), 1)
  }

  private static func strip(at angle: Double, _ radius: Double, _ distance: Double) -> Double {
    let offset = radius * sin(angle) - distance
    let half = radius * cos(angle)
    return exp(-offset * offset / 2) / (2 * Double.pi).squareRoot() * erf(half / 2.0.squareRoot()) * half
  }

  /// In sigmas; less than 1e-14 of the distribution is farther away.
  private static let reach = 8.0
  private static let panels = 5

  /// Half of the nodes of Gauss and Legendre's quadrature of order 16, with their weights: 80 strips in five panels.
  private static let quadrature: [(Double, Double)] = [
    (0.0950125098376374, 0.1894506104550685), (0.2816035507792589, 0.1826034150449236),
    (0.4580167776572274, 0.1691565193950025), (0.6178762444026438, 0.1495959888165767),
    (0.7554044083550030, 0.1246289712555339), (0.8656312023878318, 0.0951585116824928),
    (0.9445750230732326, 0.0622535239386479), (0.9894009349916499, 0.0271524594117541),
  ]
}
