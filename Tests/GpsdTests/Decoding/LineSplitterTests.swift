import Testing

@testable import Gpsd

@Suite("A stream is cut into lines")
struct LineSplitterTests {
  private static let stream = Array("{\"a\":1}\r\n\r\n{\"b\":2}\nlast\r\r\n\n{\"c\":3}\r\nunfinished".utf8)
  private static let expected = ["{\"a\":1}", "{\"b\":2}", "last\r", "{\"c\":3}"]

  private func text(_ lines: [[UInt8]]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

  @Test("At whatever places the stream is cut, the lines are the same")
  func everyBoundary() {
    let stream = Self.stream
    for first in 0...stream.count {
      for second in first...stream.count {
        var splitter = LineSplitter()
        var lines = splitter.lines(completedBy: Array(stream[..<first]))
        lines += splitter.lines(completedBy: Array(stream[first..<second]))
        lines += splitter.lines(completedBy: Array(stream[second...]))
        #expect(self.text(lines) == Self.expected)
        #expect(self.text(splitter.lines(completedBy: [10])) == ["unfinished"])
      }
    }
  }

  @Test("Byte by byte, the lines are the same")
  func byteByByte() {
    var splitter = LineSplitter()
    let lines = Self.stream.flatMap { splitter.lines(completedBy: [$0]) }
    #expect(self.text(lines) == Self.expected)
  }

  @Test(
    "A line at the limit is kept, a longer one is dropped and counted, and the next is read",
    arguments: [1, 1000, 65_536])
  func limit(chunk: Int) {
    for (length, isKept) in [
      (30_000, true), (LineSplitter.limit, true), (LineSplitter.limit + 1, false), (300_000, false),
    ] {
      for ending in ["\n", "\r\n"] {
        var splitter = LineSplitter()
        var rest = (Array(repeating: UInt8(ascii: "x"), count: length) + Array("\(ending)next\n".utf8))[...]
        var lines: [[UInt8]] = []
        while !rest.isEmpty {
          lines += splitter.lines(completedBy: Array(rest.prefix(chunk)))
          rest = rest.dropFirst(chunk)
        }
        #expect(lines.map(\.count) == (isKept ? [length, 4] : [4]))
        #expect(splitter.droppedLines == (isKept ? 0 : 1))
      }
    }
  }

  @Test("An endless line is dropped, and counted once")
  func endless() {
    var splitter = LineSplitter()
    let chunk = Array(repeating: UInt8(ascii: "x"), count: 100_000)
    for _ in 0..<100 {
      #expect(splitter.lines(completedBy: chunk).isEmpty)
    }
    #expect(splitter.lines(completedBy: [10]).isEmpty)
    #expect(splitter.droppedLines == 1)
  }
}
