import Configuration
import ConfigurationTables
import NMEA
import ProgramArguments
import ReceiverSimulator
import UBX

/// The simulated receiver finds the same commands in what a host writes, however that is cut; a sentence is read or not.
enum CommandTarget {
  static func run(_ input: [UInt8]) {
    guard let stream = Pieces(input) else { return }
    let whole = self.commands([stream.whole])
    let cut = self.commands(stream.pieces)
    require(whole == cut, "a stream that is cut is read differently", "\(whole)\n\(cut)")
    for line in stream.whole.split(separator: UInt8(ascii: "\n")) { _ = NMEASentence.fields(of: line) }
    if let frame = UBXFrame(parsing: stream.whole) {
      require(frame.bytes == Array(stream.whole), "a frame changes when it is read and written", "\(frame)")
    }
  }

  private static func commands(_ pieces: [ArraySlice<UInt8>]) -> [HostCommand] {
    var scanner = CommandScanner()
    return pieces.flatMap { scanner.scan($0) }
  }
}

/// A route is read, or its error says why not.
enum RouteTarget {
  static func run(_ input: [UInt8]) {
    do throws(UsageError) {
      _ = try Track(gpx: text(input), name: "fuzz.gpx")
    } catch {
      require(!"\(error)".isEmpty, "an error says nothing", text(input))
    }
  }
}

/// A configuration is read, or each error says where it is; what was read is the same when it is written and read again.
enum ConfigurationTarget {
  static func run(_ input: [UInt8]) {
    switch Settings.load(from: [ConfigurationFile(path: "/fuzz.conf", contents: input)]) {
    case .success: break
    case .failure(let errors): require(!"\(errors)".isEmpty, "an error says nothing", text(input))
    }
  }
}
