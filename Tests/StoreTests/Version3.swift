import Broker
import Positioning
import TestSupport

@testable import Store

/// Fixtures/version3.sql, beyond version 2, and the resulting state. Corners are packed since then.
enum Version3 {
  private static let field = StoredRegion(
    region: Region(
      id: "field",
      shape: .polygon([
        Coordinate(latitude: 50.5, longitude: 8.25), Coordinate(latitude: 50.5, longitude: 8.5),
        Coordinate(latitude: -1.0 / 3, longitude: 8.5),
      ]),
      notify: []), snapshot: RegionSnapshot(), reach: 2.5,
    cap: Cap(center: Vector(x: 0.5, y: -0.25, z: 0.75), angle: 0.125))

  static let changes: [StoreChange] =
    Version2.changes + [
      .putRegion(anna, Self.field), .putWakeStart(WakeTarget(uid: 1000, unit: "tracker.service"), at(4950.25)),
    ]

  static var state: StoredState {
    var model = StoreModel()
    model.take(Self.changes)
    return model.state
  }
}
