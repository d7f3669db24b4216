import Broker
import JSONRPC
import Positioning

extension ReceiverMemory: StoredSnapshot {
  static let table = "receiver_memory"
  static let kind = "memory of the receiver"
  static let since = 6

  static func take(_ memory: Self, into state: inout StoredState) { state.receiver = memory }

  /// The starts of each class of time off, counted in steps of time.
  static let record = ObjectCodec<ReceiverMemory>(blank: ReceiverMemory()) {
    Field.defaulted("hot", \.hotStarts, .array(of: .integer))
    Field.defaulted("warm", \.warmStarts, .array(of: .integer))
    Field.defaulted("cold", \.coldStarts, .array(of: .integer))
    Field.optional("collected", \.collected, .moment)
  }

  mutating func map(by clock: ClockMapping) {
    self.collected = self.collected.map { clock.past($0) }
  }

  private var hotStarts: [Int] {
    get { self.starts.counts(after: .hot) }
    set { self.starts.restore(newValue, after: .hot) }
  }

  private var warmStarts: [Int] {
    get { self.starts.counts(after: .warm) }
    set { self.starts.restore(newValue, after: .warm) }
  }

  private var coldStarts: [Int] {
    get { self.starts.counts(after: .cold) }
    set { self.starts.restore(newValue, after: .cold) }
  }
}
