import Glibc
package import Positioning

/// The Earth's main magnetic field, by a model of spherical harmonics.
///
/// The field is that of a potential: a sum of Schmidt's semi-normalised Legendre functions whose coefficients change
/// linearly with time. The formulae are those of the World Magnetic Model's technical report; its official test values
/// are this type's tests. The model covers the field of the core only: rocks and solar activity turn a compass by some
/// tenths of a degree more.
package struct MagneticModel: Hashable, Sendable {
  /// One row of the model's file: nanotesla, and nanotesla a year.
  package struct Coefficient: Hashable, Sendable {
    let degree: Int
    let order: Int
    let g: Double
    let h: Double
    let gRate: Double
    let hRate: Double

    init(_ degree: Int, _ order: Int, _ g: Double, _ h: Double, _ gRate: Double, _ hRate: Double) {
      self.degree = degree
      self.order = order
      self.g = g
      self.h = h
      self.gRate = gRate
      self.hRate = hRate
    }
  }

  /// The model's name, for people.
  package let name: String
  /// The years for which the model was made, with their fraction. Outside of them its error grows by some tenths of a
  /// degree a year.
  package let validity: Range<Double>
  private let coefficients: [Coefficient]
  private let degree: Int

  /// The radius of the sphere for which the coefficients are given, in metres.
  private static let referenceRadius = 6_371_200.0
  // The ellipsoid WGS 84: metres, and the square of its eccentricity.
  private static let equatorialRadius = 6_378_137.0
  private static let eccentricitySquared = 6.694_379_990_141_317e-3

  /// - Parameter epoch: the year of the coefficients, at which the validity begins.
  init(name: String, epoch: Double, end: Double, coefficients: [Coefficient]) {
    self.name = name
    self.validity = epoch..<end
    self.coefficients = coefficients
    self.degree = coefficients.map(\.degree).max() ?? 0
  }

  /// The field at a place.
  ///
  /// - Parameters:
  ///   - height: metres above the ellipsoid; a kilometre changes the direction by hundredths of a degree.
  ///   - year: with its fraction.
  package func field(at place: Coordinate, height: Double = 0, year: Double) -> MagneticField {
    // At the poles themselves no direction is north.
    let latitude = min(max(place.latitude, -89.9999), 89.9999).radians
    let longitude = place.longitude.radians
    let normal = Self.equatorialRadius / (1 - Self.eccentricitySquared * sin(latitude) * sin(latitude)).squareRoot()
    let fromAxis = (normal + height) * cos(latitude)
    let aboveEquator = (normal * (1 - Self.eccentricitySquared) + height) * sin(latitude)
    let radius = hypot(fromAxis, aboveEquator)
    let legendre = LegendreTable(degree: self.degree, sine: fromAxis / radius, cosine: aboveEquator / radius)

    var (north, east, down) = (0.0, 0.0, 0.0)
    let years = year - self.validity.lowerBound
    for row in self.coefficients {
      let (g, h) = (row.g + years * row.gRate, row.h + years * row.hRate)
      let order = Double(row.order)
      let (sine, cosine) = (sin(order * longitude), cos(order * longitude))
      let scale = pow(Self.referenceRadius / radius, Double(row.degree + 2))
      let wave = scale * (g * cosine + h * sine)
      north += wave * legendre.slope(row.degree, row.order)
      east += scale * order * (g * sine - h * cosine) * legendre.value(row.degree, row.order) * radius / fromAxis
      down -= wave * Double(row.degree + 1) * legendre.value(row.degree, row.order)
    }
    // Turns the components from the sphere's north and down to the ellipsoid's.
    let tilt = atan2(aboveEquator, fromAxis) - latitude
    return MagneticField(
      north: north * cos(tilt) - down * sin(tilt), east: east, down: north * sin(tilt) + down * cos(tilt))
  }
}

/// The magnetic field at one place, in nanotesla.
package struct MagneticField: Hashable, Sendable {
  package var north: Double
  package var east: Double
  package var down: Double

  /// Below this a compass is unusable: the blackout zones of the World Magnetic Model around the magnetic poles.
  static let leastHorizontal = 2000.0

  /// The component that turns a compass needle.
  package var horizontal: Double { hypot(self.north, self.east) }

  /// The angle from true to magnetic north in degrees, east positive; `nil` where a compass is unusable.
  package var declination: Double? {
    self.horizontal < Self.leastHorizontal ? nil : atan2(self.east, self.north).degrees
  }
}

/// The associated Legendre functions at one colatitude, Schmidt's semi-normalised, and their derivatives with respect
/// to the colatitude.
private struct LegendreTable {
  private var values: [Double]
  private var slopes: [Double]

  /// - Parameters:
  ///   - sine: of the colatitude.
  ///   - cosine: of the colatitude.
  init(degree: Int, sine: Double, cosine: Double) {
    let count = Self.place(degree, degree) + 1
    self.values = [Double](repeating: 0, count: count)
    self.slopes = self.values
    self.values[0] = 1
    guard degree > 0 else { return }
    for n in 1...degree {
      for m in 0...n {
        let place = Self.place(n, m)
        if n == m {
          let before = Self.place(n - 1, n - 1)
          let factor = n == 1 ? 1 : (Double(2 * n - 1) / Double(2 * n)).squareRoot()
          self.values[place] = factor * sine * self.values[before]
          self.slopes[place] = factor * (sine * self.slopes[before] + cosine * self.values[before])
          continue
        }
        let before = Self.place(n - 1, m)
        let norm = Double(n * n - m * m).squareRoot()
        let factor = Double(2 * n - 1) / norm
        self.values[place] = factor * cosine * self.values[before]
        self.slopes[place] = factor * (cosine * self.slopes[before] - sine * self.values[before])
        guard n - 2 >= m else { continue }
        let earlier = Self.place(n - 2, m)
        let weight = Double((n - 1) * (n - 1) - m * m).squareRoot() / norm
        self.values[place] -= weight * self.values[earlier]
        self.slopes[place] -= weight * self.slopes[earlier]
      }
    }
  }

  func value(_ degree: Int, _ order: Int) -> Double { self.values[Self.place(degree, order)] }
  func slope(_ degree: Int, _ order: Int) -> Double { self.slopes[Self.place(degree, order)] }

  private static func place(_ degree: Int, _ order: Int) -> Int { degree * (degree + 1) / 2 + order }
}
