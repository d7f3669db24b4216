import Positioning

/// What a file of another program has.
package struct ImportedHistory: Hashable, Sendable {
  package var fixes: [HistoryFix] = []
  package var stays: [Stay] = []

  package init() {}
}

/// Why a file cannot be imported.
package struct ImportFailure: Error, Hashable, CustomStringConvertible {
  /// From 1 on; `nil`: the file as a whole.
  package let line: Int?
  package let message: String

  init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { self.line.map { "line \($0): \(self.message)" } ?? self.message }
}

extension ImportedHistory {
  /// Reads a GPX file, or JSON of Google Takeout or OwnTracks; what it is follows from its content.
  ///
  /// - Parameter name: The file's name, whose extension must agree.
  package init(_ bytes: [UInt8], name: String) throws(ImportFailure) {
    let isGPX = name.lowercased().hasSuffix(".gpx")
    switch bytes.first(where: { !$0.isSpace && !$0.isByteOrderMark }) {
    case UInt8(ascii: "<"):
      guard isGPX else { throw ImportFailure(line: nil, "it is XML: a GPX file has a name that ends in .gpx") }
      self = try GPXReader.read(bytes)
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      guard !isGPX else { throw ImportFailure(line: nil, "its name says GPX, and it is none") }
      self = try LocationJSON.read(bytes)
    case nil: throw ImportFailure(line: nil, "it is empty")
    default: throw ImportFailure(line: 1, "it is neither GPX nor JSON")
    }
    guard !self.fixes.isEmpty || !self.stays.isEmpty else {
      throw ImportFailure(line: nil, "it has no position with a time")
    }
    self.fixes = self.fixes.inOrder
    // Where an hour is missing, nobody knows the way.
    for place in self.fixes.indices
    where place == 0 || self.fixes[place].time - self.fixes[place - 1].time > .seconds(3600) {
      self.fixes[place].beginsSegment = true
    }
  }

  mutating func add(
    _ place: (latitude: Double, longitude: Double), at time: Timestamp, line: Int, accuracy: Double? = nil,
    altitude: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil, course: Double? = nil,
    satellites: Int? = nil, beginsSegment: Bool = false
  ) throws(ImportFailure) {
    let fix = Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy.flatMap { $0 > 0 ? $0 : nil },
      altitude: altitude, verticalAccuracy: verticalAccuracy, speed: speed.flatMap { $0 >= 0 ? $0 : nil },
      course: course.flatMap { (0...360).contains($0) ? $0 : nil }, arrival: .boot,
      mode: altitude == nil ? .twoDimensional : .threeDimensional, satellitesUsed: satellites)
    guard let fix = HistoryFix(fix, at: time, beginsSegment: beginsSegment) else {
      throw ImportFailure(line: line, "\(place.latitude), \(place.longitude) is no place on the earth")
    }
    self.fixes.append(fix)
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  fileprivate var isByteOrderMark: Bool { [0xEF, 0xBB, 0xBF].contains(self) }
}

/// Reads the track points of GPX: place, altitude and time, and what Garmin's extension and positiond's add.
///
/// It knows tags, comments and attributes, and ignores all that it does not know.
struct GPXReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var history = ImportedHistory()
  private var point: (latitude: Double, longitude: Double, line: Int)?
  private var texts: [String: String] = [:]
  private var beginsSegment = true

  static func read(_ bytes: [UInt8]) throws(ImportFailure) -> ImportedHistory {
    var reader = GPXReader(bytes: bytes)
    try reader.readAll()
    return reader.history
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readAll() throws(ImportFailure) {
    var isGPX = false
    var hasEnded = false
    var open: (name: String, start: Int)?
    while let tag = try self.nextTag() {
      // Prefixes of extensions are chosen by their writers.
      let name = String(tag.name.split(separator: ":").last ?? "")
      isGPX = isGPX || name == "gpx"
      guard isGPX else { throw ImportFailure(line: self.line, "<\(tag.name)> is not the begin of GPX") }
      switch (tag.isClosing, name) {
      case (false, "trkseg"): self.beginsSegment = true
      case (false, "trkpt"):
        self.texts = [:]
        self.point = (try self.degrees("lat", tag.text), try self.degrees("lon", tag.text), self.line)
        if tag.isEmpty { try self.endPoint() }
      case (true, "trkpt"): try self.endPoint()
      case (true, "gpx"): hasEnded = true
      case (false, _): open = tag.isEmpty ? nil : (name, self.offset)
      case (true, _):
        if let start = open, start.name == name {
          self.texts[name] = String(decoding: self.bytes[start.start..<tag.start], as: UTF8.self).trimmedSpace
        }
        open = nil
      }
    }
    guard hasEnded else { throw ImportFailure(line: self.line, "it ends without </gpx>: the file is cut") }
  }

  private struct Tag {
    /// Where it begins.
    let start: Int
    let name: String
    /// Between its brackets.
    let text: String
    let isClosing: Bool
    let isEmpty: Bool
  }

  private mutating func nextTag() throws(ImportFailure) -> Tag? {
    while self.find(UInt8(ascii: "<")) {
      let (start, line) = (self.offset - 1, self.line)
      if self.bytes[self.offset...].starts(with: "!--".utf8) {
        while self.find(UInt8(ascii: ">")), !self.bytes[..<(self.offset - 1)].suffix(2).elementsEqual("--".utf8) {}
        continue
      }
      guard self.find(UInt8(ascii: ">")) else {
        throw ImportFailure(line: line, "it ends within a tag: the file is cut")
      }
      var text = String(decoding: self.bytes[(start + 1)..<(self.offset - 1)], as: UTF8.self)
      if text.hasPrefix("?") || text.hasPrefix("!") { continue }
      let isClosing = text.hasPrefix("/")
      let isEmpty = text.hasSuffix("/")
      if isClosing { text.removeFirst() }
      if isEmpty { text.removeLast() }
      let name = String(text.prefix { !$0.isWhitespace })
      return Tag(start: start, name: name, text: text, isClosing: isClosing, isEmpty: isEmpty)
    }
    return nil
  }

  /// Moves behind the next such byte; `false` at the end.
  private mutating func find(_ byte: UInt8) -> Bool {
    while self.offset < self.bytes.count {
      let next = self.bytes[self.offset]
      self.offset += 1
      if next == UInt8(ascii: "\n") { self.line += 1 }
      if next == byte { return true }
    }
    return false
  }

  private func degrees(_ attribute: String, _ text: String) throws(ImportFailure) -> Double {
    // Attributes follow each other as NAME="VALUE".
    let parts = text.split(whereSeparator: { $0 == "\"" || $0 == "'" }).map { String($0) }
    for (name, value) in zip(parts, parts.dropFirst()) where name.trimmedSpace.hasSuffix("\(attribute)=") {
      if let number = Double(value.trimmedSpace), number.isFinite { return number }
    }
    throw ImportFailure(line: self.line, "a track point without \(attribute)= in degrees")
  }

  private func number(_ name: String) throws(ImportFailure) -> Double? {
    guard let text = self.texts[name] else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw ImportFailure(line: self.line, "<\(name)> is \"\(text)\", and no number")
    }
    return number
  }

  private mutating func endPoint() throws(ImportFailure) {
    guard let point else { throw ImportFailure(line: self.line, "</trkpt> without its begin") }
    self.point = nil
    guard let text = self.texts["time"], let time = Timestamp(text) else {
      let found = self.texts["time"].map { "<time> is \"\($0)\"" } ?? "a track point has no <time>"
      throw ImportFailure(line: point.line, "\(found); expected a time such as 2026-01-31T12:34:56Z")
    }
    try self.history.add(
      (point.latitude, point.longitude), at: time, line: point.line, accuracy: try self.number("accuracy"),
      altitude: try self.number("ele"), speed: try self.number("speed"), course: try self.number("course"),
      satellites: try self.number("sat").map { Int(min(max($0, 0), 999)) }, beginsSegment: self.beginsSegment)
    self.beginsSegment = false
  }
}

extension String {
  fileprivate var trimmedSpace: String {
    String(self.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
