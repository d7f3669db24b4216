import JSONRPC
import Positioning

/// Reads positions from JSON: Google Takeout's (`Records.json`, `Semantic Location History`, and the phones' own `Timeline.json`),
/// and OwnTracks' (one message a line, an array of them, or the recorder's files).
///
/// A file may have hundreds of megabytes, so only one element at a time becomes a value.
struct LocationJSON {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var history = ImportedHistory()

  static func read(_ bytes: [UInt8]) throws(ImportFailure) -> ImportedHistory {
    var reader = LocationJSON(bytes: bytes)
    try reader.readAll()
    return reader.history
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Elements

  private var next: UInt8? { self.offset < self.bytes.count ? self.bytes[self.offset] : nil }

  private mutating func advance() {
    if self.next == UInt8(ascii: "\n") { self.line += 1 }
    self.offset += 1
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let byte = self.next, isSkipped(byte) { self.advance() }
  }

  private static func separates(_ byte: UInt8) -> Bool { byte.isSpace || byte == UInt8(ascii: ",") }

  private mutating func readAll() throws(ImportFailure) {
    while true {
      self.skip(Self.separates)
      switch self.next {
      case nil: return
      case UInt8(ascii: "["): try self.readArray()
      case UInt8(ascii: "{"): try self.readObject()
      // OwnTracks' recorder writes a time and a kind before each message.
      case (UInt8(ascii: "0")...UInt8(ascii: "9"))?: self.skip { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "\n") }
      // Behind the arrays of an object.
      case UInt8(ascii: "}"): self.advance()
      case let byte?:
        throw ImportFailure(
          line: self.line, "expected an object or an array, found \"\(Character(Unicode.Scalar(byte)))\"")
      }
    }
  }

  private mutating func readArray() throws(ImportFailure) {
    let begin = self.line
    self.advance()
    while true {
      self.skip(Self.separates)
      guard let byte = self.next else { throw self.cut(begin, "an array") }
      if byte == UInt8(ascii: "]") { return self.advance() }
      let line = self.line
      try self.take(self.value(), line: line)
    }
  }

  /// An object with arrays of objects is a frame around these; another is an element.
  private mutating func readObject() throws(ImportFailure) {
    let (start, line) = (self.offset, self.line)
    var isFrame = false
    self.advance()
    while true {
      self.skip { Self.separates($0) || $0 == UInt8(ascii: ":") }
      guard let byte = self.next else { throw self.cut(line, "an object") }
      if byte == UInt8(ascii: "}") { break }
      if byte == UInt8(ascii: "["), self.isArrayOfObjects {
        isFrame = true
        try self.readArray()
      } else {
        try self.passValue()
      }
    }
    self.advance()
    guard !isFrame else { return }
    try self.take(self.parsed(start..<self.offset, line: line), line: line)
  }

  private var isArrayOfObjects: Bool {
    self.bytes[(self.offset + 1)...].first { !$0.isSpace } == UInt8(ascii: "{")
  }

  private mutating func value() throws(ImportFailure) -> JSONValue {
    let (start, line) = (self.offset, self.line)
    try self.passValue()
    return try self.parsed(start..<self.offset, line: line)
  }

  private func parsed(_ range: Range<Int>, line: Int) throws(ImportFailure) -> JSONValue {
    do throws(RPCError) {
      return try JSONValue(parsing: Array(self.bytes[range]))
    } catch {
      throw ImportFailure(line: line, "no JSON: \(error.message)")
    }
  }

  /// Moves behind a value, whatever is in it.
  private mutating func passValue() throws(ImportFailure) {
    let begin = self.line
    var depth = 0
    repeat {
      guard let byte = self.next else { throw self.cut(begin, "a value") }
      self.advance()
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        while let byte = self.next, byte != UInt8(ascii: "\"") {
          self.advance()
          if byte == UInt8(ascii: "\\") { self.advance() }
        }
        guard self.next != nil else { throw self.cut(begin, "a text") }
        self.advance()
      default:
        self.skip { !Self.separates($0) && !"{}[]\":".utf8.contains($0) }
      }
      self.skip { depth > 0 && (Self.separates($0) || $0 == UInt8(ascii: ":")) }
    } while depth > 0
  }

  private func cut(_ line: Int, _ what: String) -> ImportFailure {
    ImportFailure(line: self.line, "it ends within \(what) that begins in line \(line): the file is cut")
  }

  // MARK: Meaning

  private mutating func take(_ value: JSONValue, line: Int) throws(ImportFailure) {
    if let kind = value["_type"] {
      // OwnTracks has other messages too.
      if kind == .string("location") { try self.takeOwnTracks(value, line: line) }
    } else if value["latitudeE7"] != nil {
      try self.takeRecord(value, line: line)
    } else if let visit = value["placeVisit"] {
      try self.takeVisit(visit["location"]?.placeE7, visit["duration"], "startTimestamp", "endTimestamp", line: line)
    } else if let visit = value["visit"] {
      let place = visit["topCandidate"]?["placeLocation"]
      try self.takeVisit(place?["latLng"]?.placeText ?? place?.placeText, value, "startTime", "endTime", line: line)
    } else if case .array(let path)? = value["timelinePath"] {
      for point in path {
        guard let place = point["point"]?.placeText, let time = point.time("time") ?? value.time("startTime") else {
          throw ImportFailure(line: line, "a point of timelinePath without a place or a time")
        }
        try self.history.add(place, at: time, line: line)
      }
    } else if let position = value["position"], let place = position["LatLng"]?.placeText {
      guard let time = position.time("timestamp") else {
        throw ImportFailure(line: line, "a position without timestamp")
      }
      try self.history.add(
        place, at: time, line: line, accuracy: position.number("accuracyMeters"),
        altitude: position.number("altitudeMeters"), speed: position.number("speedMetersPerSecond"))
    }
  }

  private mutating func takeOwnTracks(_ value: JSONValue, line: Int) throws(ImportFailure) {
    guard let latitude = value.number("lat"), let longitude = value.number("lon"), let seconds = value.number("tst"),
      abs(seconds) < 1e11
    else { throw ImportFailure(line: line, "a location without lat, lon and tst") }
    try self.history.add(
      (latitude, longitude), at: Timestamp(seconds: seconds), line: line, accuracy: value.number("acc"),
      altitude: value.number("alt"), verticalAccuracy: value.number("vac"),
      // Kilometres an hour.
      speed: value.number("vel").map { $0 / 3.6 }, course: value.number("cog"))
  }

  private mutating func takeRecord(_ value: JSONValue, line: Int) throws(ImportFailure) {
    guard let place = value.placeE7, let time = value.time("timestamp") ?? value.time("timestampMs") else {
      throw ImportFailure(line: line, "a record without latitudeE7, longitudeE7 and timestamp")
    }
    try self.history.add(
      place, at: time, line: line, accuracy: value.number("accuracy"), altitude: value.number("altitude"),
      verticalAccuracy: value.number("verticalAccuracy"), speed: value.number("velocity"),
      course: value.number("heading"))
  }

  private mutating func takeVisit(
    _ place: (latitude: Double, longitude: Double)?, _ times: JSONValue?, _ start: String, _ end: String, line: Int
  ) throws(ImportFailure) {
    guard let place, let arrival = times?.time(start), let departure = times?.time(end), arrival <= departure else {
      throw ImportFailure(line: line, "a visit without its place and times")
    }
    guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude) else {
      throw ImportFailure(line: line, "\(place.latitude), \(place.longitude) is no place on the earth")
    }
    self.history.stays.append(
      Stay(
        place: Coordinate(latitude: place.latitude, longitude: place.longitude), accuracy: nil, arrival: arrival,
        departure: departure))
  }
}

extension JSONValue {
  /// A number, or a text that is one.
  fileprivate func number(_ name: String) -> Double? {
    switch self[name] {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// ISO 8601, or milliseconds since 1970.
  fileprivate func time(_ name: String) -> Timestamp? {
    guard case .string(let text)? = self[name] else { return nil }
    return Timestamp(text) ?? Int64(text).flatMap { abs($0) < 1 << 50 ? Timestamp(milliseconds: $0) : nil }
  }

  fileprivate var placeE7: (latitude: Double, longitude: Double)? {
    guard let latitude = self.number("latitudeE7"), let longitude = self.number("longitudeE7") else { return nil }
    return (latitude / 1e7, longitude / 1e7)
  }

  /// Such as `48.137°, 11.575°` or `geo:48.137,11.575`.
  fileprivate var placeText: (latitude: Double, longitude: Double)? {
    guard case .string(let text) = self else { return nil }
    let parts = (text.hasPrefix("geo:") ? text.dropFirst(4) : text[...]).split(separator: ",").map { part in
      Double(String(part.filter { $0 != "°" && $0 != " " }))
    }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
    return (latitude, longitude)
  }
}
