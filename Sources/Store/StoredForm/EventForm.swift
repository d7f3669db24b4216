import Broker
import Positioning

extension SubscriptionState: Codable {}
extension PositionUpdate.Reason: Codable {}

/// An event without its number, in a body: one of the three.
struct EventForm: Codable {
  private var at: MomentForm
  private var position: UpdateForm?
  private var region: RegionEventForm?
  private var visit: VisitForm?

  init(_ event: DurableEvent) {
    self.at = MomentForm(event.at)
    switch event.content {
    case .position(let update): self.position = UpdateForm(update)
    case .region(let event): self.region = RegionEventForm(event)
    case .visit(let visit): self.visit = VisitForm(visit)
    }
  }

  func value(id: UInt64, _ placement: Placement) throws(UnreadableForm) -> DurableEvent {
    DurableEvent(id: id, at: placement.past(self.at), content: try self.content(placement))
  }

  private func content(_ placement: Placement) throws(UnreadableForm) -> DurableEvent.Content {
    if let position { return .position(try position.value(placement)) }
    if let region { return .region(try region.value(placement)) }
    if let visit { return .visit(try visit.value(placement)) }
    throw UnreadableForm("an event of no kind that is known")
  }
}

/// The client number of a durable name's events: that of no connected client.
private let nobody = ClientID(0)

private struct UpdateForm: Codable {
  private var state: SubscriptionState
  private var availability: Availability
  private var fix: FixForm?
  private var fixes: [FixForm]?
  private var dropped: Int?
  private var achievedAccuracy: AccuracyLevel?
  private var reason: PositionUpdate.Reason?
  private var isReplay: Bool?
  private var isRepeat: Bool?

  init(_ update: PositionUpdate) {
    self.state = update.state
    self.availability = update.availability
    self.fix = update.fix.map { FixForm($0) }
    self.fixes = update.fixes.isEmpty ? nil : update.fixes.map { FixForm($0) }
    self.dropped = update.dropped
    self.achievedAccuracy = update.achievedAccuracy
    self.reason = update.reason
    self.isReplay = update.isReplay
    self.isRepeat = update.isRepeat
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> PositionUpdate {
    var fixes: [Fix] = []
    for form in self.fixes ?? [] { fixes.append(try form.value(placement)) }
    return PositionUpdate(
      subscription: SubscriptionID(client: nobody, number: 0), state: self.state, availability: self.availability,
      fix: try self.fix?.value(placement), fixes: fixes,
      dropped: self.dropped ?? 0, achievedAccuracy: self.achievedAccuracy, reason: self.reason,
      isReplay: self.isReplay ?? false, isRepeat: self.isRepeat ?? false)
  }
}

private struct RegionEventForm: Codable {
  private var region: String
  private var kind: RegionEventKind
  private var state: RegionState
  private var fix: FixForm?
  private var isInferred: Bool?
  private var probability: Double?
  private var passage: SpanForm?
  /// `nil`: no.
  private var isReduced: Bool?

  init(_ event: RegionEvent) {
    self.region = event.region
    self.kind = event.kind
    self.state = event.state
    self.fix = event.fix.map { FixForm($0) }
    self.isInferred = event.isInferred
    self.probability = event.probability
    self.passage = event.passage.map { SpanForm($0) }
    self.isReduced = event.isReduced ? true : nil
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> RegionEvent {
    RegionEvent(
      region: self.region, holder: nobody, kind: self.kind, state: self.state, fix: try self.fix?.value(placement),
      isInferred: self.isInferred ?? false, probability: self.probability, passage: self.passage?.value(placement),
      isReduced: self.isReduced ?? false)
  }
}

private struct SpanForm: Codable {
  private var from: MomentForm
  private var to: MomentForm

  init(_ span: ClosedRange<Instant>) {
    self.from = MomentForm(span.lowerBound)
    self.to = MomentForm(span.upperBound)
  }

  func value(_ placement: Placement) -> ClosedRange<Instant> {
    let end = placement.past(self.to)
    return min(placement.past(self.from), end)...end
  }
}
