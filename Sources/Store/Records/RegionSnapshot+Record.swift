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

  /// - Parameter expiresIn: The duration of the region.
  mutating func map(by clock: ClockMapping, expiresIn: Duration?) {
    self.since = self.since.map { clock.past($0) }
    self.expiry = self.expiry.map { clock.future($0, within: expiresIn) }
  }

  /// Removes everything but the end of the region.
  mutating func forget() { self = RegionSnapshot(expiry: self.expiry) }
}
