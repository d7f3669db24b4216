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

  @Test("Base 64 is read as it was written, and what is damaged is not read")
  func base64() {
    for count in 0...20 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 97 &* $0 &+ 11) }
      #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
    }
    for damaged in ["AAA", "AA*A", "AAAA\u{0}AAA", "A=AA", "äAA"] {
      #expect(Base64.decoded(damaged) == nil, "\(damaged)")
    }
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
