/// First in, first out, each in the same short time.
struct Fifo<Element> {
  private var incoming: [Element] = []
  /// The other way round: the first is the last.
  private var outgoing: [Element] = []

  var count: Int { self.incoming.count + self.outgoing.count }
  var isEmpty: Bool { self.incoming.isEmpty && self.outgoing.isEmpty }
  var first: Element? { self.outgoing.last ?? self.incoming.first }

  mutating func append(_ element: Element) { self.incoming.append(element) }

  mutating func removeFirst() {
    if self.outgoing.isEmpty {
      self.outgoing = self.incoming.reversed()
      self.incoming = []
    }
    self.outgoing.removeLast()
  }

  mutating func removeAll() {
    self.incoming = []
    self.outgoing = []
  }
}
