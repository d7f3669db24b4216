import Positioning
import Testing

@testable import Geodesy

/// The model compared with the test values that its authors publish with it (NOAA NCEI, WMM2025_TEST_VALUES.txt and the
/// table of the technical report).
@Suite("The World Magnetic Model 2025")
struct MagneticModelTests {
  struct Value: Sendable {
    var year: Double
    var kilometers: Double
    var place: Coordinate
    /// Degrees, given to two decimals.
    var declination: Double
  }

  private static func value(
    _ year: Double, _ kilometers: Double, _ latitude: Double, _ longitude: Double, _ declination: Double
  ) -> Value {
    Value(
      year: year, kilometers: kilometers, place: Coordinate(latitude: latitude, longitude: longitude),
      declination: declination)
  }

  static let values = [
    value(2025, 0, 80, 0, 1.28), value(2025, 0, 0, 120, -0.16), value(2025, 0, -80, -120, 68.78),
    value(2025, 100, 80, 0, 0.85), value(2025, 100, 0, 120, -0.15), value(2025, 100, -80, -120, 68.21),
    value(2027.5, 0, 80, 0, 2.59), value(2027.5, 0, 0, 120, -0.24), value(2027.5, 0, -80, -120, 68.49),
    value(2027.5, 100, 80, 0, 2.16), value(2027.5, 100, 0, 120, -0.23), value(2027.5, 100, -80, -120, 67.93),
    value(2025, 18, 0, 21, 1.29), value(2025, 28, 89, -121, -99.77), value(2025, 65, 43, 93, 0.5),
    value(2025, 51, -33, 109, -5.49), value(2025.5, 6, -36, -137, 20.28), value(2025.5, 8, -66, 17, -33.14),
    value(2025.5, 50, -70, -133, 57.21), value(2026, 74, -57, 3, -22.51), value(2026, 62, -14, 99, -1.43),
    value(2026.5, 14, 0, 80, -3.1), value(2027, 37, -66, -5, -17.22), value(2027, 67, -47, -32, -13.52),
    value(2027.5, 73, -72, 95, -102.64),
  ]

  private func field(_ value: Value) -> MagneticField {
    MagneticModel.wmm2025.field(at: value.place, height: value.kilometers * 1000, year: value.year)
  }

  @Test("Each published declination is computed to its last digit", arguments: values)
  func declinations(value: Value) {
    let field = self.field(value)
    // Not `declination`, which is absent where a compass is unusable.
    let direction = MagneticField(north: field.north * 1e6, east: field.east * 1e6, down: 0).declination
    #expect(abs((direction ?? 999) - value.declination) < 0.0051)
  }

  @Test(
    "Each published component is computed to a thousandth of a nanotesla",
    arguments: [
      (value(2025, 65, 43, 93, 0), 24_299.852822, 210.517066, 50_037.923998),
      (value(2025, 51, -33, 109, 0), 21_737.778822, -2_090.274098, -52_710.00392),
      (value(2025.5, 6, -36, -137, 0), 23_781.930678, 8_786.698927, -32_577.518648),
      (value(2026, 62, -14, 99, 0), 33_437.82863, -835.919473, -33_100.922253),
      (value(2027.5, 73, -72, 95, 0), -2_912.418045, -12_984.118939, -55_399.217725),
    ])
  func components(value: Value, north: Double, east: Double, down: Double) {
    let field = self.field(value)
    #expect(abs(field.north - north) < 0.001)
    #expect(abs(field.east - east) < 0.001)
    #expect(abs(field.down - down) < 0.001)
  }

  @Test("Where compasses are unusable there is no declination")
  func blackout() {
    let model = MagneticModel.wmm2025
    #expect(model.field(at: Coordinate(latitude: 86, longitude: 140), year: 2025.5).declination == nil)
    #expect(model.field(at: Coordinate(latitude: 48, longitude: 11), year: 2025.5).declination != nil)
  }

  @Test("Everywhere, also at the poles, the field is that of the Earth", arguments: [-90.0, -60, 0, 48, 90])
  func everywhere(latitude: Double) {
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      let field = MagneticModel.wmm2025.field(
        at: Coordinate(latitude: latitude, longitude: longitude), height: 0, year: 2028)
      let strength = (field.horizontal * field.horizontal + field.down * field.down).squareRoot()
      #expect((20_000...70_000).contains(strength), "\(latitude), \(longitude): \(strength)")
    }
  }

  @Test("The model has the years of its validity")
  func validity() {
    #expect(MagneticModel.wmm2025.validity == 2025..<2030)
  }
}
