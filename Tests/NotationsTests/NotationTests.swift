import Notations
import Positioning
import Testing

@Suite struct NotationTests {
  private static let munich = Coordinate(latitude: 48.137154, longitude: 11.576124)

  @Test(
    "A place is written in each notation with the digits that its accuracy carries",
    arguments: [
      (.decimal, nil, "48.137154 N, 11.576124 E"), (.decimal, 0.014, "48.13715400 N, 11.57612400 E"),
      (.decimal, 11, "48.137154 N, 11.576124 E"), (.decimal, 12, "48.13715 N, 11.57612 E"),
      (.decimal, 500, "48.1372 N, 11.5761 E"),
      (.dm, nil, "48°08.2292′N 11°34.5674′E"), (.dm, 500, "48°08.23′N 11°34.57′E"),
      (.dms, nil, "48°08′13.75″N 11°34′34.05″E"), (.dms, 500, "48°08′14″N 11°34′34″E"),
      (.dms, 30_000, "48°08′N 11°35′E"), (.utm, nil, "32U 691650 5334754"), (.utm, 500, "32U 691650 5334750"),
      (.mgrs, nil, "32U PU 91650 34754"), (.mgrs, 11, "32U PU 9165 3475"), (.mgrs, 500, "32U PU 91 34"),
      (.mgrs, 60_000, "32U PU"), (.maidenhead, 500, "JN58sd92"), (.maidenhead, 5000, "JN58sd"),
      (.pluscode, nil, "8FWH4HPG+VC9"), (.pluscode, 11, "8FWH4HPG+VC"), (.pluscode, 500, "8FWH4HPG+"),
      (.pluscode, 5000, "8FWH4H00+"), (.geohash, nil, "u281z7j7p"), (.geohash, 500, "u281z7"),
    ] as [(CoordinateNotation, Double?, String)])
  func written(notation: CoordinateNotation, accuracy: Double?, text: String) {
    #expect(notation.text(Self.munich, accuracy: accuracy) == text)
  }
}
