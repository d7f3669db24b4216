import CGPS
import CTestSupport
import Testing

@testable import Gpsd

/// A library of another layout than the headers of the build reads wrong values in silence.
@Suite struct LayoutTests {
  /// The names of the libraries, and a new parser on each.
  private static let skewed: [(name: String, parser: @Sendable () -> LibgpsParser)] = [
    ("errors", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_errors)) }),
    ("dilutions", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_dilutions)) }),
    ("satellites", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_satellites)) }),
    ("attitude", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_attitude)) }),
    ("deviations", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_deviations)) }),
    ("device", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_moved_device)) }),
    ("larger", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_with_larger_satellites)) }),
    ("fewer", { unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack_of_fewer_satellites)) }),
  ]

  @Test("Whatever a library has elsewhere, no line that it reads is used, whatever its class")
  func skew() {
    for (name, parser) in Self.skewed {
      for (line, expected) in sampleLines where expected != CGPS_VERSION {
        let parser = parser()
        #expect(parser.parse(line).class == CGPS_SKEWED, "\(name): \(line)")
        // Not only the first.
        #expect(parser.parse(line).class == CGPS_SKEWED, "\(name): \(line)")
      }
      #expect(parser().parse(sampleLines[0].line).class == CGPS_VERSION)
    }
  }

  @Test("A library of the same layout is believed, whichever line is first")
  func same() {
    for (line, expected) in sampleLines {
      let parser = unsafe LibgpsParser(adopting: cgps_parser_new_with(ctest_unpack))
      #expect(parser.parse(line).class == expected, "\(line)")
    }
  }

  @Test("What the library was asked before leaves nothing in a report")
  func nothingLeft() {
    let report = LibgpsParser().parse(#"{"class":"TPV","mode":2}"#)
    #expect(report.mode == 2 && report.latitude.isNaN && report.eph.isNaN && report.time.isNaN)
    let parser = LibgpsParser()
    #expect(parser.parse(#"{"class":"SKY","satellites":[{"PRN":7}]}"#).satellite_count == 1)
    let satellite = parser.satellite(0)
    #expect(satellite.prn == 7 && satellite.gnssid == -1 && satellite.svid == -1 && !satellite.used)
    #expect(satellite.elevation.isNaN && satellite.azimuth.isNaN && satellite.snr.isNaN)
  }
}
