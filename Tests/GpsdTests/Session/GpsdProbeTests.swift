import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("One look without watching")
struct GpsdLookTests {
  private func look(device: String? = nil, _ list: GpsdMessage) -> [GpsdLook.Action] {
    var look = GpsdLook(settings: GpsdSettings(host: "127.0.0.1", device: device))
    #expect(look.started(now: .at(5)) == [.arm(.at(15)), .connect(address: "127.0.0.1")])
    #expect(look.connected() == [])
    #expect(look.received(.banner) == [.send("?DEVICES;\n")])
    #expect(look.received(.ignored) == [])
    return look.received(list)
  }

  @Test("A device without activation is inactive, and one with it active")
  func outcomes() {
    #expect(self.look(.list("/dev/ttyACM0")) == [.close, .finish(.active)])
    #expect(self.look(.list("/dev/ttyACM0", active: false)) == [.close, .finish(.inactive)])
    #expect(self.look(.list()) == [.close, .finish(.inactive)])
  }

  @Test("With a device configured, only that one counts")
  func configured() {
    #expect(self.look(device: "/dev/gps", .list("/dev/ttyACM0")) == [.close, .finish(.inactive)])
    #expect(self.look(device: "/dev/ttyACM0", .list("/dev/ttyACM0")) == [.close, .finish(.active)])
  }

  @Test("What cannot be known is told in words")
  func unknown() {
    var look = GpsdLook(settings: GpsdSettings(host: "localhost"))
    _ = look.started(now: .at(0))
    #expect(look.connectionFailed("refused") == [.connect(address: "::1")])
    #expect(look.connectionFailed("refused") == [.finish(.unknown("gpsd cannot be reached (refused)"))])
    #expect(look.deadlineReached() == [])

    var mute = GpsdLook(settings: GpsdSettings(host: "127.0.0.1"))
    _ = mute.started(now: .at(0))
    _ = mute.connected()
    #expect(mute.deadlineReached() == [.close, .finish(.unknown("gpsd did not answer in 10 s"))])

    var full = GpsdLook(settings: GpsdSettings(host: "127.0.0.1"))
    _ = full.connected()
    #expect(full.connectionEnded(.closedUnspoken) == [.finish(.unknown("gpsd takes no more clients"))])

    var other = GpsdLook(settings: GpsdSettings(host: "127.0.0.1"))
    _ = other.connected()
    #expect(other.received(.invalid) == [.close, .finish(.unknown("something else than gpsd answers"))])
  }
}
