import Glibc

/// Splits a stream of bytes into frames, however the bytes arrive.
///
/// Feed it with `append`, then call `next` until it returns `nil`. It looks at each byte once, and holds at most one
/// frame in addition to what was appended and not yet taken.
@usableFromInline
package struct FrameDecoder: Sendable {
  package enum Event: Hashable, Sendable {
    /// A JSON text, or what should be one; never empty.
    case frame([UInt8])
    /// A frame exceeds the limit. Nothing follows.
    case tooLarge
    /// The bytes are not a frame; the text for the peer says why. Nothing follows.
    case malformed(String)
  }

  private enum State {
    /// No bytes have arrived.
    case start
    case lines
    /// In a header section of which so many bytes were read.
    case headers(contentLength: Int?, bytes: Int)
    case body(length: Int)
    case failed
  }

  /// The longest header section.
  static let maximumHeaders = 4096

  /// Bytes of a text, without line end or headers.
  package let maximumFrame: Int
  private var state = State.start
  @usableFromInline private(set) var buffer: [UInt8] = []
  /// The offset of the first byte that is not yet taken.
  private var head = 0
  /// The offset up to which there is no line feed.
  private var scanned = 0

  package init(maximumFrame: Int) { self.maximumFrame = maximumFrame }

  /// The bytes held.
  @inlinable package var bufferedBytes: Int { self.buffer.count }

  /// The framing of the stream: lines, unless the first byte shows otherwise.
  @usableFromInline
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
        case .line(let line): if !line.allSatisfy(\.isJSONSpace) { return .frame(line) }
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

  /// The end of the stream. A last line needs no line feed; a text with headers must be complete.
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
    /// Without its end. A copy, so that the rest of the buffer can move up in its place.
    case line([UInt8])
    case incomplete
    case tooLong
  }

  /// The first line feed that was not passed yet.
  private var lineFeed: Int? {
    unsafe self.buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start + self.scanned, 0x0A, bytes.count - self.scanned)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - start
    }
  }

  private mutating func takeLine(maximum: Int) -> Line {
    guard let end = self.lineFeed else {
      self.scanned = self.buffer.count
      // One byte more may be the carriage return of the line's end.
      let length = self.buffer.count - self.head - (self.buffer.last == UInt8(ascii: "\r") ? 1 : 0)
      return length > maximum ? .tooLong : .incomplete
    }
    var line = self.buffer[self.head..<end]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    guard line.count <= maximum else { return .tooLong }
    let text = Array(line)
    line = []
    self.take(end + 1 - self.head)
    return .line(text)
  }

  /// Removes bytes, and frees their memory once it exceeds what is left: so each byte is moved at most once.
  private mutating func take(_ count: Int) {
    self.head += count
    if self.head * 2 > self.buffer.count {
      self.buffer.removeFirst(self.head)
      self.head = 0
    }
    self.scanned = self.head
  }

  private mutating func headerRead(_ line: [UInt8], contentLength: Int?, bytes: Int) -> Event? {
    if line.isEmpty {
      guard let contentLength else { return self.fail(.malformed("headers without Content-Length")) }
      guard contentLength <= self.maximumFrame else { return self.fail(.tooLarge) }
      self.state = .body(length: contentLength)
      return nil
    }
    guard let header = Header(line[...]) else { return self.fail(.malformed("a header line must be \"Name: value\"")) }
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
  /// In lower case, because names of headers are case-insensitive.
  let name: String
  let value: String

  init?(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
    self.name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = line[(colon + 1)...].drop(while: \.isJSONSpace)
    self.value = String(decoding: value.reversed().drop(while: \.isJSONSpace).reversed(), as: UTF8.self)
  }

  /// The value as a length; `nil` if it is none. Signs are not accepted.
  var length: Int? {
    guard self.value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let length = Int(self.value), length > 0
    else { return nil }
    return length
  }
}

/// How messages are separated on a stream; determined by the client's first byte.
@usableFromInline
package enum Framing: Hashable, Sendable {
  /// One JSON text per line.
  case lines
  /// `Content-Length` headers before each text, as in the Language Server Protocol.
  case headers

  /// The text with its frame. The text must not contain a line feed.
  package func frame(_ text: consuming [UInt8]) -> [UInt8] {
    switch self {
    case .lines:
      text.append(UInt8(ascii: "\n"))
      return text
    case .headers: return Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    }
  }
}
