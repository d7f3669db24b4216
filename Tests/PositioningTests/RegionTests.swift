import Testing

@testable import Positioning

/// Which regions can be watched, and the errors for others.
@Suite struct RegionTests {
  static let square = [place(50, 8), place(50, 8.01), place(50.01, 8.01), place(50.01, 8)]

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var region: Region
    var parameter: String
    /// A part of the error.
    var says: String

    init(_ description: String, _ region: Region, _ parameter: String, _ says: String) {
      self.testDescription = description
      self.region = region
      self.parameter = parameter
      self.says = says
    }
  }

  static let refusals = [
    Refusal("an empty id", circle(id: ""), "id", "1 to 128 bytes"),
    Refusal("129 bytes, by umlauts", circle(id: String(repeating: "ä", count: 64) + "x"), "id", "1 to 128 bytes"),
    Refusal("a line feed", circle(id: "a\nb"), "id", "without control characters"),
    Refusal("a control character of the second page", circle(id: "a\u{9B}b"), "id", "without control characters"),
    Refusal("a latitude beyond the pole", circle(latitude: 90.1), "circle.latitude", "between -90 and 90"),
    Refusal("a latitude that is no number", circle(latitude: .nan), "circle.latitude", "between -90 and 90"),
    Refusal("a longitude of 181", circle(longitude: 181), "circle.longitude", "between -180 and 180"),
    Refusal("a radius of 0", circle(radius: 0), "circle.radius", "greater than 0 and at most 1000000"),
    Refusal("a negative radius", circle(radius: -5), "circle.radius", "greater than 0"),
    Refusal("a radius that is no number", circle(radius: .nan), "circle.radius", "greater than 0"),
    Refusal("a radius of more than 1000 km", circle(radius: 1_000_000.1), "circle.radius", "at most 1000000"),
    Refusal("two vertices", polygon([place(0, 0), place(0, 1)]), "polygon", "3 to 1000 different vertices, not 2"),
    Refusal("two vertices and one that closes", polygon([place(0, 0), place(0, 1), place(0, 0)]), "polygon", "not 2"),
    Refusal(
      "three times one vertex", polygon([place(0, 0), place(0, 0), place(0, 0)]), "polygon", "3 to 1000 different"),
    Refusal("1001 vertices", polygon(ring(1001)), "polygon", "3 to 1000 different vertices, not 1001"),
    Refusal("a vertex out of range", polygon([place(0, 0), place(0, 1), place(91, 0)]), "polygon[2][0]", "-90 and 90"),
    Refusal(
      "an infinite vertex", polygon([place(0, 0), place(0, .infinity), place(1, 0)]), "polygon[1][1]", "-180 and 180"),
    Refusal("a line", polygon([place(0, 0), place(0, 1), place(0, 2)]), "polygon", "its area is 0"),
    Refusal("a line there and back", polygon([place(0, 0), place(0, 2), place(0, 1)]), "polygon", "its area is 0"),
    Refusal(
      "a bow tie", polygon([place(0, 0), place(1, 1), place(1, 0), place(0, 1)]), "polygon",
      "edges from polygon[0] and from polygon[2]"),
    Refusal(
      "a bow tie with a vertex said twice", polygon([place(0, 0), place(0, 0), place(1, 1), place(1, 0), place(0, 1)]),
      "polygon", "edges from polygon[0] and from polygon[3]"),
    Refusal(
      "an edge that runs back along the one before",
      polygon([place(0, 0), place(0, 2), place(0, 1), place(1, 1)]), "polygon",
      "edges from polygon[0] and from polygon[1]"),
    Refusal(
      "two triangles that touch in a vertex",
      polygon([place(0, 0), place(1, 1), place(1, -1), place(0, 0), place(-1, -1), place(-1, 1)]), "polygon",
      "a line that does not meet itself"),
    Refusal(
      "half of the globe", polygon([place(0, 0), place(0, 90), place(0, 180), place(0, -90)]), "polygon",
      "smaller than half of the globe"),
    Refusal("a dwell without a time", circle { $0.notify = [.dwell] }, "dwellTime", "given where notify holds dwell"),
    Refusal("a dwell after no time", circle { $0.dwellTime = .zero }, "dwellTime", "greater than 0"),
    Refusal("a negative latency", circle { $0.latency = .seconds(-1) }, "latency", "between 0 and 1000000000"),
    Refusal("an end before the start", circle { $0.expiresIn = .seconds(-1) }, "expiresIn", "greater than 0"),
    Refusal("longer than anybody lives", circle { $0.latency = .seconds(1e10) }, "latency", "between 0 and 1000000000"),
    Refusal("nothing in notify", circle { $0.notify = [] }, "notify", "at least one of enter, exit"),
    Refusal("the end in notify", circle { $0.notify = [.enter, .expired] }, "notify", "expired is always reported"),
  ]

  @Test("An invalid region is refused, with the parameter's name and its valid values", arguments: refusals)
  func refused(refusal: Refusal) {
    let error = #expect(throws: InvalidRegion.self) { try refusal.region.checked() }
    #expect(error?.parameter == refusal.parameter)
    #expect(error?.expected.contains(refusal.says) ?? false, "\(error?.expected ?? "")")
  }

  static let sound = [
    circle(id: "x"), circle(id: String(repeating: "x", count: 128)), circle(id: "Zuhause 🏡"),
    circle(latitude: 90, longitude: -180), circle(radius: 0.1), circle(radius: 1_000_000),
    circle {
      $0.notify = [.enter, .exit, .dwell, .crossed]
      $0.dwellTime = .milliseconds(1)
    },
    polygon(square), polygon(square.reversed()), polygon(ring(1000)), polygon(ring(3, radius: 0.0001)),
    polygon([place(10, 0), place(10, 90), place(10, 180), place(10, -90)]),
    polygon([place(1, 179), place(1, -179), place(-1, -179), place(-1, 179)]),
    polygon([place(89, 0), place(89, 120), place(89, -120)]),
  ]

  @Test("A valid region is unchanged", arguments: sound)
  func accepted(region: Region) throws {
    #expect(try region.checked() == region)
  }

  @Test("A last vertex that closes the polygon, and repeated neighbours, are dropped")
  func repeated() throws {
    let given = [Self.square[0], Self.square[0], Self.square[1], Self.square[2], Self.square[3], Self.square[0]]
    #expect(try polygon(given).checked().shape == .polygon(Self.square))
    // One place has many longitudes at the pole, and two at the antimeridian.
    let pole = [place(90, 0), place(90, 77), place(80, 180), place(80, -180), place(80, 90)]
    #expect(try polygon(pole).checked().shape == .polygon([pole[0], pole[2], pole[4]]))
  }

  @Test("Without a latency there is none")
  func noLatency() throws {
    #expect(try circle { $0.latency = .zero }.checked() == circle())
  }

  @Test("A thousand and one vertices of which one closes are a thousand")
  func closedThousand() throws {
    let vertices = ring(1000)
    #expect(try polygon(vertices + [vertices[0]]).checked().shape == .polygon(vertices))
  }

  @Test(
    "A region no deeper than the error of a usual fix is accepted with a warning",
    arguments: [(9.5, true), (9.7, false), (100, false)])
  func warned(radius: Double, isWarned: Bool) {
    #expect((circle(radius: radius).warning != nil) == isWarned)
    // The inradius of a square is half of its side; a degree is 111.2 km.
    let half = radius / 111_195
    let square = polygon([place(-half, -half), place(-half, half), place(half, half), place(half, -half)])
    #expect((square.warning != nil) == isWarned)
  }

  @Test("The depth of a long road of 8 m is its width's")
  func road() throws {
    let road = polygon([place(0, 0), place(0, 0.1), place(0.000072, 0.1), place(0.000072, 0)])
    let warning = try #require(road.warning)
    #expect(warning.contains("at most 4.0 m") || warning.contains("at most 3.9 m"), "\(warning)")
  }
}

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

/// So many places in a ring around (50, 8); the radius is in degrees.
func ring(_ count: Int, radius: Double = 0.1) -> [Coordinate] {
  let plane = TangentPlane(at: place(50, 8).normal)
  return (0..<count).map { index in
    // The sphere's own normals have the cosine and the sine in them.
    let direction = place(0, 360 * Double(index) / Double(count)).normal
    let radius = radius * .pi / 180
    return Coordinate(normal: plane.lift(PlanePoint(x: radius * direction.x, y: radius * direction.y)))
  }
}

private func circle(
  id: String = "home", latitude: Double = 50, longitude: Double = 8, radius: Double = 50,
  _ change: (inout Region) -> Void = { _ in }
) -> Region {
  var region = Region(id: id, shape: .circle(center: place(latitude, longitude), radius: radius))
  change(&region)
  return region
}

private func polygon(_ vertices: [Coordinate]) -> Region { Region(id: "field", shape: .polygon(vertices)) }
