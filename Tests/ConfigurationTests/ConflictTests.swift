import Gpsd
import Testing

@testable import Configuration

/// Keys that are right each by itself, and wrong together.
@Suite struct ConflictTests {
  private static let words =
    "is where positiond reads gpsd itself: set port= in [gpsd] to the port at which gpsd listens"

  @Test(
    "positiond does not serve gpsd's clients at the port at which it reads gpsd",
    arguments: [
      ("[gpsd-clients]\nport=2947", "test.conf:2: port=2947 in [gpsd-clients]"),
      ("[gpsd]\nport=2950\n[gpsd-clients]\nport=2950", "test.conf:4: port=2950 in [gpsd-clients]"),
      ("[gpsd]\nhost=localhost\n[gpsd-clients]\nport=2947", "test.conf:4: port=2947 in [gpsd-clients]"),
      ("[gpsd]\nhost=::1\n[gpsd-clients]\nport=2947", "test.conf:4: port=2947 in [gpsd-clients]"),
    ])
  func ownGpsd(text: String, place: String) {
    #expect(errors(in: ConfigurationFile(text)) == ["\(place) \(Self.words)"])
  }

  @Test("It is reported in the file that sets the port last, and among the other errors")
  func place() {
    let found = errors(
      in: ConfigurationFile("[gpsd-clients]\nport=2950\n[log]\nlevel=loud", path: "first"),
      ConfigurationFile("[gpsd-clients]\nport=2947", path: "second"))
    #expect(found.map { String($0.prefix { $0 != " " }) } == ["first:4:", "second:2:"])
  }

  @Test(
    "Other addresses are no conflict",
    arguments: [
      "[gpsd]\nport=2950\n[gpsd-clients]\nport=2947", "[gpsd]\nhost=192.168.1.7\n[gpsd-clients]\nport=2947",
      "[gpsd-clients]\nsocket=/run/positiond/gpsd.sock", "[gpsd-clients]\nport=",
    ])
  func others(text: String) {
    #expect(errors(in: ConfigurationFile(text)) == [])
  }

  @Test(
    "rung=unit needs both units",
    arguments: [
      "[receiver]\nrung=unit", "[receiver]\nrung=unit\npower-off-unit=off.service",
      "[receiver]\nrung=unit\npower-on-unit=on.service\npower-off-unit=",
    ])
  func units(text: String) {
    #expect(
      errors(in: ConfigurationFile(text)) == [
        "test.conf:2: rung=unit in [receiver] starts units, and not both are named: add power-off-unit=NAME.service and"
          + " power-on-unit=NAME.service"
      ])
  }

  @Test("Units that are named for later, with another rung, are no error")
  func unitsForLater() {
    #expect(errors(in: ConfigurationFile("[receiver]\nrung=watch\npower-off-unit=off.service")) == [])
    let both = "[receiver]\nrung=unit\npower-off-unit=off.service\npower-on-unit=on.service"
    #expect(errors(in: ConfigurationFile(both)) == [])
  }

  @Test("A line that is wrong by itself is reported once")
  func wrongByItself() {
    let found = errors(in: ConfigurationFile("[gpsd]\nport=none\n[gpsd-clients]\nport=2947"))
    #expect(found.map { String($0.prefix { $0 != " " }) } == ["test.conf:2:"])
  }
}
