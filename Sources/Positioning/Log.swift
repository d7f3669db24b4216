/// The text of a log message, and the values in it that the journal also has as fields.
///
/// It is written as a string; a value becomes a field where it is interpolated with the field:
/// `"\(unit, .unit) was started"`.
package struct LogMessage: Hashable, Sendable, ExpressibleByStringInterpolation {
  package private(set) var text: String
  package private(set) var fields: [LogField: String]

  package init(stringLiteral text: String) {
    self.text = text
    self.fields = [:]
  }

  package init(stringInterpolation parts: StringInterpolation) {
    self.text = String(stringInterpolation: parts.text)
    self.fields = parts.fields
  }

  package static func + (left: LogMessage, right: LogMessage) -> LogMessage {
    var sum = left
    sum.text += right.text
    sum.fields.merge(right.fields) { first, _ in first }
    return sum
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: DefaultStringInterpolation
    fileprivate var fields: [LogField: String] = [:]

    package init(literalCapacity: Int, interpolationCount: Int) {
      self.text = DefaultStringInterpolation(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { self.text.appendLiteral(literal) }

    package mutating func appendInterpolation(_ value: some Any) { self.text.appendInterpolation(value) }

    /// A value that is also a field.
    package mutating func appendInterpolation(_ value: some Any, _ field: LogField) {
      self.appendInterpolation(value, field, value)
    }

    /// Words for a value that is a field in another form.
    package mutating func appendInterpolation(_ words: some Any, _ field: LogField, _ value: some Any) {
      self.text.appendInterpolation(words)
      self.fields[field] = "\(value)"
    }
  }
}

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

/// The severity of a log message, the most severe first, with syslog's names.
package enum LogLevel: String, Hashable, Sendable, Comparable, CaseIterable {
  case error, warning, notice, info, debug

  /// syslog's number, which systemd also uses: the more severe, the smaller.
  package var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug: 7
    }
  }

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.priority < right.priority }
}

/// What a log message is about. Its level and its number in the journal follow from it; docs/logging.md lists all.
package enum LogKind: String, Hashable, Sendable, CaseIterable {
  case serving, stopping, startFailed, configurationApplied, configurationError, ruleUnmatched, socketReplaced
  case receiverDemand, receiverReports, receiverMissing, receiverSilent, gpsdUnavailable, gpsdComplaint
  case reportsSkipped, positionsDoubted, positionsTrusted, modelExpired, positionsGiven, positionsEnded, answerUnstored,
    answerUnasked, decisionsUnread
  case ownerChanged, clientRefused, messageDropped, inUseUnwritten, unitStarted, unitNotStarted, storeFailed
  case storeRecovered, changesLost, databaseSetAside, databaseExposed, entriesUnreadable
  case rungFailed, receiverShared, receiverNotStarted, receiverStarted
  case assistanceGiven, assistanceKept, assistanceFailed
  case powerSavingChanged, powerSavingFailed

  package var level: LogLevel { self.row.level }
  /// `MESSAGE_ID` of the journal. It stays the same in all versions.
  package var messageID: String { self.row.messageID }
  /// When such a message is logged, as the end of a sentence.
  package var meaning: String { self.row.meaning }

  private typealias Row = (level: LogLevel, messageID: String, meaning: String)

  private var row: Row {
    switch self {
    case .serving: (.info, "f6fadfa7e5c14b629362da5cc13da58a", "positiond serves its socket")
    case .stopping:
      (.info, "2c63888f28f04481be6ddce7a7ace732", "it was asked to stop, or all clients have disconnected since")
    case .startFailed: (.error, "8a119b9e16bc47328f7b7676d015b0dc", "it cannot run, and why")
    case .configurationApplied:
      (
        .notice, "bc67ba94637d4efaa09e467ada679f81",
        "a reload changed a key, changed nothing, or found a key that needs a restart"
      )
    case .configurationError:
      (
        .error, "fab36728a78b4b7e8787c0de2f960063",
        "an error in the configuration, one message for each, and what follows from them"
      )
    case .ruleUnmatched:
      (
        .warning, "a712755f6cac44d599d5269512e74f7b",
        "the user or group of a rule does not exist, or could not be looked up"
      )
    case .socketReplaced:
      (
        .notice, "ac8efe121c5949f1ba2dde83458bfed0",
        "systemd passed in another socket than the configured one, or one of an unknown name"
      )
    case .receiverDemand: (.debug, "5796a670482c490e8d9782bfcdc83011", "the receiver is needed, or not any more")
    case .receiverReports: (.info, "0b80a25553a14945a93258ef7777682c", "the receiver sends data again")
    case .receiverMissing:
      (
        .warning, "45ac16b9c20d4c218f8a7abff2e91ac7",
        "gpsd has no receiver, or the receiver is unplugged or sends nothing"
      )
    case .receiverSilent:
      (.notice, "dd2ee150d2844277b89c1af40ce8fcc9", "the receiver is silent, and positiond connects to gpsd again")
    case .gpsdUnavailable:
      (
        .warning, "3c3ae353fb14428e90b401a6c1cc0aff",
        "gpsd cannot be reached, does not answer, or accepts no more clients"
      )
    case .gpsdComplaint:
      (.warning, "b9c8b9ffe46e46279419c7723226db94", "gpsd reports an error, or sends what it was not asked for")
    case .reportsSkipped:
      (.warning, "bbeeb6361d334c6d96f0da847a2a3b87", "reports arrive faster than they can be processed")
    case .positionsDoubted:
      (
        .warning, "9f2d7c4be15a4f0c8a6375d1e0b94c27",
        "the receiver's positions are suspect or cannot be trusted, and why; again if the reasons change"
      )
    case .positionsTrusted:
      (.notice, "3ae86b0f5d1c4972bb0e4f6a21d87c95", "nothing speaks against the receiver's positions any more")
    case .modelExpired: (.warning, "68e58909ccb24416925a56c9a30f4300", "the model of the magnetic field is too old")
    case .positionsGiven:
      (
        .info, "ff53a46f5ead403a84c4b877678537a3",
        "a user begins to be given positions, or how often more it was in an hour"
      )
    case .positionsEnded:
      (.info, "e179f773a6e043c09514b7dde2ad0478", "a user is not given positions any more, after an hour or more")
    case .answerUnstored:
      (.warning, "0c28cec1b94742afa4b936976b4b76b0", "a person's answer could not be stored, and counts once")
    case .answerUnasked: (.debug, "a398d022d4354df48322905089933837", "a client answered a prompt that it was not sent")
    case .decisionsUnread:
      (.error, "4c8b1eb44f1e4ccf8372a2a784a67245", "earlier decisions cannot be read, and what follows from that")
    case .ownerChanged:
      (.notice, "ac9130f4547c47d38e3a655f20731ab2", "a user number belongs to somebody else now, or to nobody")
    case .clientRefused:
      (
        .warning, "ca3ab343ac334b68be9bf77c6519a9d5",
        "a client was refused because a limit is reached, may not use its socket, or could not be accepted"
      )
    case .messageDropped: (.error, "03c472ca449548b4b8d889d2b47a5c1d", "a message to a client could not be written")
    case .inUseUnwritten: (.warning, "77dde229df884e4dac2386e5cc86ba64", "the file in-use.json cannot be written")
    case .unitStarted: (.info, "c3dd75f6808548e6ac925f09a227f039", "an event started a unit")
    case .unitNotStarted:
      (.warning, "bb262a934ce14c61aa0336d98b8c82f1", "an event could not start its unit, and what to do")
    case .storeFailed: (.error, "b183256ea16e4121b07a6fc42fd7b23a", "nothing can be stored now, or since the start")
    case .storeRecovered: (.notice, "8f39aaa5729a453cb891da33e83a9d40", "storing works again")
    case .changesLost:
      (
        .error, "e5a9f6b1a29749bfadf438f7b27c1c74",
        "the daemon ended before changes were stored; none of them was confirmed"
      )
    case .databaseSetAside:
      (.error, "f1a38d3268344c65927cb2382bedda16", "the database cannot be used and was moved to another name")
    case .databaseExposed:
      (.warning, "d00f7b11205f42f788c1d781b972e776", "the database belongs to another user, or others can read it")
    case .entriesUnreadable: (.error, "b21b1c2e1f6141bcacb70dd842762334", "stored entries cannot be read")
    case .rungFailed:
      (
        .error, "fa3b6ba3fe8b69fa5151978ca9ee0cbb",
        "the receiver cannot be turned off as configured, and is only released from now on"
      )
    case .receiverShared:
      (.warning, "227496234e6b5c17e9e33c782983ad13", "another program has started a receiver that was stopped")
    case .receiverNotStarted:
      (.warning, "740737557bf2b29ce9735fb13bd12883", "a receiver that was turned off did not start")
    case .receiverStarted:
      (
        .info, "e7fc652803dc8cbbf3c2f274aba57468",
        "`positiond --start-receiver` has started the receiver, or had nothing to start"
      )
    case .assistanceGiven:
      (.debug, "b191fdeeccfc4a26b8a401afb74a5cb9", "the receiver was given what helps it to its first fix")
    case .assistanceKept:
      (.debug, "5e17832dfcb542dba9c823ae02ced34d", "what the receiver knows was kept for its next start")
    case .assistanceFailed:
      (.warning, "296a0bc817d449fcae96c37df00b51df", "the receiver's knowledge cannot be taken, kept or given, and why")
    case .powerSavingChanged:
      (.info, "a97eb84010954436b87a31b7b3681d2c", "the receiver works in another mode while it is on")
    case .powerSavingFailed:
      (.warning, "4a70f777df684e998f56e4568233baf0", "the receiver cannot save power while it is on, and why")
    }
  }
}
