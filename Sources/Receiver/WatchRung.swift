package import Gpsd
package import Positioning
package import ReceiverPorts

/// The ladder's first rung: the receiver is on while we watch it through gpsd, and released when we stop.
///
/// Released is not off: gpsd keeps the device for a minute, for ever with its option `-n`, and as long as anybody else
/// watches. So one look without watching follows the release, after gpsd's minute; only what it saw is claimed. That
/// look is the one timer that an idle daemon holds.
package struct WatchRung: Sendable {
  package enum Action: Hashable, Sendable {
    case startSession
    case stopSession
    /// Ask gpsd which devices are open, without watching.
    case look
    case setDeadline(Instant?)
    case report(PowerState)
  }

  /// gpsd closes a device 60 s after its last watcher left (measured: 61.5 s).
  package static let lookDelay: Duration = .seconds(70)

  private enum State: Hashable {
    case off
    case on
    case released(lookAt: Instant)
    case looking
  }

  private var state = State.off
  private var power: PowerState

  package init(now: Instant) {
    self.power = PowerState(state: .unknown, since: now)
  }

  package mutating func turned(on: Bool, now: Instant) -> [Action] {
    switch (self.state, on) {
    case (.on, true), (.off, false), (.released, false), (.looking, false):
      return []
    case (.off, true), (.released, true), (.looking, true):
      self.state = .on
      return [.setDeadline(nil), .startSession] + self.report(.turningOn, now: now)
    case (.on, false):
      let lookAt = now + Self.lookDelay
      self.state = .released(lookAt: lookAt)
      return [.stopSession, .setDeadline(lookAt)] + self.report(.released, now: now)
    }
  }

  /// The path to the receiver changed, while it should be on.
  package mutating func sourceChanged(to source: SourceState, now: Instant) -> [Action] {
    guard self.state == .on else { return [] }
    switch source {
    case .idle, .opening: return self.report(.turningOn, now: now)
    case .streaming: return self.report(.on, verifiedBy: "its reports", now: now)
    case .receiverMissing, .gpsdFull, .gpsdDown: return self.report(.unknown, now: now)
    }
  }

  package mutating func deadlineReached(now: Instant) -> [Action] {
    guard case .released(let lookAt) = self.state, now >= lookAt else { return [] }
    self.state = .looking
    return [.setDeadline(nil), .look]
  }

  package mutating func looked(_ look: GpsdLook.Outcome, now: Instant) -> [Action] {
    guard self.state == .looking else { return [] }
    self.state = .off
    switch look {
    case .inactive: return self.report(.off, verifiedBy: "gpsd's list: it has closed the receiver", now: now)
    case .active:
      return self.report(
        .released,
        verifiedBy: "gpsd's list: it keeps the receiver open, for another client or because of its option -n",
        now: now)
    case .unknown: return self.report(.released, now: now)
    }
  }

  private mutating func report(_ state: PowerState.State, verifiedBy: String? = nil, now: Instant) -> [Action] {
    guard self.power.state != state || self.power.verifiedBy != verifiedBy else { return [] }
    let since = self.power.state == state ? self.power.since : now
    self.power = PowerState(state: state, verifiedBy: verifiedBy, since: since)
    return [.report(self.power)]
  }
}
