/// Cuts what a client sends into requests.
///
/// gpsd takes what one read of its socket brings for whole, and ends a request where its object closes, at a semicolon or
/// at a zero; so many clients send no end at all. A read may also bring a part of what a client sent. So a request ends
///
/// - where its object closes, or at a semicolon outside of a text;
/// - with the line, or at a zero; a line may end within an object that closes later in the same read;
/// - where the next one begins;
/// - with the read, if it is a word that no further byte would make another request.
struct RequestSplitter: Sendable {
  /// The longest request, as of gpsd.
  static let limit = 8191

  enum Piece: Hashable {
    case request([UInt8])
    /// Longer than the limit; nothing more is cut.
    case tooLong
  }

  /// Where a request's text ends, and where the next one begins.
  private struct Cut {
    let end: Int
    let next: Int
  }

  private var bytes: [UInt8] = []
  /// Where the unfinished request begins, and up to where it was examined.
  private var start = 0
  private var scanned = 0
  /// The request's first byte that is no blank.
  private var first: UInt8?
  /// How many objects and arrays are open.
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The first line's end within the open object.
  private var lineEnd: Int?

  /// - Parameter bytes: What one read brought, or several that followed each other.
  mutating func append(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }

  /// The next request; `nil`: none is complete, and everything that was read is examined.
  mutating func next() -> Piece? {
    while self.scanned < self.bytes.count {
      if let cut = self.examine(self.bytes[self.scanned]) {
        if let request = self.take(cut) { return .request(request) }
      } else if self.scanned - self.start < Self.limit {
        self.scanned += 1
      } else if let cut = self.cutAtLine, let request = self.take(cut) {
        return .request(request)
      } else {
        return .tooLong
      }
    }
    return self.takeRest()
  }

  /// What of the bytes is left when nothing more has been read.
  private mutating func takeRest() -> Piece? {
    if let cut = self.cutAtLine, let request = self.take(cut) { return .request(request) }
    let rest = self.bytes[self.start...].trimmed
    if Self.words.contains(String(decoding: rest, as: UTF8.self)) {
      self.reset()
      return .request(Array(rest))
    }
    // Once for all requests that arrived together.
    self.bytes.removeFirst(self.start)
    (self.start, self.scanned) = (0, self.scanned - self.start)
    return nil
  }

  /// Those that take no object, and with which no longer one begins.
  private static let words: Set<String> = ["?VERSION", "?DEVICES", "?POLL"]

  private mutating func reset() {
    self.bytes = []
    (self.start, self.scanned) = (0, 0)
    self.begin()
  }

  private mutating func begin() {
    (self.first, self.depth, self.isInText, self.isEscaped, self.lineEnd) = (nil, 0, false, false, nil)
  }

  /// The text before the cut; `nil`: there is none.
  private mutating func take(_ cut: Cut) -> [UInt8]? {
    let request = Array(self.bytes[self.start..<cut.end].trimmed)
    (self.start, self.scanned) = (cut.next, cut.next)
    self.begin()
    return request.isEmpty ? nil : request
  }

  private var cutAtLine: Cut? { self.lineEnd.map { Cut(end: $0, next: $0 + 1) } }

  /// Whether what is examined begins as a request does. Nothing else has objects and texts.
  private var isRequest: Bool { self.first == UInt8(ascii: "?") }

  /// Examines the next byte; returns where the request ends, if it does.
  private mutating func examine(_ byte: UInt8) -> Cut? {
    let place = self.scanned
    let whole = Cut(end: place, next: place + 1)
    if byte == 0 { return self.cutAtLine ?? whole }
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
      // A text has no line's end in it.
      guard self.depth > 0, !self.isInText else { return self.cutAtLine ?? whole }
      self.lineEnd = self.lineEnd ?? place
      return nil
    }
    if self.isInText {
      self.examineText(byte)
      return nil
    }
    switch byte {
    case UInt8(ascii: ";"): return self.cutAtLine ?? whole
    case UInt8(ascii: "?"):
      if let line = self.cutAtLine { return line }
      if self.first != nil { return Cut(end: place, next: place) }
    case UInt8(ascii: "\""): self.isInText = self.isRequest
    case UInt8(ascii: "{"), UInt8(ascii: "["): if self.depth > 0 || self.isRequest { self.depth += 1 }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard self.depth > 0 else { break }
      self.depth -= 1
      if self.depth == 0 { return Cut(end: place + 1, next: place + 1) }
    default: break
    }
    if self.first == nil, !byte.isBlank { self.first = byte }
    return nil
  }

  private mutating func examineText(_ byte: UInt8) {
    if self.isEscaped {
      self.isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      self.isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      self.isInText = false
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
  /// Without the blanks at both ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    var rest = self.drop { $0.isBlank }
    while rest.last?.isBlank ?? false { rest = rest.dropLast() }
    return rest
  }
}
