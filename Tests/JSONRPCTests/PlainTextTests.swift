import Testing

@testable import JSONRPC

@Suite("Text that stands in a JSON string as it is") struct PlainTextTests {
  @Test("ends before the first byte that needs an escape or is not ASCII, wherever it is", arguments: 0..<20)
  func end(place: Int) {
    for byte in UInt8.min...UInt8.max {
      var text = [UInt8](repeating: UInt8(ascii: "a"), count: 20)
      text[place] = byte
      let isPlain = (0x20..<0x80).contains(byte) && !Array("\"\\".utf8).contains(byte)
      #expect(text.span.plainPrefix(from: 0) == (isPlain ? text.count : place), "\(byte)")
      // Any bytes may follow.
      for following in [0x00, 0x21, 0x23, 0x5D, 0x80, 0xFF] as [UInt8] where place < 19 {
        text[place + 1] = following
        #expect(text.span.plainPrefix(from: place) >= place + (isPlain ? 1 : 0), "\(byte) and \(following)")
        if !isPlain { #expect(text.span.plainPrefix(from: 0) == place, "\(byte) and \(following)") }
      }
    }
  }

  @Test("begins anywhere")
  func start() {
    let text = Array(#"a"bcdefghijklmnop\"#.utf8)
    #expect(text.span.plainPrefix(from: 0) == 1)
    #expect(text.span.plainPrefix(from: 2) == 17)
    #expect(text.span.plainPrefix(from: 18) == 18)
    #expect([UInt8]().span.plainPrefix(from: 0) == 0)
  }
}
