package import EventLoop

/// Why a unit was not started, in words that say what to do next.
package struct UnitStartError: Error, Hashable, Sendable, CustomStringConvertible {
  package let unit: String
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// There is no bus to connect to.
    case noBus(SystemError)
    /// The bus took the connection and did not greet in time. Nothing was started.
    case busSilent(after: Duration)
    /// The connection broke while systemd was asked. Whether the unit was started is not known.
    case connectionBroken
    /// systemd did not answer in time. It may start the unit yet.
    case noReply(after: Duration)
    /// The bus is there and systemd is not, or it left before it answered.
    case noSystemd
    /// polkit has no rule that lets this user start this unit, or there is no polkit.
    case accessDenied
    case noSuchUnit
    case masked
    /// The unit's file says that it is started by other units alone.
    case onlyByDependency
    /// A job is queued that the start contradicts: the unit is being stopped, or the machine.
    case conflictingJob
    /// Whatever else systemd said.
    case refused(name: String, message: String)
  }

  package init(unit: String, reason: Reason) {
    self.unit = unit
    self.reason = reason
  }

  /// What a reply's error means; nil for the reply of a start.
  init?(unit: String, reply: BusReply) {
    switch reply {
    case .returned: return nil
    case .disconnected: self.init(unit: unit, reason: .connectionBroken)
    case .failed(let name, let message):
      self.init(unit: unit, reason: Self.reasons[name] ?? .refused(name: name, message: message))
    }
  }

  private static let reasons: [String: Reason] = [
    "org.freedesktop.DBus.Error.AccessDenied": .accessDenied,
    "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired": .accessDenied,
    "org.freedesktop.DBus.Error.NameHasNoOwner": .noSystemd,
    "org.freedesktop.DBus.Error.NoReply": .noSystemd,
    "org.freedesktop.DBus.Error.ServiceUnknown": .noSystemd,
    "org.freedesktop.systemd1.NoSuchUnit": .noSuchUnit,
    "org.freedesktop.systemd1.OnlyByDependency": .onlyByDependency,
    "org.freedesktop.systemd1.TransactionIsDestructive": .conflictingJob,
    "org.freedesktop.systemd1.UnitMasked": .masked,
  ]

  package var description: String { "\(self.unit) was not started: \(self.why)" }

  private var why: String {
    switch self.reason {
    case .noBus(let error):
      "the system bus cannot be reached (\(error)); see `systemctl status dbus.socket`"
    case .busSilent(let time):
      "the system bus did not answer within \(time); see `systemctl status dbus`"
    case .connectionBroken:
      "the connection to the system bus broke during the start; `systemctl status \(self.unit)` says whether"
        + " it runs all the same"
    case .noReply(let time):
      "systemd did not answer within \(time) and may start it yet; `systemctl list-jobs` says what it waits for"
    case .noSystemd:
      "systemd is not on the system bus, or left it before it answered; see `systemctl status dbus`"
    case .accessDenied:
      "polkit does not let positiond start it; copy positiond-wake.rules from positiond's documents"
        + " (/usr/share/doc/positiond, or below /usr/local) to /etc/polkit-1/rules.d and list \(self.unit) in it;"
        + " see wake.md beside it"
    case .noSuchUnit:
      "there is no such unit; install its file and run `systemctl daemon-reload`, or correct the name"
    case .masked:
      "it is masked; `systemctl unmask \(self.unit)` allows it to start"
    case .onlyByDependency:
      "its file says RefuseManualStart=yes; take that line away, or name another unit"
    case .conflictingJob:
      "systemd is about to do something else that this would undo, such as stopping it; the next event tries again"
    case .refused(let name, let message):
      "systemd refused with \(name): \(message); `systemctl status \(self.unit)` may say more"
    }
  }
}
