import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("A line becomes a message")
struct GpsdDecoderTests {
  private let decoder = GpsdDecoder()

  private func position(_ members: String) throws -> PositionReport {
    guard case .position(let report) = self.decoder.decode(#"{"class":"TPV","device":"/dev/x",\#(members)}"#, at: 7)
    else {
      throw Unexpected()
    }
    return report
  }

  private func attitude(_ members: String) throws -> AttitudeReport {
    guard case .attitude(let report) = self.decoder.decode(#"{"class":"ATT","device":"/dev/x",\#(members)}"#) else {
      throw Unexpected()
    }
    return report
  }

  private func sky(_ members: String) throws -> SkyReport {
    guard case .sky(let report) = self.decoder.decode(#"{"class":"SKY","device":"/dev/x",\#(members)}"#) else {
      throw Unexpected()
    }
    return report
  }

  private struct Unexpected: Error {}

  @Test("A position report keeps gpsd's values")
  func wholePosition() throws {
    let report = try self.position(
      #""mode":3,"status":2,"time":"2026-02-21T00:59:47.500Z","lat":-37.5,"lon":145.25,"altMSL":-3.5,"altHAE":9,"#
        + #""speed":1.5,"track":360,"eph":4.5,"epx":1,"epy":2,"epv":8,"eps":0.5,"epd":12,"magvar":-11.5"#)
    var expected = PositionReport(
      device: "/dev/x", mode: .threeDimensional, status: 2, time: Timestamp(seconds: 1_771_635_587.5),
      arrival: .at(7))
    expected.latitude = -37.5
    expected.longitude = 145.25
    expected.altitude = -3.5
    expected.ellipsoidalAltitude = 9
    expected.speed = 1.5
    expected.track = 0
    expected.eph = 4.5
    expected.epx = 1
    expected.epy = 2
    expected.epv = 8
    expected.eps = 0.5
    expected.epd = 12
    expected.declination = -11.5
    #expect(report == expected)
  }

  @Test(
    "What gpsd 3.26 says of the antenna is read by gpsd's numbers, which are not u-blox's",
    arguments: [
      (0, nil), (1, Reception.Antenna.connected), (2, .open), (3, .short), (4, nil), (-1, nil),
    ])
  func antenna(number: Int, expected: Reception.Antenna?) throws {
    #expect(try self.position(#""mode":1,"ant":\#(number),"time":"2026-01-31T12:00:00.000Z""#).antenna == expected)
  }

  @Test(
    "The indicator of jamming is read with any libgps, if it is one",
    arguments: [
      (#""jam":255"#, 255), (#""jam":1"#, 1), (#""jam":256"#, nil), (#""jam":-1"#, nil), (#""jam":"255""#, nil),
      (#""jam":1.5"#, nil), (#""ant":2"#, nil),
    ])
  func jamming(member: String, expected: Int?) throws {
    #expect(try self.position(#""mode":3,\#(member),"lat":1"#).jamming == expected)
    #expect(try self.position(#""mode":3,\#(member),"lat":1"#).latitude == 1)
  }

  @Test(
    "Values that are absent, out of range or NaN are nil",
    arguments: [
      #""x":1"#, #""lat":90.01,"lon":180.01"#, #""lat":-1e300,"lon":1e400"#, #""speed":-1,"track":-0.5,"eph":-1"#,
      #""track":360.5,"altMSL":1e9,"altHAE":-1e9,"epd":181,"magvar":200,"epv":1e12"#,
      #""time":"1970-01-01T00:00:00.000Z""#,
      #""time":"1904-07-23T00:00:00.000Z""#,
    ])
  func absent(members: String) throws {
    #expect(
      try self.position("\"mode\":2," + members)
        == PositionReport(device: "/dev/x", mode: .twoDimensional, arrival: .at(7)))
  }

  @Test("(0, 0), the poles and the date line are places")
  func edges() throws {
    for (latitude, longitude) in [(0.0, 0.0), (90, 180), (-90, -180)] {
      let report = try self.position(#""mode":3,"lat":\#(latitude),"lon":\#(longitude)"#)
      #expect(report.latitude == latitude && report.longitude == longitude)
    }
  }

  @Test(
    "An invalid mode is unknown", arguments: [("0", 0), ("1", 1), ("4", 0), ("-1", 0), ("99", 0), ("null", 0)])
  func modes(text: String, mode: Int) throws {
    #expect(try self.position(#""mode":\#(text)"#).mode.rawValue == mode)
    #expect(try self.position(#""status":1,"y":2"#).mode == .unknown)
  }

  @Test("A heading is within the circle, or absent")
  func headings() throws {
    #expect(try self.attitude(#""heading":360.0"#).heading == 0)
    #expect(try self.attitude(#""heading":0"#).heading == 0)
    #expect(try self.attitude(#""heading":359.9"#).heading == 359.9)
    #expect(try self.attitude(#""heading":14223.000,"mag_st":"N""#).heading == nil)
    #expect(try self.attitude(#""heading":-1"#).heading == nil)
    #expect(try self.attitude(#""heading":12,"mag_st":"N""#).isMagnetic)
    #expect(try !self.attitude(#""heading":12"#).isMagnetic)
  }

  @Test("Standard deviations keep their names")
  func errorEstimate() {
    let message = self.decoder.decode(
      #"{"class":"GST","device":"/dev/x","time":"2026-02-21T00:59:47.500Z","lat":1.5,"lon":2.5,"alt":-1}"#, at: 3)
    #expect(
      message
        == .errorEstimate(
          ErrorEstimateReport(
            device: "/dev/x", time: Timestamp(seconds: 1_771_635_587.5), latitude: 1.5, longitude: 2.5,
            arrival: .at(3))))
  }

  @Test("A report of dilutions alone has no satellites, which differs from an empty list")
  func dilution() throws {
    _ = try self.sky(#""satellites":[{"PRN":5,"used":true}]"#)
    let report = try self.sky(#""hdop":1.5,"vdop":99.99"#)
    #expect(report.satellites == nil && report.hdop == 1.5 && report.vdop == 99.99 && report.pdop == nil)
    #expect(try self.sky(#""hdop":1.5,"satellites":[]"#).satellites == [])
  }

  @Test("Signals of one satellite are one satellite")
  func signals() throws {
    let report = try self.sky(
      #""satellites":[{"PRN":5,"gnssid":0,"svid":5,"ss":30,"used":false,"sigid":0},"#
        + #"{"PRN":301,"gnssid":2,"svid":1,"ss":0,"el":-91,"az":360,"used":false},"#
        + #"{"PRN":5,"gnssid":0,"svid":5,"ss":41,"el":45,"az":10,"used":true,"sigid":4}]"#)
    #expect(
      report.satellites == [
        Sky.Satellite(constellation: .gps, svid: 5, elevation: 45, azimuth: 10, snr: 41, isUsed: true),
        Sky.Satellite(constellation: .galileo, svid: 1, azimuth: 0, isUsed: false),
      ])
  }

  @Test("gpsd's own text is passed on")
  func words() {
    #expect(
      self.decoder.decode(#"{"class":"VERSION","release":"3.25","rev":"x","proto_major":3,"proto_minor":15}"#)
        == .version(release: "3.25", major: 3, minor: 15))
    #expect(
      self.decoder.decode(#"{"class":"WATCH","enable":true,"json":true,"device":"/dev/x"}"#) == .watch(device: "/dev/x")
    )
    #expect(self.decoder.decode(#"{"class":"WATCH","enable":true,"json":true}"#) == .watch(device: nil))
    #expect(
      self.decoder.decode(#"{"class":"ERROR","message":"No such device as "/dev/x"."}"#)
        == .error(#"No such device as "/dev/x"."#))
    #expect(self.decoder.decode(#"{"class":"POLL","active":1}"#) == .ignored)
    #expect(self.decoder.decode(#"{"class":"TPV","mode":"#) == .invalid)
    #expect(self.decoder.decode(#"{"class":"DEVICE","activated":0}"#) == .invalid)
    #expect(
      self.decoder.decode(#"{"class":"DEVICE","path":"/dev/x","activated":0}"#)
        == .deviceGone("/dev/x"))
    #expect(
      self.decoder.decode(#"{"class":"DEVICE","path":"/dev/x","subtype":"M8"}"#)
        == .device(ReceiverDevice(path: "/dev/x", subtype: "M8", isActivated: false)))
    #expect(
      self.decoder.decode(
        #"{"class":"DEVICE","path":"/dev/x","driver":"u-blox","activated":"2026-01-01T00:00:00.0Z","cycle":0.2,"#
          + #""readonly":"true"}"#)
        == .device(ReceiverDevice(path: "/dev/x", driver: "u-blox", isActivated: true, cycle: .milliseconds(200))))
  }
}
