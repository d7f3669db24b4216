/// Bytes that are written one after the other.
///
/// An array that grows checks at every append whether it is shared, and a message has a hundred small parts. This buffer
/// has one owner, which the compiler ensures, so an append only checks the room and copies.
@safe
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter capacity: The room to begin with, at least 1.
  init(capacity: Int) {
    unsafe self.start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { unsafe self.start.deallocate() }

  var last: UInt8? { self.count == 0 ? nil : unsafe self.start[self.count - 1] }

  /// A copy of the bytes, with room for the line feed of a frame.
  var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: self.count + 1) { copy, count in
      unsafe copy.baseAddress?.initialize(from: self.start, count: self.count)
      count = self.count
    }
  }

  mutating func append(_ byte: UInt8) {
    self.makeRoom(for: 1)
    unsafe self.start[self.count] = byte
    self.count += 1
  }

  mutating func append(_ text: Span<UInt8>) {
    self.makeRoom(for: text.count)
    unsafe text.withUnsafeBufferPointer { text in
      guard let source = text.baseAddress else { return }
      unsafe (self.start + self.count).initialize(from: source, count: text.count)
    }
    self.count += text.count
  }

  /// Appends a text in quotation marks.
  mutating func append(quoted text: Span<UInt8>) {
    self.makeRoom(for: text.count + 2)
    self.append(UInt8(ascii: "\""))
    self.append(text)
    self.append(UInt8(ascii: "\""))
  }

  /// Appends so many decimal digits of the number, which has no more; zeros come first.
  mutating func append(digits: Int, of number: UInt64) {
    self.makeRoom(for: digits)
    let first = unsafe self.start + self.count
    var (number, place) = unsafe (number, first + digits)
    while unsafe place > first {
      let rest = number / 10
      unsafe place -= 1
      unsafe place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number &- rest &* 10)
      number = rest
    }
    self.count += digits
  }

  /// Removes all such bytes at the end.
  mutating func removeLast(all byte: UInt8) {
    while self.last == byte { self.count -= 1 }
  }

  private mutating func makeRoom(for more: Int) {
    if more > self.capacity - self.count { self.grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let capacity = max(2 * self.capacity, self.count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: self.start, count: self.count)
    unsafe self.start.deallocate()
    unsafe self.start = larger
    self.capacity = capacity
  }
}
