import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("One probe without watching")
struct GpsdProbeTests {
  private static func probe(_ host: String = "127.0.0.1") -> GpsdProbe {
    GpsdProbe(settings: GpsdSettings(host: host), limit: .seconds(10))
  }

  private func probe(_ list: GpsdMessage) -> [GpsdProbe.Action] {
    var probe = Self.probe()
    #expect(probe.started(now: .at(5)) == [.arm(.at(15)), .connect(address: "127.0.0.1")])
    #expect(probe.connected() == [])
    #expect(probe.received(.banner) == [.send("?DEVICES;\n")])
    #expect(probe.received(.ignored) == [])
    #expect(probe.received(.error("Invalid DEVICE")) == [])
    return probe.received(list)
  }

  @Test("A device without activation is closed, and one with it open", arguments: [true, false])
  func list(isActive: Bool) {
    let actions = self.probe(.list("/dev/ttyACM0", active: isActive))
    guard case .finish(let finding)? = actions.last, case .speaks(_, let devices?) = finding else {
      Issue.record("\(actions)")
      return
    }
    #expect(actions.first == .close)
    #expect(devices.map(\.path) == ["/dev/ttyACM0"])
    #expect(finding.isOpen(nil) == isActive)
    #expect(finding.isOpen("/dev/ttyACM0") == isActive)
    // With a configured device, only that one counts.
    #expect(finding.isOpen("/dev/gps") == false)
  }

  @Test("gpsd without a receiver has none open")
  func empty() {
    guard case .finish(let finding)? = self.probe(.list()).last else {
      Issue.record("no finding")
      return
    }
    #expect(finding.isOpen(nil) == false)
  }

  @Test("Both addresses of localhost are tried, and the last failure counts", arguments: [true, false])
  func unreachable(isRefused: Bool) {
    var probe = Self.probe("localhost")
    _ = probe.started(now: .at(0))
    #expect(probe.connectionFailed("no", isRefused: false) == [.connect(address: "::1")])
    #expect(probe.connectionFailed("no", isRefused: isRefused) == [.finish(isRefused ? .refused : .unreachable("no"))])
    #expect(probe.deadlineReached(hasHeard: false) == [])
  }

  @Test("Another program, a silent one and a full gpsd are distinguished")
  func banner() {
    func finding(_ event: (inout GpsdProbe) -> [GpsdProbe.Action]) -> GpsdFinding? {
      var probe = Self.probe()
      _ = probe.connected()
      guard case .finish(let finding)? = event(&probe).last else { return nil }
      #expect(finding.isOpen(nil) == nil)
      return finding
    }
    #expect(finding { $0.connectionEnded(.closedUnspoken) } == .full)
    #expect(finding { $0.connectionEnded(.failed("reset")) } == .full)
    #expect(finding { $0.connectionEnded(.closed) } == .otherProgram)
    #expect(finding { $0.received(.invalid) } == .otherProgram)
    let own = String(decoding: GpsdServing.banner.dropLast(2), as: UTF8.self)
    #expect(finding { $0.received(GpsdDecoder().decode(own)) } == .positiond)
    #expect(finding { $0.deadlineReached(hasHeard: false) } == .silent)
    #expect(finding { $0.deadlineReached(hasHeard: true) } == .otherProgram)
    var connecting = Self.probe()
    #expect(connecting.deadlineReached(hasHeard: false) == [.close, .finish(.unreachable("no answer"))])
  }

  @Test("A gpsd that does not list its receivers has a known version", arguments: [true, false])
  func noList(isClosed: Bool) {
    var probe = Self.probe()
    _ = probe.connected()
    _ = probe.received(.version(release: "3.22", major: 3, minor: 14))
    let finish = GpsdProbe.Action.finish(.speaks(version: "3.22", devices: nil))
    let actions = isClosed ? probe.connectionEnded(.closed) : probe.deadlineReached(hasHeard: true)
    #expect(actions == (isClosed ? [finish] : [.close, finish]))
  }
}
