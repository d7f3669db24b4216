import ConfigurationTables

extension SettingKind where Value == String {
  /// One level of a topic that every broker and Home Assistant accept.
  static var topicLevel: SettingKind {
    SettingKind(
      expectation: "at most 64 letters, digits or -_",
      read: { (text: String) throws(SettingError) in
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(TopicLevel.holds) else { throw .malformed }
        return text
      },
      write: { $0 })
  }

  /// OwnTracks' two characters on the map.
  static var trackerID: SettingKind {
    SettingKind(
      expectation: "one or two letters or digits",
      read: { (text: String) throws(SettingError) in
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy(TopicLevel.holds) else { throw .malformed }
        return text
      },
      write: { $0 })
  }

  /// Any text that fits into a field of MQTT.
  ///
  /// - Parameter what: The expectation.
  static func line(_ what: String) -> SettingKind {
    SettingKind(
      expectation: "\(what) of at most 255 bytes",
      read: { (text: String) throws(SettingError) in
        guard !text.isEmpty else { throw .malformed }
        guard text.utf8.count <= 255 else { throw .outOfRange }
        return text
      },
      write: { $0 })
  }
}

/// The characters of a topic's level.
package enum TopicLevel {
  static func holds(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The text with a - in place of every other byte, cut to 64 bytes; `device` if nothing is left.
  package static func made(of text: String) -> String {
    let bytes = text.utf8.prefix(64).map { Self.holds($0) ? $0 : UInt8(ascii: "-") }
    return bytes.isEmpty ? "device" : String(decoding: bytes, as: UTF8.self)
  }
}
