import Positioning
import Testing

@testable import Geodesy

/// Places in metres from the earth's centre.
@Suite struct CartesianTests {
  @Test("The equator, the poles and a known place have their coordinates")
  func known() {
    let equator = Geodesy.cartesian(Coordinate(latitude: 0, longitude: 90))
    #expect(abs(equator.y - 6_378_137) < 0.001 && abs(equator.x) < 0.001 && equator.z == 0)
    let pole = Geodesy.cartesian(Coordinate(latitude: -90, longitude: 17))
    #expect(abs(pole.z + 6_356_752.3142) < 0.001)
  }

  @Test("The straight line is never longer than the way along the ground, and hardly shorter for short ways")
  func straight() {
    let places = [-90.0, -60, -0.001, 0, 45, 45.001, 89.999].flatMap { latitude in
      [-180.0, -0.001, 0, 0.001, 179.999].map { Coordinate(latitude: latitude, longitude: $0) }
    }
    for start in places {
      for end in places {
        let straight = (Geodesy.cartesian(start) - Geodesy.cartesian(end)).length
        let ground = Geodesy.distance(from: start, to: end)
        #expect(straight <= ground * 1.006 + 1e-6)
        if ground < 1000 { #expect(abs(straight - ground) < 0.001) }
        if ground < 10_000_000 { #expect(straight <= ground + 0.001) }
      }
    }
  }

  @Test("An angle between two normals times the largest radius of curvature is no less than the way")
  func curvature() {
    for latitude in [-90.0, -45, 0, 30, 89] {
      for step in [0.001, 0.1, 1] {
        let start = Coordinate(latitude: latitude, longitude: 12)
        for end in [
          Coordinate(latitude: latitude + step, longitude: 12), Coordinate(latitude: latitude, longitude: 12 + step),
        ] {
          let chord = (start.normal - end.normal).length
          #expect(Geodesy.distance(from: start, to: end) <= chord * Geodesy.largestCurvatureRadius * 1.0001 + 1e-6)
        }
      }
    }
  }

  @Test("A place's normal gives the place again")
  func normals() {
    for place in [Coordinate(latitude: 50, longitude: 8), Coordinate(latitude: -0.1, longitude: -179.9)] {
      let back = Coordinate(normal: place.normal * 3)
      #expect(abs(back.latitude - place.latitude) < 1e-12 && abs(back.longitude - place.longitude) < 1e-12)
    }
    #expect(Coordinate(normal: Coordinate(latitude: 90, longitude: 50).normal).latitude == 90)
  }
}
