import Testing

@testable import JSONRPC

/// The property of a table's member is that of its key path, however it is accessed.
@Suite("A property of a table")
struct StoredPropertyTests {
  private struct Part: Equatable, Sendable {
    var name: String?
    var flag = false
    var count: Int32 = 7
  }

  private struct Whole: Equatable, Sendable {
    var byte: UInt8 = 1
    var number: Double? = 0.5
    var part = Part(name: "a text that is too long for its own place")
    var list: [Part] = [Part(), Part(name: "b")]
    var observed = 3 { didSet { self.byte &+= 1 } }
    var computed: Int {
      get { Int(self.byte) }
      set { self.byte = UInt8(newValue) }
    }
  }

  @Test("that is stored is accessed by its offset, with the key path's value")
  func stored() {
    self.compare(\.byte, 200, isStored: true)
    self.compare(\.number, nil, isStored: true)
    self.compare(\.number, 2.25, isStored: true)
    self.compare(\.part, Part(name: nil, flag: true), isStored: true)
    self.compare(\.part.name, "another text that is too long for its place", isStored: true)
    self.compare(\.part.flag, true, isStored: true)
    self.compare(\.part.count, -1, isStored: true)
    self.compare(\.list, [], isStored: true)
  }

  @Test("that is observed or computed is accessed by its key path")
  func notStored() {
    self.compare(\.observed, 4, isStored: false)
    self.compare(\.computed, 9, isStored: false)
    self.compare(\.list[1].name, "c", isStored: false)
  }

  private func compare<Value: Equatable & Sendable>(
    _ path: FieldPath<Whole, Value>, _ value: Value, isStored: Bool
  ) {
    let property = StoredProperty(path)
    #expect((property.offset != nil) == isStored, "\(path)")
    var (whole, expected) = (Whole(), Whole())
    let before = property.value(of: &whole)
    #expect(before == whole[keyPath: path], "\(path)")
    property.set(value, of: &whole)
    expected[keyPath: path] = value
    #expect(whole == expected, "\(path)")
    let after = property.value(of: &whole)
    #expect(after == value, "\(path)")
    // A copy has its own value.
    var copy = whole
    property.set(Whole()[keyPath: path], of: &whole)
    let copied = property.value(of: &copy)
    #expect(copied == value, "\(path)")
  }
}
