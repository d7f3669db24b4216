/// The reply to one request, or to the requests of one batch: one text, of which parts can be withheld until it is
/// written.
///
/// The driver gives the sensitivity of each part, as a number with a meaning of its own; 0 is never withheld.
package struct Reply: Sendable {
  private struct Member: Sendable {
    /// `nil` if that of the request could not be read.
    let id: RequestID?
    /// With its frame, if it is the only one.
    let text: [UInt8]
    let sensitivity: Int
  }

  private var members: [Member] = []
  private let isBatch: Bool
  private let framing: Framing
  /// The bytes of all parts.
  private(set) var bytes = 0

  init(isBatch: Bool, _ framing: Framing) {
    self.isBatch = isBatch
    self.framing = framing
  }

  var isEmpty: Bool { self.members.isEmpty }

  /// The highest of all parts.
  package var sensitivity: Int { self.members.lazy.map(\.sensitivity).max() ?? 0 }

  mutating func add(_ text: consuming [UInt8], to id: RequestID?, sensitivity: Int = 0) {
    self.bytes += text.count
    let text = self.isBatch ? text : self.framing.frame(text)
    self.members.append(Member(id: id, text: text, sensitivity: sensitivity))
  }

  /// Replaces each part that is more sensitive than the limit by the error.
  package mutating func withhold(above limit: Int, _ error: RPCError) {
    for place in self.members.indices where self.members[place].sensitivity > limit {
      let id = self.members[place].id
      let text = OutgoingMessage.error(id: id, error)
      self.bytes += text.count - self.members[place].text.count
      self.members[place] = Member(id: id, text: self.isBatch ? text : self.framing.frame(text), sensitivity: 0)
    }
  }

  /// The text on the wire.
  package func encoded() -> [UInt8] {
    self.isBatch
      ? self.framing.frame(OutgoingMessage.batch(self.members.map(\.text))) : self.members.first?.text ?? []
  }
}
