import Broker
import Testing

@testable import Configuration

/// The notation of values, and how they are read.
@Suite struct ValueTests {
  /// The value in the form that the table writes; equal text is equal meaning.
  private func read(_ section: String, _ key: String, _ value: String) throws -> String {
    let setting = try #require(Settings.table.first { $0.section == section && $0.key == key })
    return setting.text(in: try settings("[\(section)]\n\(key)=\(value)"))
  }

  @Test(
    "durations have a unit or are seconds",
    arguments: [
      ("0", "0s"), ("0ms", "0s"), ("500ms", "500ms"), ("1500ms", "1500ms"), ("2000ms", "2s"), ("30", "30s"),
      ("30s", "30s"), ("60", "60s"), ("1min", "60s"), ("5min", "5min"), ("90s", "90s"), ("120", "2min"), ("2h", "2h"),
      ("0024h", "24h"),
    ])
  func duration(value: String, text: String) throws {
    #expect(try read("receiver", "linger", value) == text)
  }

  @Test("a duration is exact to the millisecond")
  func exactDuration() throws {
    #expect(try settings("[receiver]\nlinger=1ms").broker.power.linger == .milliseconds(1))
    #expect(try settings("[receiver]\nlinger=86399999ms").broker.power.linger == .milliseconds(86_399_999))
  }

  @Test(
    "sizes have a binary unit or are bytes",
    arguments: [("4096", "4KiB"), ("64KiB", "64KiB"), ("65537", "65537"), ("1024KiB", "1MiB"), ("16MiB", "16MiB")])
  func size(value: String, text: String) throws {
    #expect(try read("server", "max-frame", value) == text)
  }

  @Test(
    "booleans have eight spellings",
    arguments: [
      ("yes", "yes"), ("true", "yes"), ("on", "yes"), ("1", "yes"), ("no", "no"), ("false", "no"), ("off", "no"),
      ("0", "no"),
    ])
  func boolean(value: String, text: String) throws {
    #expect(try read("receiver", "allow-simulated", value) == text)
  }

  @Test(
    "other values are read correctly",
    arguments: [
      ("server", "socket", "/s", "/s"), ("server", "socket-mode", "660", "0660"),
      ("server", "socket-mode", "0", "0000"), ("server", "socket-mode", "0777", "0777"),
      ("server", "max-clients", "1", "1"), ("server", "max-clients", "65536", "65536"),
      ("gpsd", "host", "localhost", "localhost"), ("gpsd", "host", "192.0.2.1", "192.0.2.1"),
      ("gpsd", "host", "::1", "::1"), ("gpsd", "port", "65535", "65535"),
      ("gpsd", "device", "", ""), ("gpsd", "device", "/dev/gps 0", "/dev/gps 0"),
      ("gpsd", "device", "tcp://192.0.2.1:2948", "tcp://192.0.2.1:2948"), ("receiver", "rung", "watch", "watch"),
      ("receiver", "rung", "ublox", "ublox"), ("receiver", "rung", "mtk", "mtk"),
      ("receiver", "power-off-unit", "positiond-usb-off@1-1.4.service", "positiond-usb-off@1-1.4.service"),
      ("receiver", "power-on-unit", "", ""),
      ("receiver", "assumed-accuracy", "", ""), ("receiver", "assumed-accuracy", "12.5", "12.5"),
      ("fix", "max-speed", "10000", "10000"), ("fix", "max-speed", "007.50", "7.5"), ("log", "level", "debug", "debug"),
      ("store", "path", "/srv/a b.db", "/srv/a b.db"),
    ])
  func other(section: String, key: String, value: String, text: String) throws {
    #expect(try read(section, key, value) == text)
  }

  @Test(
    "a value that cannot be read is refused",
    arguments: [
      ("receiver", "linger", "soon"), ("receiver", "linger", ""), ("receiver", "linger", "-1"),
      ("receiver", "linger", "+1"), ("receiver", "linger", "1.5s"), ("receiver", "linger", "1 s"),
      ("receiver", "linger", "s"), ("receiver", "linger", "1S"), ("receiver", "linger", "1m"),
      ("receiver", "linger", "1h30min"), ("receiver", "linger", "\u{0661}s"), ("server", "max-frame", "64KB"),
      ("server", "max-frame", "64k"), ("server", "max-frame", "64kib"), ("server", "max-clients", "1KiB"),
      ("server", "max-clients", "0x10"), ("server", "max-clients", "10s"), ("server", "socket", ""),
      ("server", "socket", "run/s"), ("server", "socket", "\"/run/s\""), ("server", "socket-mode", "0668"),
      ("server", "socket-mode", "rw"), ("server", "socket-mode", "-666"), ("server", "socket-mode", ""),
      ("gpsd", "host", ""), ("gpsd", "host", "gps.example.org"), ("gpsd", "host", "127.1"),
      ("gpsd", "host", "1.2.3.256"),
      ("gpsd", "host", "fe80::1%eth0"), ("gpsd", "host", "[::1]"), ("gpsd", "device", "ttyACM0"),
      ("receiver", "rung", "Watch"), ("receiver", "power-off-unit", "gps-off"),
      ("receiver", "power-on-unit", "/x.service"), ("receiver", "rung", ""), ("receiver", "assist", "yes"),
      ("receiver", "assist-folder", "orbits"), ("receiver", "assumed-accuracy", "nan"),
      ("receiver", "assumed-accuracy", "inf"), ("receiver", "assumed-accuracy", "-5"),
      ("receiver", "assumed-accuracy", "1e2"), ("receiver", "assumed-accuracy", "0x10"),
      ("receiver", "assumed-accuracy", "1.2.3"), ("receiver", "assumed-accuracy", "."),
      ("receiver", "allow-simulated", "YES"), ("receiver", "allow-simulated", ""), ("log", "level", "loud"),
      ("store", "path", ""), ("store", "path", "positiond.db"), ("store", "path", "/var/lib/positiond/"),
    ])
  func malformed(section: String, key: String, value: String) {
    expectRefused(section, key, value, because: "cannot be read")
  }

  @Test(
    "a value outside its bounds is refused, however far outside",
    arguments: [
      ("receiver", "assist-clock-error", "11s"), ("receiver", "assist-clock-error", "0"),
      ("receiver", "linger", "86400001ms"), ("receiver", "linger", "25h"),
      ("receiver", "linger", "9223372036854775807h"), ("receiver", "linger", "99999999999999999999999999"),
      ("server", "max-request-time", "999ms"), ("server", "max-request-time", "0"), ("server", "max-frame", "4095"),
      ("server", "max-frame", "16385KiB"), ("server", "max-frame", "9223372036854775807GiB"),
      ("server", "max-clients", "0"), ("server", "max-clients", "65537"), ("server", "socket-mode", "1777"),
      ("server", "socket-mode", "77777"), ("server", "socket", "/" + String(repeating: "s", count: 107)),
      ("gpsd", "port", "0"), ("gpsd", "port", "65536"), ("receiver", "assumed-accuracy", "0"),
      ("receiver", "assumed-accuracy", "10000.1"), ("fix", "max-speed", "0.9"), ("fix", "loss-after", "601"),
    ])
  func outOfRange(section: String, key: String, value: String) {
    expectRefused(section, key, value, because: "is out of range")
  }

  private func expectRefused(_ section: String, _ key: String, _ value: String, because reason: String) {
    let found = errors(in: ConfigurationFile("[\(section)]\n\(key)=\(value)"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("test.conf:2: \(key)=") == true)
    #expect(found.first?.contains(" in [\(section)] \(reason): expected ") == true, "\(found)")
  }

  @Test("a socket's path may have 107 bytes")
  func longestSocket() throws {
    let path = "/" + String(repeating: "s", count: 106)
    #expect(try settings("[server]\nsocket=\(path)").socket.path == path)
  }

  @Test(
    "a refusal has the value, the expected form and the remedy",
    arguments: [
      (
        "[receiver]\nlinger=soon",
        "test.conf:2: linger=soon in [receiver] cannot be read: expected a duration from 0s to 24h, such as 500ms, 30s,"
          + " 5min, 2h or plain seconds; the default is linger=60s"
      ),
      (
        "[server]\nmax-frame=1GiB",
        "test.conf:2: max-frame=1GiB in [server] is out of range: expected a size from 4KiB to 16MiB, such as 64KiB,"
          + " 8MiB or plain bytes; the default is max-frame=64KiB"
      ),
      (
        "[log]\nlevel=debug # for a while",
        "test.conf:2: level=debug # for a while in [log] cannot be read: expected error | warning | notice | info |"
          + " debug; the default is level=info; a comment needs a line of its own"
      ),
      (
        "[receiver]\nassumed-accuracy=-1",
        "test.conf:2: assumed-accuracy=-1 in [receiver] cannot be read: expected nothing, or a number of metres from"
          + " 0.1 to 10000; the default is assumed-accuracy="
      ),
    ])
  func wording(text: String, message: String) {
    #expect(errors(in: ConfigurationFile(text)) == [message])
  }
}
