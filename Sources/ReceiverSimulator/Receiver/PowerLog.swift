package import Positioning

/// When the receiver's engine ran, and what started and stopped it: the receiver's own record, to compare with what is
/// claimed of it.
package struct PowerLog: Hashable, Sendable {
  /// What turned the engine on or off.
  package enum Cause: Hashable, Sendable {
    /// The port was opened, or the plug put in; or closed and pulled.
    case power
    /// A command of the host.
    case command(HostCommand)
    /// Any byte of the host, in standby.
    case wakeUp
  }

  package struct Entry: Hashable, Sendable {
    package let at: Instant
    package let isOn: Bool
    package let cause: Cause
  }

  /// Oldest first, on and off in turn.
  package private(set) var entries: [Entry] = []

  package init() {}

  mutating func note(isOn: Bool, because cause: Cause, at now: Instant) {
    guard isOn != (self.entries.last?.isOn ?? false) else { return }
    self.entries.append(Entry(at: now, isOn: isOn, cause: cause))
  }

  /// How often the engine was started.
  package var starts: Int { self.entries.count { $0.isOn } }

  /// How long it ran until then.
  package func poweredTime(until now: Instant) -> Duration {
    var total = Duration.zero
    var since: Instant?
    for entry in self.entries where entry.at <= now {
      if let on = since, !entry.isOn { total += entry.at - on }
      since = entry.isOn ? entry.at : nil
    }
    return total + (since.map { now - $0 } ?? .zero)
  }
}
