import CGPS
import Testing

@testable import Gpsd

@Suite("One line in, one flat report out")
struct ReportTests {
  private let parser = LibgpsParser()

  @Test("Each class is recognised by its prefix")
  func classes() {
    for (line, expected) in sampleLines {
      #expect(self.parser.parse(line).class == expected, "\(line)")
    }
    #expect(self.parser.parse(#"{"class":"AIS","x":1}"#).class == CGPS_IGNORED)
    #expect(self.parser.parse(#"{"class":"IMU","broken"#).class == CGPS_IGNORED)
    #expect(self.parser.parse(#"{"class":"TPVX"}"#).class == CGPS_IGNORED)
    #expect(self.parser.parse(#"{"mode":3,"class":"TPV"}"#).class == CGPS_INVALID)
    #expect(self.parser.parse("SSH-2.0-OpenSSH_9.2").class == CGPS_INVALID)
    #expect(self.parser.parse("").class == CGPS_INVALID)
  }

  @Test("A position report is copied completely")
  func position() {
    let report = self.parser.parse(sampleLines[1].line)
    #expect(self.parser.text(CGPS_TEXT_DEVICE) == "/dev/ttyACM0")
    #expect(report.mode == 3 && report.status == 2)
    #expect(report.time == 1_771_635_587.5)
    #expect(report.latitude == 37.26 && report.longitude == -121.96)
    #expect(report.altitude_hae == 12.5 && report.altitude_msl == 45)
    #expect(report.speed == 1.5 && report.track == 90 && report.eph == 2.5 && report.magnetic_variation == 13.2)
    #expect(report.epx.isNaN && report.epd.isNaN)
  }

  @Test("Members that a report lacks are not taken from the previous one")
  func nothingOld() {
    _ = self.parser.parse(sampleLines[1].line)
    let bare = self.parser.parse(#"{"class":"TPV","mode":1}"#)
    #expect(bare.class == CGPS_TPV && bare.mode == 1)
    #expect(bare.latitude.isNaN && bare.longitude.isNaN && bare.time.isNaN && bare.eph.isNaN && bare.speed.isNaN)
    #expect(self.parser.text(CGPS_TEXT_DEVICE) == nil)

    _ = self.parser.parse(sampleLines[2].line)
    let dilution = self.parser.parse(#"{"class":"SKY","vdop":1.5}"#)
    #expect(dilution.class == CGPS_SKY && !dilution.has_satellites && dilution.satellite_count == 0)
    #expect(dilution.hdop.isNaN && dilution.vdop == 1.5)

    _ = self.parser.parse(sampleLines[3].line)
    // Attitude, errors and versions share their memory in libgps 3.22.
    _ = self.parser.parse(sampleLines[0].line)
    let attitude = self.parser.parse(#"{"class":"ATT"}"#)
    #expect(attitude.class == CGPS_ATT && attitude.heading.isNaN && !attitude.is_magnetic)

    _ = self.parser.parse(sampleLines[4].line)
    #expect(self.parser.parse(#"{"class":"GST"}"#).latitude_deviation.isNaN)
  }

  @Test("A line of another class, or a broken one, has no member of the previous position")
  func setMask() {
    _ = self.parser.parse(sampleLines[1].line)
    for (line, expected) in sampleLines where expected != CGPS_TPV {
      let report = self.parser.parse(line)
      #expect(report.latitude.isNaN && report.mode == -1, "\(line)")
    }
    #expect(self.parser.parse(#"{"class":"TPV","mode":3,"lat":1,}"#).class == CGPS_INVALID)
    #expect(self.parser.parse(#"{"class":"TPV","mode":3,"lat":1,}"#).latitude.isNaN)
  }

  @Test("Satellites keep their numbers, and a DOP-only report has no list")
  func sky() {
    let report = self.parser.parse(sampleLines[2].line)
    #expect(report.has_satellites && report.satellite_count == 2)
    let galileo = self.parser.satellite(1)
    #expect(galileo.gnssid == 2 && galileo.svid == 5 && galileo.prn == 305 && !galileo.used)
    #expect(galileo.elevation == 10 && galileo.azimuth == 140 && galileo.snr == 24)
    #expect(self.parser.satellite(2).prn == -1)

    let unnamed = self.parser.parse(#"{"class":"SKY","satellites":[{"PRN":70,"used":false},{"svid":3},{"el":4}]}"#)
    #expect(unnamed.satellite_count == 2)
    #expect(self.parser.satellite(0).gnssid == -1 && self.parser.satellite(0).prn == 70)
    #expect(self.parser.satellite(0).elevation.isNaN)
    #expect(self.parser.satellite(1).gnssid == -1 && self.parser.satellite(1).prn == -1)

    let none = self.parser.parse(#"{"class":"SKY","hdop":1.0,"satellites":[]}"#)
    #expect(none.has_satellites && none.satellite_count == 0)
  }

  @Test("An attitude report has a flag for a magnetic compass")
  func attitude() {
    #expect(self.parser.parse(sampleLines[3].line).is_magnetic)
    let report = self.parser.parse(#"{"class":"ATT","device":"x","heading":359.5,"roll":3}"#)
    #expect(report.heading == 359.5 && !report.is_magnetic)
    // Raw units, as the TNT Revolution compass sends them, are passed on for the caller to check.
    #expect(self.parser.parse(#"{"class":"ATT","heading":14223.000}"#).heading == 14223)
  }

  @Test("A magnetic heading is read if libgps supports it, from 3.25 on")
  func magneticHeading() {
    let heading = self.parser.parse(#"{"class":"ATT","mheading":12.5,"heading":20.0}"#)
    #expect(heading.heading == 20)
    let knowsIt = cgps_api_major() >= 14
    #expect(knowsIt ? heading.magnetic_heading == 12.5 : heading.magnetic_heading.isNaN)
  }

  @Test(
    "A device is open with a date, and gone with the number 0",
    arguments: [
      (#""activated":"2026-01-01T00:00:00.000Z""#, Int32(1)), (#""activated":0"#, 0), (#""activated":0.0"#, 0),
      (#""activated":1609459200.5"#, 1), (#""readonly":"true""#, -1), (#""activated":null"#, 0),
    ])
  func activation(member: String, expected: Int32) {
    let report = self.parser.parse(#"{"class":"DEVICE","path":"/dev/x","# + member + "}")
    #expect(report.class == CGPS_DEVICE && report.activated == expected)
    #expect(self.parser.text(CGPS_TEXT_DEVICE) == "/dev/x")
  }

  @Test("A device's driver and cycle are read")
  func device() {
    #expect(self.parser.parse(sampleLines[5].line).cycle == 0.25)
    #expect(self.parser.text(CGPS_TEXT_DRIVER) == "u-blox")
    #expect(self.parser.text(CGPS_TEXT_SUBTYPE) == "SW 1.00")
  }

  @Test("The banner has release and protocol")
  func version() {
    let report = self.parser.parse(sampleLines[0].line)
    #expect(report.protocol_major == 3 && report.protocol_minor == 14)
    #expect(self.parser.text(CGPS_TEXT_RELEASE) == "3.22")
  }

  @Test(
    "An error's message is read although gpsd does not escape its quotes",
    arguments: [
      (#"{"class":"ERROR","message":"No such device as /dev/nope"}"#, "No such device as /dev/nope"),
      (
        #"{"class":"ERROR","message":"Invalid DEVICE: "string value too long""}"#,
        #"Invalid DEVICE: "string value too long""#
      ),
      (#"{"class":"ERROR","message":"Unrecognized request '\"x\"'"}"#, #"Unrecognized request '"x"'"#),
      (#"{"class":"ERROR","message":""}"#, nil), (#"{"class":"ERROR","message":""#, nil), (#"{"class":"ERROR"}"#, nil),
    ])
  func complaint(line: String, message: String?) {
    #expect(self.parser.parse(line).class == CGPS_ERROR)
    #expect(self.parser.text(CGPS_TEXT_MESSAGE) == message)
  }
}
