package import JSONRPC
import Positioning

/// Broken or malicious data of a daemon: the shapes of the protocol, filled with unreasonable values.
package struct Liar: Sendable {
  /// The kind of invalid data.
  package enum Misbehaviour: Sendable, CaseIterable {
    /// Each member has its correct type, so that all of it is read.
    case extreme
    /// Members are missing, or have another type, too.
    case malformed
  }

  private var random: SeededRandom
  private let misbehaviour: Misbehaviour
  private let objects: [String: [FieldDescription]]

  /// - Parameter objects: The objects that schemas refer to by name.
  package init(seed: UInt64, _ misbehaviour: Misbehaviour, objects: [String: [FieldDescription]]) {
    self.random = SeededRandom(seed: seed)
    self.misbehaviour = misbehaviour
    self.objects = objects
  }

  private static let integers = [Int.max, .min, .max - 1, 0, -1, 1, 7, 1 << 32, 1 << 53]
  private static let numbers = [
    1e308, -1e308, .leastNonzeroMagnitude, -0.0, 0, 1, -1, 0.5, 1e9, 1_000_000_001, 9.3e18, 1.7e20, 1.8e20, 1e15, -1e15,
    360, 90.1,
  ]
  private static let texts = [
    "", "home", "\u{1b}[2J\u{7}", "\u{202E}\u{0}", String(repeating: "long ", count: 200), "\u{1F6F0}", "%s%n", "-1",
  ]
  private static let times = [
    "2026-01-31T12:00:00.000Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z", "99999-12-31T23:59:59Z",
  ]

  /// An object of these members.
  package mutating func object(_ fields: [FieldDescription], depth: Int = 0) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for field in fields {
      if !field.isRequired, self.isTrue(1 / 4) { continue }
      if self.misbehaviour == .malformed, self.isTrue(1 / 16) { continue }
      members[field.name] = self.value(field.schema, depth: depth + 1)
    }
    return .object(members)
  }

  /// A value for a schema.
  package mutating func value(_ schema: Schema, depth: Int = 0) -> JSONValue {
    if self.misbehaviour == .malformed, self.isTrue(1 / 16) { return self.anything() }
    switch schema {
    case .boolean: return .boolean(self.isTrue(1 / 2))
    case .integer: return .integer(self.one(of: Self.integers))
    case .number: return .number(self.one(of: Self.numbers))
    case .string: return .string(self.one(of: Self.texts))
    case .choice(let words): return .string(self.isTrue(1 / 4) ? "later" : self.one(of: words))
    case .time: return .string(self.one(of: Self.times))
    case .requestID: return .integer(self.one(of: Self.integers))
    case .either(let one, let other): return self.value(self.isTrue(1 / 2) ? one : other, depth: depth)
    case .array(let element):
      let count = depth > 3 ? 1 : self.one(of: [0, 1, 2, 9])
      return .array((0..<count).map { _ in self.value(element, depth: depth + 1) })
    case .object(let fields): return self.object(fields, depth: depth)
    case .dictionary(let element): return .object(["\u{1b}[2J": self.value(element), "": self.value(element)])
    case .reference(let name): return self.object(self.objects[name] ?? [], depth: depth)
    case .any: return self.anything()
    }
  }

  /// A number from 0, less than the bound.
  package mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self.random) }

  private mutating func anything() -> JSONValue {
    let values: [JSONValue] = [
      .null, .boolean(true), .integer(.max), .number(-1e308), .string("later"), [], [[[]]], [:], ["further": [1, "2"]],
    ]
    return self.one(of: values)
  }

  private mutating func isTrue(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self.random) < share }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[self.number(below: elements.count)]
  }
}
