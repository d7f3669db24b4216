import JSONRPC
import PositionProtocol
import Printable

/// JSON for programs, and for people.
enum JSONFormat {
  /// One line, without control characters.
  static func line<Value: WireValue>(_ value: Value, moment: CodingMoment = .none) -> String {
    do throws(JSONWriter.NoJSON) {
      return String(decoding: try Value.codec.encode(value, moment: moment), as: UTF8.self).printableJSON
    } catch {
      preconditionFailure("What was read cannot be written: \(error)")
    }
  }

  /// Indented, with sorted keys. Short values are on one line.
  static func lines(_ value: JSONValue, width: Int = 100) -> [String] {
    let line = self.line(value)
    if line.count <= width { return [line] }
    switch value {
    case .object(let object):
      return self.block(
        "{", "}", object.sorted { $0.key < $1.key }.map { (self.line(JSONValue.string($0.key)) + ":", $0.value) }, width
      )
    case .array(let array): return self.block("[", "]", array.map { ("", $0) }, width)
    case .null, .boolean, .integer, .number, .string: return [line]
    }
  }

  private static func block(
    _ open: String, _ close: String, _ members: [(key: String, value: JSONValue)], _ width: Int
  ) -> [String] {
    let inner = members.enumerated().flatMap { place, member in
      var lines = self.lines(member.value, width: max(20, width - 2 - member.key.count))
      lines[0] = member.key + lines[0]
      if place < members.count - 1 { lines[lines.count - 1] += "," }
      return lines.map { "  " + $0 }
    }
    return [open] + inner + [close]
  }
}
