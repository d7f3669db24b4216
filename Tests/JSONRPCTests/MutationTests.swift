import Testing

@testable import JSONRPC

@Suite("Mutated frames")
struct MutationTests {
  private static let frames = [
    #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a","times":2,"radius":"near"}}"#,
    #"[{"id":"x","jsonrpc":"2.0","method":"test.wait"},{"jsonrpc":"2.0","method":"test.poke","params":{"times":-1.5e3}}]"#,
    #"{"id":7,"jsonrpc":"2.0","result":{"a":[true,null,"\u00e9\ud83d\ude00"]}}"#,
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"é€😀","data":[{}]}}"#,
  ]
  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "null", "true", "1e999", "-", "0", "\"id\":", "\"params\":[",
      "\u{0}",
    ].map(\.bytes) + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

  private static func mutate(_ frame: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var frame = frame
    for _ in 0...Int.random(in: 0..<4, using: &generator) where !frame.isEmpty {
      let place = Int.random(in: 0..<frame.count, using: &generator)
      let end = min(frame.count, place + Int.random(in: 1...6, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: frame[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: frame.removeSubrange(place..<end)
      case 2: frame.insert(contentsOf: frame[place..<end], at: place)
      case 3: frame.insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)], at: place)
      default: frame.removeLast(frame.count - place)
      }
    }
    return frame
  }

  /// Whether a reply must be sent; a request must be answered by the server itself.
  private static func isSound(_ incoming: Incoming) -> Bool {
    switch incoming {
    case .request, .notification, .ignored, .unexpectedResponse, .response: true
    case .invalid(_, let error): [-32600, -32601, -32602].contains(error.code.rawValue) && !error.message.isEmpty
    }
  }

  @Test("have exactly one valid outcome each, and never a crash", arguments: 1...8 as ClosedRange<UInt64>)
  func outcomes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var kinds: Set<String> = []
    for round in 0..<1500 {
      let frame = Self.mutate(Self.frames[round % Self.frames.count].bytes, using: &generator)
      let isJSON: Bool
      do {
        _ = try JSONValue(parsing: frame)
        isJSON = true
      } catch {
        // No type holds numbers such as 1e999, which are JSON nevertheless.
        isJSON = error.code != .parseError
      }
      switch IncomingFrame.decode(frame, registry: testRegistry) {
      case .malformed(let error):
        kinds.insert("malformed")
        let isEmptyBatch = error.code == .invalidRequest
        #expect(error.code == (isJSON ? .invalidRequest : .parseError), "\(String(frame)): \(error)")
        if isEmptyBatch { #expect(error.message == "Invalid request: an empty batch") }
      case .single(let incoming):
        kinds.insert("single")
        #expect(isJSON && Self.isSound(incoming), "\(String(frame)): \(incoming.words)")
      case .batch(let messages):
        kinds.insert("batch")
        #expect(isJSON && !messages.isEmpty && messages.allSatisfy(Self.isSound), "\(String(frame))")
      }
    }
    #expect(kinds == ["malformed", "single", "batch"])
  }

  @Test(
    "leave the session consistent: its requests can be answered, and its output is JSON",
    arguments: 1...4 as ClosedRange<UInt64>)
  func sessions(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var client = ClientSession(registry: testRegistry)
    var session = ServerSession(registry: testRegistry)
    var handled = 0
    var asked = 0
    var answered = 0
    for round in 0..<600 {
      // A line feed inside makes two frames of it, which is just as valid.
      let whole = Self.frames[round % Self.frames.count].bytes
      let frame = Bool.random(using: &generator) ? whole : Self.mutate(whole, using: &generator)
      // The requests have the ids 1, 2, 3 ..., and one of the frames answers one of them.
      if session.ask(Wait()) != nil { asked += 1 }
      var actions = session.received(frame + [10])
      var index = 0
      while index < actions.count {
        switch actions[index] {
        case .handle(let serial, _):
          handled += 1
          actions += session.answer(serial, .success(said(true)))
        case .send(let bytes): _ = try JSONValue(parsing: bytes)
        case .answered: answered += 1
        case .notified, .unexpectedResponse: break
        case .sendSensitive: Issue.record("nothing here is sensitive")
        case .close: Issue.record("closed by \(String(frame))")
        }
        index += 1
      }
      #expect(session.pending.count == 0)
      _ = client.received(frame + [10])
    }
    #expect(handled > 0 && answered > 0)
    answered += session.receivedEnd().count { if case .answered = $0 { true } else { false } }
    #expect(answered == asked)
  }
}
