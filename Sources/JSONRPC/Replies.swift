/// The reply to one request, or to the requests of one batch: one text, of which replies can be withheld until it is
/// written.
///
/// The driver gives each reply's sensitivity, as a number with a meaning of its own; 0 is never withheld.
package struct Replies: Sendable {
  private struct Member: Sendable {
    /// `nil` if the request's could not be read.
    let id: RequestID?
    let text: [UInt8]
    let sensitivity: Int
  }

  private var members: [Member] = []
  private let isBatch: Bool
  /// The bytes of all replies.
  private(set) var bytes = 0

  init(isBatch: Bool) { self.isBatch = isBatch }

  var isEmpty: Bool { self.members.isEmpty }

  /// The highest of all replies.
  package var sensitivity: Int { self.members.lazy.map(\.sensitivity).max() ?? 0 }

  mutating func add(_ text: [UInt8], to id: RequestID?, sensitivity: Int = 0) {
    self.members.append(Member(id: id, text: text, sensitivity: sensitivity))
    self.bytes += text.count
  }

  /// Replaces each reply that is more sensitive than the limit by the error.
  package mutating func withhold(above limit: Int, _ error: RPCError) {
    for place in self.members.indices where self.members[place].sensitivity > limit {
      let id = self.members[place].id
      self.bytes -= self.members[place].text.count
      self.members[place] = Member(id: id, text: OutgoingMessage.error(id: id, error), sensitivity: 0)
      self.bytes += self.members[place].text.count
    }
  }

  /// The text on the wire.
  package func encoded(_ framing: Framing) -> [UInt8] {
    framing.frame(self.isBatch ? OutgoingMessage.batch(self.members.map(\.text)) : self.members.first?.text ?? [])
  }
}
