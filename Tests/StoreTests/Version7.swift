import Broker
import Geodesy
import Positioning
import TestSupport

@testable import Store

/// Fixtures/version7.sql, beyond version 3, and the resulting state: something of all that is stored.
enum Version7 {
  private static let place = Coordinate(latitude: 0, longitude: 90)

  private static let stay = Stay(
    anchor: MeanPlace(Self.place, weight: 0.25, count: 2), centre: MeanPlace(Self.place, weight: 0.5, count: 3),
    start: at(3600), newest: at(4200), isArrivalKnown: true,
    arrival: MomentEstimate(best: at(3500), uncertainty: .seconds(90)), visit: 5)

  private static let visit = Visit(
    id: 5, latitude: 0, longitude: 90, horizontalAccuracy: 12, arrival: at(3500), arrivalUncertainty: .seconds(90),
    departure: at(4200), departureUncertainty: .milliseconds(1500))

  private static let began = RegionEvent(
    id: "home", kind: .enter, state: .inside, fix: nil, isInferred: false, isInitial: true, probability: 1,
    passage: nil,
    isReduced: false)

  private static let ended = PositionUpdate(availability: .lost, state: .ended, reason: .paused)

  private static let paused = StoredPosition(
    parameters: SubscriptionParameters(mode: .significant), updates: 1, isPaused: true, isAcquiring: true)

  static let changes: [StoreChange] =
    Version3.changes + [
      .putStoppedReceiver(
        StoppedReceiver(rung: .unit, device: "/dev/ttyACM0", unit: "gps-on.service", offUnit: "gps-off.service")),
      .putReceiver(Self.receiver), .putEnabled(false, unread: "the database was damaged"),
      .putVisitMemory(VisitDetector.Snapshot(lastVisit: 5, hasMoved: false, stay: Self.stay)),
      .putEvent(anna, DurableEvent(id: 14, at: at(4300), content: .visit(Self.visit))),
      .putEvent(anna, DurableEvent(id: 15, at: at(4400), content: .region(Self.began))),
      .putEvent(anna, DurableEvent(id: 16, at: at(4500), content: .position(Self.ended))),
      .putPosition(Version1.cafe, Self.paused),
    ]

  private static var receiver: ReceiverMemory {
    var memory = ReceiverMemory(collected: at(4800))
    for (duration, offTime) in [(1500, TimeToFirstFix.OffTime.hot), (2500, .hot), (9000, .warm), (45_000, .cold)] {
      memory.starts.learn(.milliseconds(duration), after: offTime)
    }
    return memory
  }

  static var state: StoredState {
    var model = StoreModel()
    model.take(Self.changes)
    return model.state
  }
}
