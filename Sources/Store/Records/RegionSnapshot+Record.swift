import Broker
import JSONRPC
import Positioning

extension RegionSnapshot: Record {
  static let record = ObjectCodec<RegionSnapshot>(blank: RegionSnapshot()) {
    Field.optional("expiry", \.expiry, .moment)
    Field.defaulted("hasDwelled", \.hasDwelled, .boolean)
    Field.optional("since", \.since, .moment)
    Field.required("state", \.state, .word)
  }

  mutating func map(by clock: ClockMapping) { self.map(by: clock, expiresIn: nil) }

  /// - Parameter expiresIn: The region's.
  mutating func map(by clock: ClockMapping, expiresIn: Duration?) {
    self.since = self.since.map { clock.past($0) }
    self.expiry = self.expiry.map { clock.future($0, within: expiresIn) }
  }

  /// Leaves nothing but when the region ends.
  mutating func forget() { self = RegionSnapshot(expiry: self.expiry) }
}
