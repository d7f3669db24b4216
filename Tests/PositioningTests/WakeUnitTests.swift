import Testing

@testable import Positioning

@Suite("The name of a unit that an event may start") struct WakeUnitTests {
  @Test(
    "A service's full name is accepted",
    arguments: [
      "a.service", "weather.service", "A-1_b:c.d.service", #"dev-disk\x2d1.service"#, "track@bike.service",
      "a@b@c.service", "a@..service", ".service.service", String(repeating: "x", count: 247) + ".service",
    ])
  func valid(name: String) {
    #expect(WakeUnit.isValid(name))
  }

  @Test(
    "Any other name is refused",
    arguments: [
      "", "weather", ".service", "weather.SERVICE", "weather.timer", "weather.service ", " weather.service",
      "weather.service.timer", "/etc/systemd/system/weather.service", "a/b.service", "../a.service",
      "track@.service", "@bike.service", "@.service", "wetter\u{F6}.service", "a b.service", "a\nb.service",
      "a\0.service", "a.service\0", "a%i.service", "a$b.service", "a\u{301}.service", "--no-block.service\t",
      String(repeating: "x", count: 248) + ".service",
    ])
  func invalid(name: String) {
    #expect(!WakeUnit.isValid(name))
  }

  @Test("Any valid name is accepted, because a user's unit has no other mark")
  func noAddress() {
    #expect(!WakeUnit.isValid("--user weather.service"))
    #expect(!WakeUnit.isValid("alice@/weather.service"))
  }
}
