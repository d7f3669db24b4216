import Geodesy
import Notations
import Positioning
import Testing

@Suite struct ReadingTests {
  private static let munich = Coordinate(latitude: 48.137154, longitude: 11.576124)

  @Test(
    "A place is read as people write it",
    arguments: [
      "48.137154,11.576124", "48.137154 11.576124", " 48.137154, 11.576124 ", "48.137154 N, 11.576124 E",
      "N48.137154 E11.576124", "11.576124E 48.137154N", "48°08′13.75″N 11°34′34.05″E", "48d08'13.75\"N 11d34'34.05\"E",
      "48° 08′ 13.75″ N 11° 34′ 34.05″ E", "48:08:13.75N 11:34:34.05E", "48 08 13.75 N 11 34 34.05 E",
      "N 48 08.2292 E 11 34.5674", "48°08.2292′N,11°34.5674′E", "32U 691650 5334754", "32 U 691650E 5334754N",
      "32 north 691650 5334754", "32u 691650mE 5334754mN", "32U PU 91650 34754", "32UPU9165034754",
      "32UPU 91650 34754", "8FWH4HPG+VC9", "8fwh4hpg+vc9", "geo:48.137154,11.576124,565.9;u=3.1", "u281z7j7p",
      "geohash:u281z7j7p", "mgrs: 32U PU 91650 34754", "48.137154n 11.576124e",
    ])
  func read(text: String) throws {
    let place = try #require(try PlaceReader.place(text), "\(text)")
    #expect(Geodesy.distance(from: place, to: Self.munich) < 60, "\(text) is \(place)")
  }

  @Test(
    "What names no place is none",
    arguments: [
      "", " ", ",", "48", "home", "here", "nan,nan", "inf 0", "48.1,11.5,1", "91N 11E", "48N 11N", "48.1+0.5,11",
      "1e1,2",
      "48°61′N 11°E", "32U 691650", "61U 691650 5334754", "32U 691650 1", "32I 691650 5334754", "32 UPU 1 2 3",
      "4HPG+VC",
      "8FWH4HPG", "8FWH4HPG+V", "8FWH4HPA+VC", "JN5", "ZZ58", "JN58zz", "geohash:", "geohash:ailo", "32UPU916503475",
      "north 48 east 11", "48,1 11,5 3", "geo:48", "\u{202E}48,11",
    ])
  func refused(text: String) throws { #expect(try PlaceReader.place(text) == nil, "\(text)") }

  @Test("A text of two notations is refused with what to write, and a name before it decides")
  func unclear() throws {
    for text in ["jn58sd", "32upu91653475"] {
      let error = #expect(throws: UnclearPlace.self) { try PlaceReader.place(text) }
      #expect(error?.message.contains("geohash:\(text)") == true)
      #expect(try PlaceReader.place("geohash:\(text)") != nil)
    }
    // Capital letters decide as well.
    #expect(try PlaceReader.place("JN58sd") == PlaceReader.place("maidenhead:jn58sd"))
  }

  @Test(
    "The letter of UTM is the latitude band, so S is north of the equator, and a number outside of its band is refused")
  func band() throws {
    let athens = try #require(try PlaceReader.place("34S 738000 4207000"))
    #expect(athens.latitude > 37 && athens.latitude < 39)
    let other = try #require(try PlaceReader.place("34 south 738000 4207000"))
    #expect(other.latitude < -50)
    #expect(try PlaceReader.place("34T 738000 4207000") == nil)
  }

  @Test("What is written is read as the same place, within the accuracy", arguments: CoordinateNotation.allCases)
  func roundTrip(notation: CoordinateNotation) throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<5000 {
      let place = Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
      let accuracy = [0.5, 3.1, 11, 150, 500, 5000].randomElement(using: &random)
      let text = notation.text(place, accuracy: accuracy)
      let read = try #require(PlaceReader.place(text, in: notation), "\(text)")
      // The middle of a cell is as far from its corner as its half diagonal.
      // Squares of a metre and locators of twelve letters are the smallest.
      let smallest = notation == .maidenhead ? 2.2 : notation == .mgrs ? 0.8 : 0.1
      let limit = max((accuracy ?? 1) * 1.5, smallest)
      #expect(
        Geodesy.distance(from: place, to: read) <= limit, "\(place) ±\(accuracy ?? 0) is \(text), which is \(read)")
    }
  }

  @Test("Poles and antimeridian are written and read in each notation", arguments: CoordinateNotation.allCases)
  func ends(notation: CoordinateNotation) throws {
    for place in [(90.0, 0.0), (-90, 0), (90, 180), (0, 180), (0, -180), (-0.0, -0.0), (84, 180), (-80, -180)] {
      let place = Coordinate(latitude: place.0, longitude: place.1)
      let text = notation.text(place, accuracy: 10)
      let read = try #require(PlaceReader.place(text, in: notation), "\(text)")
      #expect(Geodesy.distance(from: place, to: read) < 25, "\(place) is \(text), which is \(read)")
    }
  }

  @Test("Rounding never makes 60 minutes or seconds")
  func carry() {
    let place = Coordinate(latitude: 47.999_999_99, longitude: -11.999_999_99)
    #expect(CoordinateNotation.dms.text(place, accuracy: 50) == "48°00′00.0″N 12°00′00.0″W")
    #expect(CoordinateNotation.dm.text(place, accuracy: 50) == "48°00.000′N 12°00.000′W")
  }
}
