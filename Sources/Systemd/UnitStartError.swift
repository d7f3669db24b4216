package import EventLoop

/// Starts units and answers questions about them: systemd does, through `UnitStarter`, or a test.
///
/// Each completion is called once, from the loop.
package protocol Units: AnyObject {
  /// Starts the unit. For a running unit this succeeds and changes nothing.
  func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void)
  /// Starts the unit and waits for the result: of a unit of type oneshot, that it did its work.
  func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void)
  /// Asks whether the unit is at work, whoever started it: a unit of type oneshot is until it has ended.
  func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void)
  /// This process did not run for so long, until now: deadlines are put off by that time.
  func gapEnded(_ gap: Duration)
}

/// Why a unit was not started or did not do its work, with a description that says what to do next.
package struct UnitStartError: Error, Hashable, Sendable, CustomStringConvertible {
  package let unit: String
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// There is no bus to connect to.
    case noBus(SystemError)
    /// The bus accepted the connection but did not greet in time. Nothing was started.
    case busSilent(after: Duration)
    /// The connection broke during the call. It is unknown whether the unit was started.
    case connectionBroken
    /// systemd did not answer in time. It may still start the unit.
    case noReply(after: Duration)
    /// systemd is not on the bus, or left it before it answered.
    case noSystemd
    /// No polkit rule lets this user start this unit, or polkit is not installed.
    case accessDenied
    case noSuchUnit
    case masked
    /// The unit's file has `RefuseManualStart=yes`.
    case onlyByDependency
    /// The start contradicts a queued job: the unit or the machine is being stopped.
    case conflictingJob
    /// The job was queued, and did not end well; systemd's word for the result.
    case jobFailed(result: String)
    /// The job did not end in time.
    case jobEndless(after: Duration)
    /// Any other error of systemd.
    case refused(name: String, message: String)
  }

  package init(unit: String, reason: Reason) {
    self.unit = unit
    self.reason = reason
  }

  /// The error of systemd's reply.
  init(unit: String, _ error: BusError) {
    self.init(unit: unit, reason: Self.reasons[error.name] ?? .refused(name: error.name, message: error.message))
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

  /// Whether the unit ran; `nil`: nobody knows.
  private var hasRun: Bool? {
    switch self.reason {
    case .noBus, .busSilent, .noSystemd, .accessDenied, .noSuchUnit, .masked, .onlyByDependency, .conflictingJob,
      .refused:
      false
    case .connectionBroken, .noReply: nil
    case .jobEndless: true
    case .jobFailed(let result):
      switch result {
      case "failed", "timeout": true
      // A unit that it requires failed, or its own file does not let it start.
      case "dependency", "skipped", "assert", "unsupported": false
      case _: nil
      }
    }
  }

  /// Whether the unit may have done something.
  package var mayHaveRun: Bool { self.hasRun != false }

  package var description: String {
    switch self.hasRun {
    case false?: "\(self.unit) was not started: \(self.why)"
    case true?: "\(self.unit) was started, and \(self.why)"
    case nil: "\(self.unit) may not have been started: \(self.why)"
    }
  }

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
    case .jobFailed(let result):
      "its job ended with the result \(result); `systemctl status \(self.unit)` says why"
    case .jobEndless(let time):
      "its job did not end within \(time); `systemctl status \(self.unit)` says what it does"
    case .refused(let name, let message):
      "systemd refused with \(name): \(message); `systemctl status \(self.unit)` may say more"
    }
  }
}

/// Why systemd did not say whether a unit is at work.
package struct UnitQuestionError: Error, Hashable, Sendable, CustomStringConvertible {
  package let unit: String
  package let reason: String

  package var description: String { "systemd did not say whether \(self.unit) has ended: \(self.reason)" }
}
