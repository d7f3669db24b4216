import Broker
import Positioning
import TestSupport

@testable import Store

/// Fixtures/version2.sql, beyond version 1: the changes that were given to version 2 in the same boot, and the
/// resulting state. It had visit memories of several feeds, and two that are not read any more.
enum Version2 {
  private static let shown = Fix(
    latitude: 48.132, longitude: 11.572265625, horizontalAccuracy: 2000,
    time: Timestamp(seconds: 978_307_200 + 800_000_000), arrival: at(5000.125), mode: .twoDimensional,
    status: .gnss, isReduced: true)

  private static let events = [
    DurableEvent(
      id: 1, at: at(6000),
      content: .region(
        RegionEvent(
          id: "town", kind: .exit, state: .outside, fix: Self.shown, isInferred: false, isInitial: false,
          probability: 0.25, passage: nil,
          isReduced: true))),
    DurableEvent(
      id: 2, at: at(6100),
      content: .visit(
        Visit(id: 4, latitude: 48.132, longitude: 11.572265625, horizontalAccuracy: 2000))),
  ]

  static let changes: [StoreChange] =
    Version1.changes + [
      .setFeed(anna, .everything), .setFeed(Version1.cafe, FixFeedKey(precision: .reduced, minInterval: .seconds(900))),
      .putDecision(1000, Decision(user: "user1000", level: .always, precision: .reduced, at: at(4900.5))),
      .putDecision(1001, Decision(user: "user1001", level: nil, at: at(4950))),
      .putDecision(1002, Decision(user: "user1002", level: .whenInUse, at: at(5000))), .removeDecision(1002),
      .putEnabled(false),
      .putFuzzer(LocationFuzzer.Snapshot(east: -312.5, north: 640.25, drifted: at(3600), shown: Self.shown)),
    ] + Self.events.map { .putEvent(Version1.cafe, $0) }

  static var state: StoredState {
    var model = StoreModel()
    model.take(Self.changes)
    return model.state
  }
}
