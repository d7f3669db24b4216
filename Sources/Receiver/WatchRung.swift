package import Positioning
package import ReceiverPorts

/// The receiver's power through gpsd: the receiver is on while positiond watches it, and released when positiond stops.
///
/// Released does not mean off: gpsd keeps the device open for a minute, always with its option `-n`, and while another
/// program watches. So one probe, which does not watch, follows gpsd's minute after the release; only its result is
/// reported. The probe is the only timer of an idle daemon.
package struct WatchRung: Sendable {
  package enum Action: Hashable, Sendable {
    case startSession
    case stopSession
    /// Ask gpsd which devices are open, without watching.
    case probe
    case setDeadline(Instant?)
    case report(PowerState)
  }

  /// gpsd closes a device 60 s after its last watcher left (measured: 61.5 s).
  package static let probeDelay: Duration = .seconds(70)

  private enum State: Hashable {
    case off
    case on
    case released(probeAt: Instant)
    case probing
  }

  private var state = State.off
  private var power: PowerState

  package init(now: Instant) {
    self.power = PowerState(state: .unknown, since: now)
  }

  package mutating func turned(on: Bool, now: Instant) -> [Action] {
    switch (self.state, on) {
    case (.on, true), (.off, false), (.released, false), (.probing, false):
      return []
    case (.off, true), (.released, true), (.probing, true):
      self.state = .on
      return [.setDeadline(nil), .startSession] + self.report(.turningOn, now: now)
    case (.on, false):
      let probeAt = now + Self.probeDelay
      self.state = .released(probeAt: probeAt)
      return [.stopSession, .setDeadline(probeAt)] + self.report(.released, now: now)
    }
  }

  /// The path to the receiver changed while the receiver should be on.
  package mutating func sourceChanged(to source: SourceState, now: Instant) -> [Action] {
    guard self.state == .on else { return [] }
    switch source {
    case .idle, .opening: return self.report(.turningOn, now: now)
    case .streaming: return self.report(.on, verifiedBy: "its reports", now: now)
    case .receiverMissing, .gpsdFull, .gpsdDown: return self.report(.unknown, now: now)
    }
  }

  package mutating func deadlineReached(now: Instant) -> [Action] {
    guard case .released(let probeAt) = self.state, now >= probeAt else { return [] }
    self.state = .probing
    return [.setDeadline(nil), .probe]
  }

  /// - Parameter isOpen: Whether gpsd has the receiver open; `nil` if that is unknown.
  package mutating func probed(isOpen: Bool?, now: Instant) -> [Action] {
    guard self.state == .probing else { return [] }
    self.state = .off
    switch isOpen {
    case false?: return self.report(.off, verifiedBy: "gpsd's list: it has closed the receiver", now: now)
    case true?:
      return self.report(
        .released,
        verifiedBy: "gpsd's list: it keeps the receiver open, for another client or because of its option -n",
        now: now)
    case nil: return self.report(.released, now: now)
    }
  }

  private mutating func report(_ state: PowerState.State, verifiedBy: String? = nil, now: Instant) -> [Action] {
    guard self.power.state != state || self.power.verifiedBy != verifiedBy else { return [] }
    let since = self.power.state == state ? self.power.since : now
    self.power = PowerState(state: state, verifiedBy: verifiedBy, since: since)
    return [.report(self.power)]
  }
}
