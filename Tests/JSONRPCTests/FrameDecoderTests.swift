import JSONRPC
import Testing

@Suite("The frame decoder")
struct FrameDecoderTests {
  typealias Event = FrameDecoder.Event

  static func frame(_ text: String) -> Event { .frame(text.bytes) }

  /// A stream, and its events; frames may have 20 bytes.
  static let streams: [(stream: String, events: [Event])] = [
    ("{}\n", [frame("{}")]),
    ("{}\r\n", [frame("{}")]),
    ("{}\n{}\r\n[1]\n", [frame("{}"), frame("{}"), frame("[1]")]),
    ("\n\r\n  \n{}\n\n\n[]\n", [frame("{}"), frame("[]")]),
    (" {}\n", [frame(" {}")]),
    ("12345678901234567890\n", [frame("12345678901234567890")]),
    ("12345678901234567890\r\n{}\n", [frame("12345678901234567890"), frame("{}")]),
    ("123456789012345678901\n{}\n", [.tooLarge]),
    ("{}\n123456789012345678901\r\n{}\n", [frame("{}"), .tooLarge]),
    ("1234567890123456789012345678901234567890", [.tooLarge]),
    ("{\"Content-Length\":1}\n", [frame("{\"Content-Length\":1}")]),
    ("content-length: 2\r\n", [frame("content-length: 2")]),
    ("Content-Length: 2\r\n\r\n{}", [frame("{}")]),
    ("Content-Length: 2\n\n{}", [frame("{}")]),
    ("Content-Length: 2\r\n\r\n{}content-LENGTH:3 \r\n\r\n[1]", [frame("{}"), frame("[1]")]),
    ("Content-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}", [frame("{}")]),
    ("Content-Length: 2\r\nX-Other: a: b\r\n\r\n{}", [frame("{}")]),
    ("Content-Length: 4\r\n\r\n{\n}\n", [frame("{\n}\n")]),
    ("Content-Length: 20\r\n\r\n12345678901234567890", [frame("12345678901234567890")]),
    ("Content-Length: 21\r\n\r\n", [.tooLarge]),
    ("Content-Length: 9223372036854775807\r\n\r\n{}", [.tooLarge]),
    ("Content-Length: 0\r\n\r\n", [.malformed("Content-Length must be a number of bytes greater than 0")]),
    ("Content-Length: -1\r\n\r\n", [.malformed("Content-Length must be a number of bytes greater than 0")]),
    ("Content-Length: +2\r\n\r\n{}", [.malformed("Content-Length must be a number of bytes greater than 0")]),
    ("Content-Length: two\r\n\r\n", [.malformed("Content-Length must be a number of bytes greater than 0")]),
    ("Content-Length:\r\n\r\n", [.malformed("Content-Length must be a number of bytes greater than 0")]),
    (
      "Content-Length: 9223372036854775808\r\n\r\n",
      [.malformed("Content-Length must be a number of bytes greater than 0")]
    ),
    ("Content-Type: x\r\n\r\n{}", [.malformed("headers without Content-Length")]),
    ("Content-Length: 2\r\n\r\n{}{}\n", [frame("{}"), .malformed("a header line must be \"Name: value\"")]),
    ("Cuckoo\r\n", [.malformed("a header line must be \"Name: value\"")]),
    ("C: \(String(repeating: "x", count: 5000))", [.malformed("headers longer than 4096 bytes")]),
    (
      "C: \(String(repeating: "x", count: 3000))\r\nD: \(String(repeating: "x", count: 3000))\r\n",
      [.malformed("headers longer than 4096 bytes")]
    ),
    ("", []),
    ("{}", []),
    ("Content-Length: 3\r\n\r\n{}", []),
  ]

  private static func events(_ chunks: [[UInt8]]) -> [Event] {
    var decoder = FrameDecoder(maximumFrame: 20)
    return chunks.flatMap { chunk in
      decoder.append(chunk)
      var events: [Event] = []
      while let event = decoder.next() { events.append(event) }
      return events
    }
  }

  @Test("finds the same frames in a stream whole, byte by byte, and cut anywhere", arguments: FrameDecoderTests.streams)
  func chunks(stream: String, events: [Event]) {
    let bytes = stream.bytes
    #expect(Self.events([bytes]) == events)
    #expect(Self.events(bytes.map { [$0] }) == events)
    for cut in 0...min(bytes.count, 100) {
      #expect(Self.events([Array(bytes[..<cut]), Array(bytes[cut...])]) == events, "cut at \(cut)")
    }
    for size in [2, 3, 7, 1000] {
      let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
      #expect(Self.events(chunks) == events, "in chunks of \(size)")
    }
  }

  @Test("finds the same frames in merged streams as in separate ones")
  func merged() {
    let whole = Self.streams.filter { stream in
      stream.stream.first != "C" && stream.stream.hasSuffix("\n") && !stream.events.contains(.tooLarge)
    }
    #expect(Self.events([whole.map(\.stream).joined().bytes]) == whole.flatMap(\.events))
  }

  @Test(
    "remembers the framing that the first byte chose",
    arguments: [("{", Framing.lines), ("\n", .lines), ("C", .headers)])
  func framing(start: String, framing: Framing) {
    var decoder = FrameDecoder(maximumFrame: 20)
    #expect(decoder.framing == .lines)
    decoder.append(start.bytes)
    #expect(decoder.next() == nil)
    #expect(decoder.framing == framing)
  }

  @Test(
    "takes a last line without its end, and no more", arguments: [("{}", "{}"), ("[]\n{}", "{}"), ("{}\r", "{}\r")])
  func finish(stream: String, last: String) {
    var decoder = FrameDecoder(maximumFrame: 20)
    decoder.append(stream.bytes)
    while decoder.next() != nil {}
    #expect(decoder.finish() == .frame(last.bytes))
    #expect(decoder.finish() == nil)
  }

  @Test(
    "takes nothing at the end of a complete, blank, or cut stream",
    arguments: [
      "", "{}\n", "{}\n \t\r", "Content-Length: 3\r\n\r\n{}", "Content-Length: 3",
    ])
  func finishEmpty(stream: String) {
    var decoder = FrameDecoder(maximumFrame: 20)
    decoder.append(stream.bytes)
    while decoder.next() != nil {}
    #expect(decoder.finish() == nil)
  }

  @Test("ignores what follows a failure")
  func failed() {
    var decoder = FrameDecoder(maximumFrame: 2)
    decoder.append("123\n".bytes)
    #expect(decoder.next() == .tooLarge)
    decoder.append("{}\n".bytes)
    #expect(decoder.next() == nil)
    #expect(decoder.finish() == nil)
  }

  @Test("reads what the framing writes", arguments: [Framing.lines, .headers])
  func roundTrip(framing: Framing) {
    let texts = ["{}", #"{"a":"é"}"#, "[1,2]"]
    #expect(Self.events([texts.flatMap { framing.frame($0.bytes) }]) == texts.map { Self.frame($0) })
  }

  @Test("holds a long stream of small frames in little more than one of them")
  func longStream() {
    var decoder = FrameDecoder(maximumFrame: 20)
    var frames = 0
    for _ in 0..<50_000 {
      decoder.append("{\"a\":1}\n".bytes)
      while let event = decoder.next() {
        #expect(event == Self.frame("{\"a\":1}"))
        frames += 1
      }
    }
    #expect(frames == 50_000)
    #expect(decoder.bufferedBytes < 64)
  }
}
