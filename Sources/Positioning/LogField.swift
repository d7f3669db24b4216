/// A value that a log message states, and that the journal has as a field as well; docs/logging.md lists all.
package enum LogField: String, Hashable, Sendable, CaseIterable {
  case user, durableName, unit, receiver, rung, key, limit, file

  /// The field's name in the journal.
  package var name: String {
    switch self {
    case .user: "POSITIOND_USER"
    case .durableName: "POSITIOND_DURABLE_NAME"
    case .unit: "POSITIOND_UNIT"
    case .receiver: "POSITIOND_RECEIVER"
    case .rung: "POSITIOND_RUNG"
    case .key: "POSITIOND_KEY"
    case .limit: "POSITIOND_LIMIT"
    case .file: "POSITIOND_FILE"
    }
  }

  /// What it has, as the end of a sentence.
  package var meaning: String {
    switch self {
    case .user: "the number of the user whose programs the message is about"
    case .durableName: "the durable name"
    case .unit: "the systemd unit that was to be started"
    case .receiver: "the receiver's path as gpsd knows it"
    case .rung: "the rung of `rung=` in the configuration"
    case .key: "the key of the configuration with its section, such as `linger in [receiver]`"
    case .limit: "the limit that was reached, by its key in the configuration"
    case .file: "the path of the file"
    }
  }
}
