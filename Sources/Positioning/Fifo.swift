/// A queue, first in, first out: what waits, in its order.
///
/// To append and to take the first takes constant time on average. What was taken is freed once it is at least as much as what waits.
///
/// It is inlinable, so that each module has functions for its own elements: the generic ones took some 5,000 instructions
/// of a cached one-shot.
@usableFromInline
package struct Fifo<Element> {
  @usableFromInline var elements: [Element]
  /// How many of the elements are taken.
  @usableFromInline var head = 0

  @inlinable package init(_ elements: [Element] = []) { self.elements = elements }

  @inlinable package mutating func append(_ element: Element) { self.elements.append(element) }

  /// Takes the first; `nil`: none waits.
  @discardableResult
  @inlinable package mutating func popFirst() -> Element? {
    guard self.head < self.elements.count else { return nil }
    let element = self.elements[self.head]
    self.head += 1
    if self.head == self.elements.count {
      self.elements.removeAll(keepingCapacity: self.head <= 16)
      self.head = 0
    } else if self.head >= 16, self.head * 2 >= self.elements.count {
      self.elements.removeFirst(self.head)
      self.head = 0
    }
    return element
  }

  @inlinable package mutating func removeAll() { self = Fifo() }
}

extension Fifo: RandomAccessCollection, MutableCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { self.elements.count - self.head }

  @inlinable package subscript(place: Int) -> Element {
    get { self.elements[self.head + place] }
    set { self.elements[self.head + place] = newValue }
  }
}

extension Fifo: RangeReplaceableCollection, ExpressibleByArrayLiteral {
  @inlinable package init() { self.init([]) }

  @inlinable package init(arrayLiteral elements: Element...) { self.init(elements) }

  @inlinable package mutating func replaceSubrange<C>(_ places: Range<Int>, with elements: C)
  where C: Collection, C.Element == Element {
    self.elements.replaceSubrange(self.head + places.lowerBound..<self.head + places.upperBound, with: elements)
  }
}

extension Fifo: Equatable where Element: Equatable {
  @inlinable package static func == (one: Fifo, other: Fifo) -> Bool { one.elementsEqual(other) }
}

extension Fifo: Hashable where Element: Hashable {
  @inlinable package func hash(into hasher: inout Hasher) {
    hasher.combine(self.count)
    for element in self { hasher.combine(element) }
  }
}

extension Fifo: Sendable where Element: Sendable {}
