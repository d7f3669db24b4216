import Broker
import JSONRPC
import Positioning

extension StoredPosition: StoredValue, Record {
  static let table = "positions"
  static let kind = "position registration"

  static let steps = [
    1: """
    CREATE TABLE positions (
      name INTEGER PRIMARY KEY REFERENCES names ON DELETE CASCADE,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT name, body, clock FROM positions") { row in
      guard let name = row.integer(0), let position: Self = reader.value(row, of: reader.owner(name)) else { return }
      reader.names[name]?.position = position
    }
  }

  static let record = ObjectCodec<StoredPosition>(blank: StoredPosition(parameters: SubscriptionParameters())) {
    Field.optional("expiry", \.expiry, .moment)
    Field.flag("isAcquiring", \.isAcquiring)
    Field.flag("isPaused", \.isPaused)
    Field.optional("lastDelivered", \.lastDelivered, Fix.record.codec)
    Field.required("parameters", \.parameters, SubscriptionParameters.record.codec)
    Field.required("updates", \.updates, .integer)
  } check: { (position: inout StoredPosition, _: JSONView) throws(CodingFailure) in
    try checkCounter(position.updates)
  }

  mutating func map(by clock: ClockMapping) {
    self.lastDelivered?.map(by: clock)
    self.expiry = self.expiry.map { clock.future($0, within: self.parameters.duration) }
  }
}

extension StoreWriter {
  func putPosition(_ position: StoredPosition, of id: DurableID) throws(StoreError) {
    try self.database.run(
      "INSERT OR REPLACE INTO positions (name, body, clock) VALUES (?, ?, ?)", self.index.key(id), position.body,
      self.clock)
  }

  func removePosition(of id: DurableID) throws(StoreError) {
    try self.database.run("DELETE FROM positions WHERE name = ?", self.index.key(id))
  }
}

/// Every parameter, in the order of the names. Absent members take the defaults.
extension SubscriptionParameters: Record {
  static let record = ObjectCodec<SubscriptionParameters>(blank: SubscriptionParameters()) {
    SubscriptionParameter.asked.flatMap(\.members).sorted { $0.name < $1.name }
  }
}

extension SubscriptionParameter {
  /// Its stored form: one member with its name, except for the accuracy.
  fileprivate var members: [Field<SubscriptionParameters>] {
    switch self.property {
    case .accuracy(let path): AccuracyDemand.record.fields(within: path)
    case .acquisition(let path): [.optional(self.name, path, Acquisition.record.codec)]
    case .activity(let path): [.defaulted(self.name, path, .word)]
    case .duration(let path): [.defaulted(self.name, path, .duration)]
    case .flag(let path): [.defaulted(self.name, path, .boolean)]
    // Earlier versions did not know it, and what they wrote stays as it is.
    case .integrity(let path):
      [.absent(where: { $0 == SubscriptionParameters().integrity }, self.name, path, .word, example: .null, "")]
    case .mode(let path): [.required(self.name, path, .word)]
    case .number(let path): [.defaulted(self.name, path, .number)]
    case .optionalCount(let path): [.optional(self.name, path, .integer)]
    case .optionalDuration(let path): [.optional(self.name, path, .duration)]
    case .optionalNumber(let path): [.optional(self.name, path, .number)]
    case .replay(let path): [.defaulted(self.name, path, .word)]
    }
  }
}

extension AccuracyDemand: Record {
  static let record = ObjectCodec<AccuracyDemand>(blank: SubscriptionParameters().accuracy) {
    Field.optional("level", \.level, .word)
    Field.optional("meters", \.meters, .number)
  }

  fileprivate var level: AccuracyLevel? {
    get { if case .level(let level) = self { level } else { nil } }
    set { if let newValue { self = .level(newValue) } }
  }

  fileprivate var meters: Double? {
    get { if case .meters(let meters) = self { meters } else { nil } }
    set { if let newValue { self = .meters(newValue) } }
  }
}

/// The database has times and numbers exactly as they were asked for, and the wire has them in seconds with a range; so the
/// three members have a row in each table.
extension Acquisition: Record {
  static let record = ObjectCodec<Acquisition>(
    blank: Acquisition(acceptableAccuracy: nil)
  ) {
    Field.optional("acceptableAccuracy", \.acceptableAccuracy, .number)
    Field.required("budget", \.budget, .duration)
    Field.required("desiredAccuracy", \.desiredAccuracy, .number)
  }
}
