import EventLoop
import FoundationEssentials
import JSONRPC
import TestSupport
import Testing

/// The parser and the writer compared with one that this project did not write: Python's.
@Suite("JSON compared with Python's")
struct OtherParserTests {
  private static let seeds = [
    #"{"a":[1,-0,0.5,-1.5e+10,12345678901234567890,1e-7,true,false,null],"b":{"":"é€😀\u00e9\ud83d\ude00\\\/\b\f\n\r\t"}}"#,
    #"[0.1,48.137154321,9007199254740993,-9223372036854775808,1e308,5e-324,123456789.123456789,-1e-400]"#,
    #" {"a":1,"a":2, "c" : [ ] , "d":{ } } "#,
    #"["\"","\\","\u0000","\u001f","\ud83d\ude00x","~",""]"#,
  ]

  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "null", "tru", "\\ud800", "\\udc00", "NaN", "Infinity", "1e999",
      "-", "0", "01", ".",
      "e+",
    ]
    .map(\.bytes) + [
      [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF], [0], [0x7F], [0x0B], [0xF4, 0x90, 0x80, 0x80],
    ]

  /// Reports for each line, an original and its copy in hexadecimal digits, how the two compare.
  private static let judge = """
    import json, math, sys
    def refuse(text): raise ValueError(text)
    def members(pairs):
        object = {}
        for key, value in pairs: object.setdefault(key, value)
        return object
    def read(bytes):
        value = json.loads(bytes.decode("utf-8"), parse_constant=refuse, object_pairs_hook=members)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    def infinite(value):
        if isinstance(value, dict): return any(map(infinite, value.values()))
        if isinstance(value, list): return any(map(infinite, value))
        return isinstance(value, float) and math.isinf(value)
    def same(one, other):
        if isinstance(one, dict): return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
        if isinstance(one, list): return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
        if isinstance(one, (bool, str, type(None))): return type(one) == type(other) and one == other
        return type(other) in (int, float) and (one == other or float(one) == float(other))
    for line in open(sys.argv[1]):
        original, ours = line.split()
        try: value = read(bytes.fromhex(original[1:]))
        except (ValueError, UnicodeError): print("refused"); continue
        if infinite(value): print("infinite"); continue
        print("same" if ours != "-" and same(value, read(bytes.fromhex(ours))) else "different")
    """

  @Test("reads the same texts, and writes equal ones")
  func agrees() throws {
    var generator = SeededGenerator(seed: 7)
    var texts = Self.seeds.map(\.bytes)
    for round in 0..<4000 { texts.append(self.mutated(Self.seeds[round % Self.seeds.count].bytes, using: &generator)) }
    let folder = try TemporaryFolder()
    let ours: [Result<[UInt8], RPCError>] = texts.map { text in
      Result { () throws(RPCError) in try JSONValue(parsing: text).encoded() }
    }
    let lines = zip(texts, ours).map { text, value in
      "x\(Self.hexadecimal(text)) \((try? value.get()).map(Self.hexadecimal) ?? "-")\n"
    }
    try (Self.judge + "\n").write(toFile: folder.file("judge.py"), atomically: false, encoding: .utf8)
    try lines.joined().write(toFile: folder.file("texts"), atomically: false, encoding: .utf8)
    let run = try SystemProgram.run("/usr/bin/env", ["python3", folder.file("judge.py"), folder.file("texts")])
    let verdicts = run.words.split(separator: "\n")
    #expect(run.code == 0 && verdicts.count == texts.count, "\(run.words.suffix(300))")
    for (verdict, (text, value)) in zip(verdicts, zip(texts, ours)) {
      switch value {
      case .success: #expect(verdict == "same", "\(Array(text)) \(String(decoding: text, as: UTF8.self))")
      case .failure(let error):
        let expected = error.code == .parseError ? "refused" : "infinite"
        #expect(verdict == expected, "\(error.message): \(String(decoding: text, as: UTF8.self))")
      }
    }
    let (same, refused) = (verdicts.count { $0 == "same" }, verdicts.count { $0 == "refused" })
    #expect(same > 300 && refused > 300, "\(same) the same, \(refused) refused")
  }

  private func mutated(_ text: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0...Int.random(in: 0..<2, using: &generator) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &generator)
      let end = min(text.count, place + Int.random(in: 1...4, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: text.removeSubrange(place..<end)
      case 2: text.insert(contentsOf: text[place..<end], at: place)
      default: text.insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)], at: place)
      }
    }
    return text
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
