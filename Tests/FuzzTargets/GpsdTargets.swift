import Gpsd
import JSONRPC
import Positioning
import ReceiverPorts

/// A client of the gpsd-compatible socket that may know nothing is sent no place, whatever it asks and however its bytes
/// are cut. The answers may differ then, since a request may end with a read, as of gpsd.
enum DoorTarget {
  private static let fix = Fix(
    latitude: 48.1, longitude: 11.5, horizontalAccuracy: 4, time: Timestamp(milliseconds: 1_700_000_000_000),
    arrival: Instant(sinceBoot: .seconds(1)))

  static func run(_ input: [UInt8]) {
    guard let stream = Pieces(input) else { return }
    for pieces in [[stream.whole], stream.pieces] {
      for precision in [nil, Precision.reduced, .precise] { self.serve(pieces, precision) }
    }
  }

  private static func serve(_ pieces: [ArraySlice<UInt8>], _ precision: Precision?) {
    var serving = GpsdServing()
    _ = serving.limit(to: precision)
    for piece in pieces {
      serving.append(piece)
      while let actions = serving.next(at: Timestamp(milliseconds: 1_700_000_000_000)) {
        for action in actions { self.check(action, precision) }
      }
      // What a poll would answer with.
      if precision == .precise { _ = serving.fixed(self.fix) }
    }
  }

  private static func check(_ action: GpsdServing.Action, _ precision: Precision?) {
    switch action {
    case .send(let bytes): require(!text(bytes).contains("\"lat\""), "a place is sent unasked", text(bytes))
    case .answer(let bytes, _, let otherwise):
      require(!text(otherwise).contains("\"lat\""), "a denial has a place", text(otherwise))
      require(precision != nil || !text(bytes).contains("\"lat\""), "a place is sent to nobody", text(bytes))
    case .beginWatch, .endWatch, .close: break
    }
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
