import Broker
import Testing

@testable import Configuration

@Suite struct ReloadingTests {
  @Test("rereading an unchanged file changes nothing")
  func unchanged() {
    let reload = Settings().reloaded(with: Settings())
    #expect(reload.settings == Settings())
    #expect(reload.changes == [])
  }

  @Test("changes apply at once if possible; others keep the old value until a restart, and are reported")
  func mixed() throws {
    let running = try settings("[gpsd]\nport=1")
    let reload = running.reloaded(with: try settings("[gpsd]\nport=2\ndevice=/dev/a\n[receiver]\nlinger=2min"))
    #expect(reload.settings == (try settings("[gpsd]\nport=1\n[receiver]\nlinger=2min")))
    #expect(
      reload.changes.map(\.description) == [
        "port in [gpsd]: 1 -> 2 (after a restart)", "device in [gpsd]: unset -> /dev/a (after a restart)",
        "linger in [receiver]: 60s -> 2min",
      ])
  }

  @Test("a change that needs a restart is reported again at every reload, until it is undone")
  func pending() throws {
    let running = Settings()
    let changed = try settings("[server]\nsocket=/other")
    let first = running.reloaded(with: changed)
    #expect(first.settings.reloaded(with: changed).changes == first.changes)
    #expect(first.settings.reloaded(with: running).changes == [])
  }

  @Test("the sockets, gpsd's address, the rung, assistance and the store need a restart, and nothing else does")
  func effects() {
    #expect(
      Settings.table.filter { $0.effect == .afterRestart }.map(\.name) == [
        "socket in [server]", "socket-mode in [server]", "host in [gpsd]", "port in [gpsd]", "device in [gpsd]",
        "rung in [receiver]", "power-off-unit in [receiver]", "power-on-unit in [receiver]",
        "power-save in [receiver]", "assist in [receiver]", "assist-folder in [receiver]",
        "assist-clock-error in [receiver]", "socket in [nmea]",
        "port in [gpsd-clients]", "socket in [gpsd-clients]", "path in [store]",
      ])
    #expect(AccessRule.table.allSatisfy { $0.effect == .onReload })
  }

  @Test("added, changed, removed and reordered rules are reported key by key, and apply at once")
  func rules() throws {
    let running = try settings(
      "[rule a]\nuser=alice\n[rule b]\ngroup=users\nwake=b.service\n[rule c]\nuser=carol")
    let new = try settings(
      "[rule d]\nuser=dave\n[rule b]\ngroup=users\nwake=b.service c.service\n[rule a]\nuser=alice")
    let reload = running.reloaded(with: new)
    #expect(reload.settings == new)
    #expect(
      reload.changes.map(\.description) == [
        "wake in [rule b]: b.service -> b.service c.service", "user in [rule c]: carol -> unset",
        "user in [rule d]: unset -> dave", "the order of the rules: a, b -> b, a",
      ])
    #expect(new.reloaded(with: new).changes == [])
  }
}
