import Positioning
import UBX

/// What was taken from a receiver, as a file has it: lines of text with the receiver, the times and the place, an empty line,
/// and the receiver's messages as it sent them.
package struct KeptAssistance: Hashable, Sendable {
  /// The most bytes of a file.
  static let mostBytes = 65_536
  /// The most bytes of messages. The lines before them take less than a kilobyte.
  static let mostMessageBytes = 64_512

  /// Which receiver it is from.
  struct Source: Hashable, Sendable {
    /// gpsd's name of the driver.
    var driver: String
    /// The receiver's firmware as gpsd reports it; `nil`: it does not.
    var firmware: String?

    /// Whether they can be the same, as far as that is known.
    func canBe(_ other: Source) -> Bool {
      self.driver == other.driver
        && (self.firmware == nil || other.firmware == nil || self.firmware == other.firmware)
    }

    var words: String { self.firmware.map { "\(self.driver) \($0)" } ?? self.driver }
  }

  var source: Source
  /// When the messages were taken, by the receiver.
  var taken: Timestamp
  var place: LastPlace?
  var frames: [UBXFrame]

  private static let title = "positiond assistance 1"

  package var bytes: [UInt8] {
    let messages = self.frames.flatMap(\.bytes)
    var lines = [Self.title, "driver=\(Self.line(self.source.driver))"]
    if let firmware = self.source.firmware { lines.append("firmware=\(Self.line(firmware))") }
    lines.append("taken=\(self.taken)")
    if let place {
      let numbers = [place.coordinate.latitude, place.coordinate.longitude, place.altitude, place.accuracy]
      lines.append("place=\(numbers.map { "\($0)" }.joined(separator: " ")) \(place.time)")
    }
    lines.append("messages=\(messages.count)")
    let head = Array(lines.map { "\($0)\n" }.joined().utf8)
    return head + Array("sum=\(Self.sum(head + messages))\n\n".utf8) + messages
  }

  /// - Throws: What is wrong with the file, as the end of a sentence that begins with its name.
  package init(parsing bytes: [UInt8]) throws(UnreadableAssistance) {
    guard bytes.count <= Self.mostBytes else { throw UnreadableAssistance("is longer than \(Self.mostBytes) bytes") }
    guard bytes.starts(with: "\(Self.title)\n".utf8) else {
      throw UnreadableAssistance("is no file of kept assistance")
    }
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\n\n".utf8) }) else {
      throw UnreadableAssistance("is cut")
    }
    let messages = Array(bytes[(end + 2)...])
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").dropFirst()
    var values: [Substring: Substring] = [:]
    for line in lines {
      guard let equals = line.firstIndex(of: "=") else { throw UnreadableAssistance("has a line without a value") }
      values[line[..<equals]] = line[line.index(after: equals)...]
    }
    guard let length = values["messages"].flatMap({ Int($0) }), let sum = values["sum"], length >= messages.count else {
      throw UnreadableAssistance("does not say how long it is")
    }
    guard length == messages.count else {
      throw UnreadableAssistance("is cut: it has \(messages.count) of \(length) bytes of messages")
    }
    let head = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { Array(bytes[...$0]) } ?? []
    guard Self.sum(head + messages) == sum else { throw UnreadableAssistance("is damaged: its sum is wrong") }
    let (frames, read) = UBXFrame.sequence(messages)
    guard read == messages.count, frames.allSatisfy(\.isKnowledge) else {
      throw UnreadableAssistance("has messages that no receiver may be sent")
    }
    guard let driver = values["driver"], let taken = values["taken"].flatMap({ Timestamp(String($0)) }) else {
      throw UnreadableAssistance("does not say which receiver it is from, or when")
    }
    self.source = Source(driver: String(driver), firmware: values["firmware"].map { String($0) })
    self.taken = taken
    self.frames = frames
    self.place = try values["place"].map { (text) throws(UnreadableAssistance) in try Self.place(text) }
  }

  init(source: Source, taken: Timestamp, place: LastPlace?, frames: [UBXFrame]) {
    (self.source, self.taken, self.place, self.frames) = (source, taken, place, frames)
  }

  private static func place(_ text: Substring) throws(UnreadableAssistance) -> LastPlace {
    let parts = text.split(separator: " ")
    let numbers = parts.prefix(4).compactMap { Double($0) }
    guard parts.count == 5, numbers.count == 4, numbers.allSatisfy(\.isFinite), abs(numbers[0]) <= 90,
      abs(numbers[1]) <= 180, numbers[3] >= 0, let time = Timestamp(String(parts[4]))
    else { throw UnreadableAssistance("has a place that is none") }
    return LastPlace(
      coordinate: Coordinate(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2], accuracy: numbers[3],
      time: time)
  }

  /// A text without what would end its line, and not longer than a name.
  private static func line(_ text: String) -> String {
    String(decoding: text.utf8.prefix(200).map { $0 < 0x20 || $0 > 0x7E ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
  }

  private static func sum(_ bytes: [UInt8]) -> String {
    let sum = UBXFrame.checksum(of: bytes)
    return "\(Int(sum.0) << 8 | Int(sum.1))"
  }
}

/// What is wrong with a file, as the end of a sentence that begins with its name.
package struct UnreadableAssistance: Error, Hashable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}
