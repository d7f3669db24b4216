import CGPS
import TestSupport
import Testing

@testable import Gpsd

/// libgps itself hangs, cuts, or falsifies each of these.
@Suite("Input that libgps cannot handle does not reach it", .timeLimit(.minutes(TestDeadline.minutes)))
struct TrapTests {
  private let parser = LibgpsParser()

  private static let device = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-02-21T00:59:40.000Z"}"#

  @Test("A list of devices of any length is recognised by its prefix alone", arguments: [0, 1, 4, 5, 6, 200])
  func devices(count: Int) {
    let list = Array(repeating: Self.device, count: count).joined(separator: ",")
    #expect(self.parser.parse(#"{"class":"DEVICES","devices":["# + list + "]}").class == CGPS_DEVICES)
    #expect(self.parser.parse(#"{"class":"DEVICES","devices":["# + list).class == CGPS_DEVICES)
  }

  @Test(
    "A member of unknown form does not hide later members",
    arguments: [
      #""x":[1,2,[3]]"#, #""x":{"lat":5,"y":[]}"#, #""x":"text""#, #""x":null"#, #""lat":null"#, #""x":true"#,
      #""x":{}"#, #""x":[]"#, #""lat":"5""#, #""lat":[5]"#, #""lat":{"lat":5}"#, #""mode":"3""#, #""mode":[1]"#,
      #""status":99999999999"#, #""time":"yesterday""#, #""time":5"#, #""ä\u0041\"":1"#, #""":1"#,
      "\"x\":\"" + String(repeating: "y", count: 5000) + "\"", "\"" + String(repeating: "n", count: 500) + "\":1",
      "\"eph\":" + String(repeating: "9", count: 600),
    ])
  func unknownMembers(member: String) {
    let report = self.parser.parse(#"{"class":"TPV",\#(member),"mode":3,"lat":1.5,"lon":2.5,"eph":4}"#)
    #expect(report.class == CGPS_TPV)
    #expect(report.mode == 3 && report.latitude == 1.5 && report.longitude == 2.5 && report.eph == 4)
    #expect(report.time.isNaN)
  }

  @Test(
    "A member of unknown form does not hide later members in a list of satellites",
    arguments: [#""x":[1]"#, #""x":{"PRN":5}"#, #""qual":7"#, #""el":null"#, #""PRN":"5""#, #""svid":999"#])
  func unknownMembersOfSatellites(member: String) {
    let report = self.parser.parse(
      #"{"class":"SKY","satellites":[{\#(member),"PRN":7,"used":true},{"PRN":8}],"hdop":2}"#)
    #expect(report.class == CGPS_SKY && report.satellite_count == 2 && report.hdop == 2)
    #expect(self.parser.satellite(0).prn == 7 && self.parser.satellite(0).used)
    #expect(self.parser.satellite(1).prn == 8)
  }

  @Test("An invalid satellite is skipped", arguments: ["1", "null", #""x""#, "[]", "{}", #"[{"PRN":1}]"#])
  func oddElements(element: String) {
    let report = self.parser.parse(#"{"class":"SKY","satellites":[\#(element),{"PRN":8},\#(element)]}"#)
    #expect(report.class == CGPS_SKY && report.satellite_count == 1)
    #expect(self.parser.satellite(0).prn == 8)
  }

  @Test("More satellites than libgps has room for are left out", arguments: [139, 140, 141, 300, 2000])
  func manySatellites(count: Int) {
    let list = (1...count).map { #"{"PRN":\#($0),"el":10.5,"az":200,"ss":30,"used":true,"gnssid":0,"svid":1}"# }
    let report = self.parser.parse(#"{"class":"SKY","satellites":["# + list.joined(separator: ",") + "]}")
    #expect(report.class == CGPS_SKY)
    #expect(report.satellite_count == min(count, report.satellite_count) && report.satellite_count >= min(count, 140))
    let last = report.satellite_count - 1
    #expect(self.parser.satellite(last).prn == Int32(last + 1))
  }

  @Test("A line of 30 KB is read, and one of 64 KB")
  func longLines() {
    for length in [30_000, 65_000] {
      let noise = String(repeating: "z", count: length)
      let report = self.parser.parse(#"{"class":"TPV","noise":"\#(noise)","mode":2,"lat":5}"#)
      #expect(report.class == CGPS_TPV && report.mode == 2 && report.latitude == 5)
      let noisy = self.parser.parse(#"{"class":"TPV","device":"\#(noise)","mode":2}"#)
      #expect(noisy.class == CGPS_TPV && self.parser.text(CGPS_TEXT_DEVICE)?.utf8.count == 1023)
    }
  }

  @Test("A path of 200 characters is copied completely, in a report and in gpsd's answer")
  func longPath() {
    let path = "/dev/serial/by-id/" + String(repeating: "a", count: 182)
    for line in [
      #"{"class":"WATCH","enable":true,"json":true,"device":"\#(path)"}"#,
      #"{"class":"TPV","mode":1,"device":"\#(path)"}"#,
      #"{"class":"DEVICE","path":"\#(path)"}"#,
    ] {
      #expect(self.parser.parse(line).class != CGPS_INVALID)
      #expect(self.parser.text(CGPS_TEXT_DEVICE) == path)
    }
  }

  @Test("A text is unescaped, and cut between characters")
  func texts() {
    _ = self.parser.parse(#"{"class":"TPV","device":"\/dev\/\u00e9\ud83d\ude00\"\\\t\ud800\u0000x"}"#)
    #expect(self.parser.text(CGPS_TEXT_DEVICE) == "/dev/é😀\"\\\t\u{FFFD}\u{FFFD}x")
    let long = String(repeating: "😀", count: 400)
    _ = self.parser.parse(#"{"class":"TPV","device":"\#(long)"}"#)
    #expect(self.parser.text(CGPS_TEXT_DEVICE) == String(repeating: "😀", count: 255))
  }

  @Test(
    "A line that is not JSON is reported, and changes nothing",
    arguments: [
      #"{"class":"TPV""#, #"{"class":"TPV"}}"#, #"{"class":"TPV"} x"#, #"{"class":"TPV",}"#, #"{"class":"TPV","a":}"#,
      #"{"class":"TPV","a":01}"#, #"{"class":"TPV","a":1.}"#, #"{"class":"TPV","a":.5}"#, #"{"class":"TPV","a":+1}"#,
      #"{"class":"TPV","a":-}"#, #"{"class":"TPV","a":1e}"#, #"{"class":"TPV","a":NaN}"#, #"{"class":"TPV","a":nul}"#,
      #"{"class":"TPV","a":"\x"}"#, #"{"class":"TPV","a":"\u12g4"}"#, #"{"class":"TPV" "a":1}"#,
      #"{"class":"TPV",a:1}"#,
      #"{"class":"TPV","a":[1,]}"#, #"{"class":"TPV","a":[1}"#, #"{"class":"TPV","a":{"b"}}"#,
      "{\"class\":\"TPV\",\"a\":\"\u{1}\"}",
      "{\"class\":\"TPV\",\"a\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
      #"{"class":"SKY","satellites":[{"PRN":5]}"#,
    ])
  func broken(line: String) {
    #expect(self.parser.parse(line).class == CGPS_INVALID)
    #expect(self.parser.parse(sampleLines[1].line).latitude == 37.26)
  }

  @Test("A line that is cut anywhere before its end is no report")
  func truncated() {
    for (line, expected) in sampleLines {
      let bytes = Array(line.utf8)
      for length in 0..<bytes.count {
        #expect(self.parser.parse(Array(bytes[..<length])).class == CGPS_INVALID, "\(line) at \(length)")
      }
      #expect(self.parser.parse(bytes).class == expected)
    }
  }

  @Test("Of a repeated member the last valid one counts, and causes no skew")
  func twice() {
    let report = self.parser.parse(#"{"class":"TPV","mode":1,"mode":3,"mode":"x","lat":1,"lat":2}"#)
    #expect(report.class == CGPS_TPV && report.mode == 3 && report.latitude == 2)
    let sky = self.parser.parse(#"{"class":"SKY","satellites":[{"PRN":1}],"satellites":[{"PRN":2},{"PRN":3}]}"#)
    #expect(sky.class == CGPS_SKY && sky.satellite_count == 1)
  }

  @Test(
    "An invalid date is no time",
    arguments: [
      "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "",
      "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00.000", "2026-01-01t00:00:00Z", "x026-01-01T00:00:00Z",
      "2026-01-01T00:00:00.000+01:00",
    ])
  func dates(date: String) {
    let report = self.parser.parse(#"{"class":"TPV","mode":3,"time":"\#(date)","lat":1}"#)
    #expect(report.class == CGPS_TPV && report.time.isNaN && report.latitude == 1)
  }

  @Test("Numbers beyond a double are passed on for the caller to reject")
  func hugeNumbers() {
    let report = self.parser.parse(#"{"class":"TPV","mode":3,"lat":1e400,"lon":-1E+2,"eph":0}"#)
    #expect(!(report.latitude >= -90 && report.latitude <= 90))
    #expect(report.longitude == -100 && report.eph == 0)
  }
}
