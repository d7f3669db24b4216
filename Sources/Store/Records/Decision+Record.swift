import Broker
import JSONRPC
import Positioning

/// The user is in a column.
extension Decision: Record {
  static let record = ObjectCodec<Decision>(blank: Decision(user: nil, level: nil, at: .blank)) {
    Field.required("at", \.at, .moment)
    Field.optional("level", \.level, .word)
    Field.required("precision", \.precision, .word)
  }

  mutating func map(by clock: ClockMapping) { self.at = clock.past(self.at) }

  init(body: String, user: String, clock: ClockMapping) throws(UnreadableRecord) {
    try self.init(body: body, clock: clock)
    self.user = user
  }
}
