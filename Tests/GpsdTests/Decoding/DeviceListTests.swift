import ReceiverPorts
import TestSupport
import Testing

@testable import Gpsd

@Suite("gpsd's list of devices", .timeLimit(.minutes(TestDeadline.minutes)))
struct DeviceListTests {
  private let decoder = GpsdDecoder()

  private func devices(_ entries: String) -> GpsdMessage {
    self.decoder.decode(#"{"class":"DEVICES","devices":["# + entries + "]}")
  }

  @Test("A list of any length is read; libgps would loop on more than four", arguments: [0, 1, 4, 5, 6, 300])
  func length(count: Int) {
    let entries = (0..<count).map {
      #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)","driver":"NMEA0183","activated":"2026-11-21T07:07:33.030Z","#
        + #""flags":1,"native":0,"bps":38400,"parity":"N","stopbits":1,"cycle":1.00}"#
    }
    #expect(
      self.devices(entries.joined(separator: ","))
        == .devices(
          (0..<count).map {
            ReceiverDevice(path: "/dev/ttyUSB\($0)", driver: "NMEA0183", isActivated: true, cycle: .seconds(1))
          }))
  }

  @Test(
    "A device is open with a date, and closed without one or with the number 0",
    arguments: [
      ("", false), (#","activated":0"#, false), (#","activated":0.0"#, false), (#","activated":null"#, false),
      (#","activated":"2026-11-21T07:07:33.030Z""#, true), (#","activated":1609459200.5"#, true),
      (#","activated":[1]"#, false),
    ])
  func activation(member: String, isActivated: Bool) {
    #expect(
      self.devices(#"{"class":"DEVICE","path":"/dev/x"\#(member),"readonly":"true","bps":"fast","sernum":{"a":[]}}"#)
        == .devices([ReceiverDevice(path: "/dev/x", isActivated: isActivated)]))
  }

  @Test("A text longer than gpsd's is absent, and a device with such a path too: a part of it would be another device")
  func longTexts() {
    let long = String(repeating: "x", count: 1024)
    #expect(
      self.devices(#"{"path":"/dev/\#(long)"},{"path":"/dev/x","driver":"\#(long)","subtype":"\#(long)"}"#)
        == .devices([ReceiverDevice(path: "/dev/x", isActivated: false)]))
  }

  @Test("An entry without a path is skipped")
  func withoutPath() {
    #expect(
      self.devices(#"{"class":"DEVICE"},{"path":5},{"path":""},{"path":"/dev/x","cycle":-1,"subtype":"M8"}"#)
        == .devices([ReceiverDevice(path: "/dev/x", subtype: "M8", isActivated: false)]))
  }

  @Test(
    "A line that is no list is reported as broken",
    arguments: [
      #"{"class":"DEVICES"}"#, #"{"class":"DEVICES","devices":{}}"#, #"{"class":"DEVICES","devices":[1]}"#,
      #"{"class":"DEVICES","devices":[{"path":"/dev/x"}"#, #"{"class":"DEVICES","devices":null}"#,
      #"{"class":"DEVICES","devices":["# + String(repeating: "[", count: 30_000),
    ])
  func broken(line: String) {
    #expect(self.decoder.decode(line) == .invalid)
  }
}
