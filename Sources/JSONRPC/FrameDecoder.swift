/// Cuts a stream of bytes into frames, however the bytes come.
///
/// Feed it with `append`, then take events with `next` until there is none. It looks at each byte once, and holds no
/// more than one frame over what was appended and not yet taken.
package struct FrameDecoder: Sendable {
  package enum Event: Hashable, Sendable {
    /// A JSON text, or what should be one; never empty.
    case frame([UInt8])
    /// A frame is longer than the limit. Nothing follows.
    case tooLarge
    /// The bytes make no frame, in words for the peer. Nothing follows.
    case malformed(String)
  }

  private enum State {
    /// Nothing has come.
    case start
    case lines
    /// Within a header section of which so many bytes were read.
    case headers(contentLength: Int?, bytes: Int)
    case body(length: Int)
    case failed
  }

  /// A header section that is longer is no header section.
  static let maximumHeaders = 4096

  /// Bytes of a text, without line end or headers.
  package let maximumFrame: Int
  private var state = State.start
  private var buffer: [UInt8] = []
  /// Where what was not yet taken begins.
  private var head = 0
  /// Up to where no line feed was found.
  private var scanned = 0

  package init(maximumFrame: Int) { self.maximumFrame = maximumFrame }

  /// Bytes that are held.
  package var bufferedBytes: Int { self.buffer.count }

  /// What the stream uses; lines, until the first byte says otherwise.
  package private(set) var framing = Framing.lines

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if case .failed = self.state { return }
    self.buffer.append(contentsOf: bytes)
  }

  /// The next event, or `nil` until more bytes come.
  package mutating func next() -> Event? {
    while true {
      switch self.state {
      case .start:
        guard let first = self.buffer.first else { return nil }
        if first == UInt8(ascii: "C") {
          self.framing = .headers
          self.state = .headers(contentLength: nil, bytes: 0)
        } else {
          self.state = .lines
        }
      case .lines:
        switch self.takeLine(maximum: self.maximumFrame) {
        case .incomplete: return nil
        case .tooLong: return self.fail(.tooLarge)
        case .line(let line): if !line.allSatisfy(\.isJSONSpace) { return .frame(Array(line)) }
        }
      case .headers(let contentLength, let bytes):
        switch self.takeLine(maximum: FrameDecoder.maximumHeaders - bytes) {
        case .incomplete: return nil
        case .tooLong: return self.fail(.malformed("headers longer than \(FrameDecoder.maximumHeaders) bytes"))
        case .line(let line):
          if let event = self.headerRead(line, contentLength: contentLength, bytes: bytes) { return event }
        }
      case .body(let length):
        guard self.buffer.count - self.head >= length else { return nil }
        let text = Array(self.buffer[self.head..<self.head + length])
        self.take(length)
        self.state = .headers(contentLength: nil, bytes: 0)
        return .frame(text)
      case .failed: return nil
      }
    }
  }

  /// The stream has ended: a last line may do without its line feed; a header-framed text may not be cut short.
  package mutating func finish() -> Event? {
    guard case .lines = self.state else { return nil }
    let rest = Array(self.buffer[self.head...])
    self.take(rest.count)
    return rest.allSatisfy(\.isJSONSpace) ? nil : .frame(rest)
  }

  private mutating func fail(_ event: Event) -> Event {
    self.state = .failed
    self.buffer = []
    self.head = 0
    return event
  }

  private enum Line {
    /// Without its end.
    case line(ArraySlice<UInt8>)
    case incomplete
    case tooLong
  }

  private mutating func takeLine(maximum: Int) -> Line {
    guard let end = self.buffer[self.scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
      self.scanned = self.buffer.count
      // One byte more may be the carriage return of the line's end.
      let length = self.buffer.count - self.head - (self.buffer.last == UInt8(ascii: "\r") ? 1 : 0)
      return length > maximum ? .tooLong : .incomplete
    }
    var line = self.buffer[self.head..<end]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    guard line.count <= maximum else { return .tooLong }
    self.take(end + 1 - self.head)
    return .line(line)
  }

  /// Forgets bytes, and gives their room back once it is more than what is left: so each byte is moved at most once.
  private mutating func take(_ count: Int) {
    self.head += count
    if self.head * 2 > self.buffer.count {
      self.buffer.removeFirst(self.head)
      self.head = 0
    }
    self.scanned = self.head
  }

  private mutating func headerRead(_ line: ArraySlice<UInt8>, contentLength: Int?, bytes: Int) -> Event? {
    if line.isEmpty {
      guard let contentLength else { return self.fail(.malformed("headers without Content-Length")) }
      guard contentLength <= self.maximumFrame else { return self.fail(.tooLarge) }
      self.state = .body(length: contentLength)
      return nil
    }
    guard let header = Header(line) else { return self.fail(.malformed("a header line must be \"Name: value\"")) }
    var contentLength = contentLength
    if header.name == "content-length" {
      guard let length = header.length else {
        return self.fail(.malformed("Content-Length must be a number of bytes greater than 0"))
      }
      contentLength = length
    }
    self.state = .headers(contentLength: contentLength, bytes: bytes + line.count + 2)
    return nil
  }
}

/// One header line.
private struct Header {
  /// In lower case: names are told apart without regard to it.
  let name: String
  let value: String

  init?(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
    self.name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = line[(colon + 1)...].drop(while: \.isJSONSpace)
    self.value = String(decoding: value.reversed().drop(while: \.isJSONSpace).reversed(), as: UTF8.self)
  }

  /// The value as a length; `nil` where it is none. Signs are none.
  var length: Int? {
    guard self.value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let length = Int(self.value), length > 0
    else { return nil }
    return length
  }
}
