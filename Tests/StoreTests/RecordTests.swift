import Broker
import JSONRPC
import PositionProtocol
import Positioning
import Testing

@testable import Store

/// The bodies of values that also have a form on the wire.
@Suite struct RecordTests {
  /// How the members of a body differ from those on the wire.
  struct Difference {
    let value: String
    let wire: [String]
    let stored: [String]
    /// Names in the body of members that have another name on the wire.
    var renamed: [String: String] = [:]
    var onlyOnWire: Set<String> = []
    var onlyStored: Set<String> = []
  }

  static let differences = [
    // The age follows from the arrival. The source of the accuracy decides, and no client sees it.
    Difference(
      value: "Fix", wire: Fix.wire.names, stored: Fix.record.names, renamed: ["reduced": "isReduced"],
      onlyOnWire: ["age"], onlyStored: ["accuracySource"]),
    Difference(value: "Visit", wire: Visit.wire.names, stored: Visit.record.names),
    Difference(
      value: "RegionEvent", wire: RegionEvent.wire.names, stored: RegionEvent.record.names,
      renamed: ["event": "kind", "id": "region", "inferred": "isInferred", "initial": "isInitial"],
      onlyStored: ["isReduced", "passage"]),
    Difference(
      value: "PositionUpdate", wire: PositionUpdate.wire.names, stored: PositionUpdate.record.names,
      renamed: ["repeat": "isRepeat", "replay": "isReplay"]),
    // The corners are packed, and what is expensive to compute is stored.
    Difference(
      value: "Region", wire: Region.wire.names, stored: StoredRegion.record.names,
      onlyStored: ["cap", "corners", "reach"]),
    Difference(
      value: "Acquisition", wire: Acquisition.wire.names, stored: Acquisition.record.names),
  ]

  @Test("A body has the members that its value has on the wire, but for the listed differences", arguments: differences)
  func members(_ difference: Difference) {
    let expected = Set(difference.wire).subtracting(difference.onlyOnWire).map { difference.renamed[$0] ?? $0 }
    #expect(Set(difference.stored) == difference.onlyStored.union(expected), "\(difference.value)")
    #expect(difference.onlyOnWire.isSubset(of: difference.wire))
  }
}

extension ObjectCodec {
  fileprivate var names: [String] { self.fields.map(\.name) }
}
