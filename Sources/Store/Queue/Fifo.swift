/// A queue, first in, first out, with constant time for each element.
struct Fifo<Element> {
  private var incoming: [Element] = []
  /// In reverse order, so that the first is at the end.
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
