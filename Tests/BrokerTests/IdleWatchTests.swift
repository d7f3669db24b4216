import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// When the daemon ends because nothing needs it.
@Suite struct IdleWatchTests {
  private static func daemon(_ patience: Duration? = .seconds(300)) -> VirtualDaemon {
    var settings = BrokerSettings.open
    settings.exitWhenIdle = patience
    return VirtualDaemon(settings: settings)
  }

  @Test("Without any client for the configured time it ends, and by default never")
  func alone() {
    var daemon = Self.daemon()
    #expect(!daemon.advance(by: 10_000).isEnd, "a client is connected")
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(!daemon.advance(by: 299).isEnd)
    #expect(daemon.advance(by: 1).isEnd)

    var patient = Self.daemon(nil)
    patient.send(.clientDisconnected(ClientID(1)))
    #expect(!patient.advance(by: 1_000_000).isEnd)
    #expect(patient.deadline == nil)
  }

  @Test("A daemon that nobody has used since its start ends as well")
  func unused() {
    var settings = BrokerSettings.open
    settings.exitWhenIdle = .seconds(300)
    var daemon = VirtualDaemon(settings: settings, firstClient: nil)
    #expect(daemon.advance(by: 300).isEnd)
  }

  @Test("A client that comes in time begins the time anew, also one whose last messages are still being written")
  func renewed() {
    var daemon = Self.daemon()
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.advance(by: 299)
    daemon.connect(2)
    daemon.advance(by: 100)
    daemon.send(.clientLeft(ClientID(2)))
    #expect(!daemon.advance(by: 1000).isEnd)
    daemon.send(.clientDisconnected(ClientID(2)))
    #expect(!daemon.advance(by: 299).isEnd)
    #expect(daemon.advance(by: 1).isEnd)
  }

  @Test("If the daemon does not end, because a client is just connecting, it is asked again later")
  func again() {
    var daemon = Self.daemon()
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.advance(by: 300).isEnd)
    #expect(!daemon.advance(by: 299).isEnd)
    #expect(daemon.advance(by: 1).isEnd)
  }

  @Test(
    "A registration under a durable name keeps it, until it is removed",
    arguments: [
      Call.addRegion(.home, durable: .tracker),
      .subscribe(SubscriptionParameters(mode: .significant), durable: .tracker),
    ])
  func durable(registration: Call) {
    var daemon = Self.daemon()
    daemon.call(registration)
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(!daemon.advance(by: 10_000).isEnd)
    daemon.restart()
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(!daemon.advance(by: 10_000).isEnd, "after a restart it is honoured without any client")
    daemon.connect(1)
    daemon.call(.removeDurable(name: "tracker"))
    daemon.send(.clientDisconnected(ClientID(1)))
    #expect(daemon.advance(by: 600).isEnd)
  }

  @Test("It stays while the receiver is on or turned off by it, and not while the receiver is released")
  func receiver() {
    var daemon = Self.daemon()
    daemon.send(.clientDisconnected(ClientID(1)))
    for (state, rung, ends) in [
      (PowerState.State.on, PowerRung.watch, false), (.turningOff, .ublox, false), (.off, .ublox, false),
      (.off, .unit, false), (.off, .watch, true), (.released, .ublox, true), (.unknown, .watch, true),
    ] {
      daemon.send(.receiver(.power(PowerState(state: state, rung: rung, since: daemon.now))))
      #expect(daemon.advance(by: 1000).isEnd == ends, "\(rung) \(state)")
    }
  }

  @Test("A reload turns it on and off")
  func reload() {
    var daemon = Self.daemon(nil)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.advance(by: 1000)
    var settings = daemon.settings
    settings.exitWhenIdle = .seconds(60)
    // It has been idle for longer than that already.
    #expect(daemon.send(.settingsChanged(settings, owners: [:])).isEnd)
    settings.exitWhenIdle = nil
    daemon.send(.settingsChanged(settings, owners: [:]))
    #expect(!daemon.advance(by: 1000).isEnd)
  }
}

extension [Action] {
  var isEnd: Bool { self.contains(.end) }
}
