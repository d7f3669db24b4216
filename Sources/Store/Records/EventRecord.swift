import Broker
import JSONRPC
import Positioning

/// An event without its number, which is in a column: one of the three kinds.
struct EventRecord: Record {
  private var at: Instant
  private var position: PositionUpdate?
  private var region: RegionEvent?
  private var visit: Visit?

  static let record = ObjectCodec<EventRecord>(blank: EventRecord(at: .blank)) {
    Field.required("at", \.at, .moment)
    Field.optional("position", \.position, PositionUpdate.record.codec)
    Field.optional("region", \.region, RegionEvent.record.codec)
    Field.optional("visit", \.visit, Visit.record.codec)
  }

  mutating func map(by clock: ClockMapping) {
    self.at = clock.past(self.at)
    self.position?.map(by: clock)
    self.region?.map(by: clock)
    self.visit?.map(by: clock)
  }

  private init(at: Instant) { self.at = at }

  init(_ event: DurableEvent) {
    self.init(at: event.at)
    switch event.content {
    case .position(let update): self.position = update
    case .region(let event): self.region = event
    case .visit(let visit): self.visit = visit
    }
  }

  func event(id: UInt64) throws(UnreadableRecord) -> DurableEvent {
    DurableEvent(id: id, at: self.at, content: try self.content)
  }

  private var content: DurableContent {
    get throws(UnreadableRecord) {
      if let position { return .position(position) }
      if let region { return .region(region) }
      if let visit { return .visit(visit) }
      throw UnreadableRecord("an event of no kind that is known")
    }
  }
}

extension PositionUpdate: Record {
  static let record = ObjectCodec<PositionUpdate>(
    blank: PositionUpdate(availability: .available)
  ) {
    Field.optional("achievedAccuracy", \.achievedAccuracy, .word)
    Field.required("availability", \.availability, .word)
    Field.defaulted("dropped", \.dropped, .integer)
    Field.optional("fix", \.fix, Fix.record.codec)
    Field.optional("fixes", \.batch, .array(of: Fix.record.codec))
    Field.defaulted("isRepeat", \.isRepeat, .boolean)
    Field.defaulted("isReplay", \.isReplay, .boolean)
    Field.optional("reason", \.reason, .openWord { DeliveryReason(rawValue: $0) })
    Field.required("state", \.state, .word)
  }

  mutating func map(by clock: ClockMapping) {
    self.fix?.map(by: clock)
    for place in self.fixes.indices { self.fixes[place].map(by: clock) }
  }

  /// `nil` if it is no batch.
  fileprivate var batch: [Fix]? {
    get { self.fixes.isEmpty ? nil : self.fixes }
    set { self.fixes = newValue ?? [] }
  }
}

extension RegionEvent: Record {
  static let record = ObjectCodec<RegionEvent>(
    blank: RegionEvent(id: "", kind: .unknown, state: .unknown)
  ) {
    Field.optional("fix", \.fix, Fix.record.codec)
    Field.defaulted("isInferred", \.isInferred, .boolean)
    Field.flag("isInitial", \.isInitial)
    Field.flag("isReduced", \.isReduced)
    Field.required("kind", \.kind, .word)
    Field.optional("passage", \.passage, .span)
    Field.optional("probability", \.probability, .number)
    Field.required("region", \.id, .string)
    Field.required("state", \.state, .word)
  }

  mutating func map(by clock: ClockMapping) {
    self.fix?.map(by: clock)
    self.passage = self.passage.map { clock.past($0.lowerBound)...clock.past($0.upperBound) }
  }
}
