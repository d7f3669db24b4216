import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

struct SkyTests {
  @Test("The table shows each satellite, by system and number, with a bar for its signal")
  func table() {
    #expect(
      SkyTable.lines(Samples.sky, now: Samples.moment.now).written == [
        "SAT   ELEV  AZIM   SNR  USED",
        "E03    80°   10°    45  used  ######################",
        "G05    45°  120°    38  used  ###################",
        "G31      -     -     -  -",
        "R12    10°  300°    21  -     ##########",
        "2 of 4 satellites used, HDOP 0.9, VDOP 1.4, PDOP 1.7, 0.5 s ago",
      ])
  }

  @Test("An unknown sky and an empty one are distinguished")
  func emptyTable() {
    #expect(
      SkyTable.lines(nil, now: Samples.moment.now).written == [
        "No satellite data yet: the receiver reports while something uses it, such as \"positionctl watch\"."
      ])
    #expect(
      SkyTable.lines(Sky(satellites: [], arrival: .boot), now: .boot).written == ["The receiver sees no satellites."])
    #expect(SkyPlot.lines(nil) == [])
  }

  @Test("The picture has north up, the zenith in the middle, and used satellites in capitals")
  func plot() {
    let lines = SkyPlot.lines(Samples.sky)
    #expect(lines.written.joined(separator: "\n") == SkyTests.picture)
  }

  private static let picture = """
                        .. . N . ..
                  . . .             . ..
                ..                       ..
              .            .....            .
            ..        ....       ....        ..
           .       ...               ...       .
          . r12   .                     .       .
         .      ..       .........       ..      .
        .      ..      ..         ..      ..      .
        .      .      ..    E03    ..      .      .
        W      .      .      +      .      .      E
        .      .      ..           ..      .      .
        .      ..      ..         .. G05  ..      .
         .      ..       .........       ..      .
          .       .                     .       .
           .       ...               ...       .
            ..        ....       ....        ..
              .            .....            .
                ..                       ..
                  . . .             . ..
                        .. . S . ..
    """

  @Test("Of two satellites in one place the used one is drawn")
  func overlap() {
    let sky = Sky(
      satellites: [
        .init(constellation: .gps, svid: 1, elevation: 45, azimuth: 90, snr: 50, isUsed: false),
        .init(constellation: .gps, svid: 2, elevation: 45, azimuth: 91, snr: 20, isUsed: true),
      ], arrival: .boot)
    let picture = SkyPlot.lines(sky).written.joined(separator: "\n")
    #expect(picture.contains("G02"))
    #expect(!picture.lowercased().contains("g01"))
  }

  @Test(
    "Satellites at every place of the sky, and outside of it, are drawn without a trap",
    arguments: [-5.0, 0, 45, 90, 91])
  func everywhere(elevation: Double) {
    for azimuth in stride(from: 0.0, through: 360, by: 15) {
      let satellite = Sky.Satellite(
        constellation: .beidou, svid: 60, elevation: elevation, azimuth: azimuth, isUsed: true)
      let picture = SkyPlot.lines(Sky(satellites: [satellite], arrival: .boot)).written.joined(separator: "\n")
      #expect(picture.contains("C60") == (0...90).contains(elevation))
    }
  }
}
