import Notations
import Positioning
import Testing

@Suite struct UnitTests {
  @Test(
    "Lengths and speeds are written in each person's units",
    arguments: [
      (.metric, ["±3.1 m", "±2000 m", "545 m", "1.2 m/s", "512 m", "5.02 km"]),
      (.nautical, ["±3.1 m", "±1.1 nmi", "545 m", "2.3 kn", "0.28 nmi", "2.71 nmi"]),
      (.imperial, ["±10 ft", "±1.2 mi", "1788 ft", "2.7 mph", "0.32 mi", "3.12 mi"]),
    ] as [(UnitSystem, [String])])
  func units(system: UnitSystem, texts: [String]) {
    let format = PositionFormat(units: system, notation: .decimal)
    let written = [
      format.accuracy(3.1), format.accuracy(2000), format.altitude(545), format.speed(1.2), format.distance(512),
      format.distance(5020),
    ]
    #expect(written == texts)
    #expect(format.accuracy(nil) == "(accuracy unknown)")
  }

  @Test("A fix is written with the digits of its accuracy")
  func fix() {
    let format = PositionFormat(units: .nautical, notation: .dms)
    var fix = Fix(
      latitude: 48.137154, longitude: 11.576124, horizontalAccuracy: 11, arrival: Instant(sinceBoot: .seconds(1)))
    #expect(format.place(fix) == "48°08′13.75″N 11°34′34.05″E")
    fix.horizontalAccuracy = 500
    #expect(format.place(fix) == "48°08′14″N 11°34′34″E")
  }
}
