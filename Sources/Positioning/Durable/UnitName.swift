/// What systemd takes for the name of a unit.
package enum UnitName {
  /// In bytes.
  package static let longest = 255

  /// Letters, digits and `:-_.\@` of ASCII.
  package static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// Bytes, not characters: a combining mark after the last letter makes another character of it.
  package func ends(with suffix: String) -> Bool { self.reversed().starts(with: suffix.utf8.reversed()) }
}
