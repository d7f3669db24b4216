/// The reply to one request, until it is written.
private struct Reply: Sendable {
  /// The request's; `nil` where it could not be read.
  let id: RequestID?
  var text: [UInt8]
  var sensitivity: Int
}

/// What answers one request, or the requests of one batch: one text, from which replies can be withheld until it is
/// written.
///
/// How sensitive a reply is the driver says, in numbers of its own; 0 is nothing that would ever be withheld.
package struct Replies: Sendable {
  private var members: [Reply] = []
  private let isBatch: Bool
  /// The bytes of its members.
  private(set) var bytes = 0

  init(isBatch: Bool) { self.isBatch = isBatch }

  var isEmpty: Bool { self.members.isEmpty }

  /// Of the most sensitive reply.
  package var sensitivity: Int { self.members.lazy.map(\.sensitivity).max() ?? 0 }

  mutating func add(_ text: [UInt8], to id: RequestID?, sensitivity: Int = 0) {
    self.members.append(Reply(id: id, text: text, sensitivity: sensitivity))
    self.bytes += text.count
  }

  /// Puts the error into the place of each reply that is more sensitive than that.
  package mutating func withhold(above limit: Int, _ error: RPCError) {
    for place in self.members.indices where self.members[place].sensitivity > limit {
      let id = self.members[place].id
      self.bytes -= self.members[place].text.count
      self.members[place] = Reply(id: id, text: OutgoingMessage.error(id: id, error), sensitivity: 0)
      self.bytes += self.members[place].text.count
    }
  }

  /// The text as it goes over the wire.
  package func encoded(_ framing: Framing) -> [UInt8] {
    framing.frame(self.isBatch ? OutgoingMessage.batch(self.members.map(\.text)) : self.members.first?.text ?? [])
  }
}
