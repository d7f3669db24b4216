import Gpsd
import JSONRPC
import Positioning
import ReceiverPorts

/// A client of the gpsd-compatible socket is served the same, however its bytes are cut.
enum DoorTarget {
  static func run(_ input: [UInt8]) {
    guard let stream = Pieces(input) else { return }
    for precision in [nil, Precision.reduced, .precise] {
      let whole = self.story([stream.whole], precision)
      let cut = self.story(stream.pieces, precision)
      require(whole == cut, "a stream that is cut is served differently", "\(whole)\n\(cut)")
    }
  }

  private static func story(_ pieces: [ArraySlice<UInt8>], _ precision: Precision?) -> [GpsdServing.Action] {
    var serving = GpsdServing()
    _ = serving.limit(to: precision)
    var actions: [GpsdServing.Action] = []
    for piece in pieces {
      serving.append(piece)
      while let more = serving.next(at: Timestamp(milliseconds: 1_700_000_000_000)) { actions += more }
    }
    return actions
  }
}

/// A line of gpsd is read without harm, and a place that it gives stands in it.
enum ReportTarget {
  static func run(_ input: [UInt8]) {
    let decoder = GpsdDecoder()
    for line in input.split(separator: UInt8(ascii: "\n")) {
      guard case .position(let report) = decoder.decode(Array(line), arrival: Instant(sinceBoot: .seconds(1))) else {
        continue
      }
      // libgps takes the last of several members with one name, and rounds nothing.
      guard case .object(let members)? = try? JSONValue(parsing: Array(line)), text(line).count("\"lat\"") == 1,
        case .string("TPV")? = members["class"]
      else { continue }
      if let latitude = report.latitude, let written = members["lat"]?.number {
        require(abs(latitude - written) <= 1e-9 * max(1, abs(written)), "another latitude is read", text(line))
      }
    }
  }
}

extension JSONValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .null, .boolean, .string, .array, .object: nil
    }
  }
}

extension String {
  fileprivate func count(_ word: String) -> Int {
    self.split(separator: word, omittingEmptySubsequences: false).count - 1
  }
}
