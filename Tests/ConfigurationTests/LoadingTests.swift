import Gpsd
import Positioning
import Testing

@testable import Configuration

/// From files to settings: known keys, overrides, and the report of every error.
@Suite struct LoadingTests {
  @Test("without any file the settings are the defaults")
  func defaults() throws {
    #expect(try settings() == Settings())
  }

  @Test("each key sets its own value and no other")
  func everyKeyIsWired() throws {
    let others: [String: String] = [
      "socket": "/other", "socket-mode": "0600", "exit-when-idle": "7min", "max-clients": "7",
      "max-clients-per-user": "7", "max-frame": "7KiB",
      "max-outbound": "70KiB", "max-outbound-per-user": "70KiB", "max-requests-per-client": "7",
      "max-subscriptions-per-client": "7", "max-request-time": "7s", "host": "::1", "port": "7", "device": "/dev/other",
      "linger": "7s", "assumed-accuracy": "7", "error-per-hdop": "7", "allow-simulated": "yes", "max-speed": "7",
      "loss-after": "7s",
      "integrity": "any", "level": "debug", "path": "/other.db", "max-deferred-per-user": "7",
      "max-regions-per-user": "7",
      "max-durable-names-per-user": "7", "max-inbox-events": "7", "min-off-time": "7s", "course-min-speed": "7",
      "enabled": "no", "max-requests-per-user": "7", "max-subscriptions-per-user": "7",
      "max-status-subscriptions-per-user": "7", "max-corners-per-user": "7",
      "max-requests": "7", "max-subscriptions": "7", "max-deferred": "7", "max-regions": "7", "max-corners": "7",
      "max-durable-names": "7",
      "default": "deny", "rung": "mtk", "power-off-unit": "off.service", "power-on-unit": "on.service",
      "keep": "7s", "chrony-port": "7", "power-save": "off", "assist": "off", "assist-folder": "/orbits",
      "assist-clock-error": "7s",
    ]
    for setting in Settings.table {
      let value = try #require(others[setting.key], "\(setting.name) needs a value here")
      let read = try settings("[\(setting.section)]\n\(setting.key)=\(value)")
      #expect(Settings().changes(to: read).map(\.name) == [setting.name])
      #expect(setting.text(in: read) == value)
    }
  }

  @Test("a later file overrides an earlier one, key by key")
  func overriding() throws {
    let read = try settings(
      "[gpsd]\nport=1\ndevice=/dev/a\n[log]\nlevel=debug", "[gpsd]\nport=2", "[gpsd]\nport=3\ndevice=")
    #expect(read.gpsd.port == 3)
    #expect(read.gpsd.device == nil)
    #expect(read.logLevel == .debug)
  }

  @Test("every error of every file is reported, in order, also for keys that a later file overrides")
  func allErrors() {
    let found = errors(
      in: ConfigurationFile("early=1\n[gpsd]\nport=none\n[rtcm]\npath=/x\n[gpsd]\nporty=1\nport=2\n", path: "a"),
      ConfigurationFile("[gpsd]\nport=2947", path: "b"),
      ConfigurationFile("[log]\nlevel=\n", path: "c"))
    #expect(
      found.map { String($0.prefix { $0 != " " }) } == ["a:1:", "a:3:", "a:4:", "a:7:", "a:8:", "c:2:"], "\(found)")
  }

  @Test(
    "an unknown section is refused once, whatever its contents",
    arguments: [
      ("heading", "[heading]"), ("authorization", "[authorization]"), ("rules members ", nil), ("nmea", "[nmea]"),
      ("store", "[store]"), ("Server", "[server]"), ("server x ", "[server]"), ("server.x", "[server]"), ("rtcm", nil),
    ])
  func unknownSection(name: String, meant: String?) {
    let found = errors(in: ConfigurationFile("[\(name)x]\na=1\nb=2"))
    let advice = meant.map { "did you mean \($0)? Else remove it" } ?? "remove it"
    #expect(
      found == [
        "test.conf:1: [\(name)x] is not supported by this version; \(advice), or use one of [server], [gpsd],"
          + " [receiver], [fix], [heading], [time], [authorization], [nmea], [gpsd-clients], [store], [log],"
          + " [rule NAME]"
      ])
  }

  @Test(
    "an unknown key is refused",
    arguments: [
      ("Linger", "linger"), ("linger2", "linger"), ("lin ger", "linger"), ("max-speed", nil),
      ("linger\u{301}", "linger"),
    ])
  func unknownKey(key: String, meant: String?) {
    let advice = meant.map { "did you mean \($0)? Else remove it" } ?? "remove it"
    #expect(
      errors(in: ConfigurationFile("[receiver]\n\(key)=1s"))
        == [
          "test.conf:2: \(key) in [receiver] is not supported by this version; \(advice), or use one of rung,"
            + " power-off-unit, power-on-unit, power-save, assist, assist-folder, assist-clock-error, linger, min-off-time,"
            + " assumed-accuracy, error-per-hdop, allow-simulated"
        ])
  }

  @Test("the table names each key once, and every default is within its own bounds")
  func table() throws {
    #expect(Set(Settings.table.map(\.name)).count == Settings.table.count)
    for setting in Settings.table {
      #expect(
        try settings("[\(setting.section)]\n\(setting.key)=\(setting.defaultText)") == Settings(), "\(setting.name)")
    }
  }
}
