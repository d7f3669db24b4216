/// What is fed with any bytes: a part of the daemon, of a client or of the simulator that reads what others wrote. Where a
/// rule is broken, the process ends with the rule's words.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A client's bytes, from frames to requests.
  case requests
  /// A daemon's bytes, as the client library reads them.
  case replies
  /// JSON values.
  case values
  /// A client's bytes at the gpsd-compatible socket.
  case door
  /// gpsd's lines, read by libgps behind its shim.
  case reports
  /// A receiver's own messages, in gpsd's lines.
  case ubx
  /// A receiver's own messages alone.
  case frames
  /// What answers in chrony's place.
  case chrony
  /// Bodies of stored values.
  case records
  /// The file of permission decisions beside the database.
  case permission
  /// The database.
  case database
  /// What a host writes to the simulated receiver, and NMEA sentences.
  case commands
  /// A route as GPX.
  case routes
  /// The configuration file.
  case configuration
  /// A place as a person writes it.
  case places

  package func run(_ input: [UInt8]) {
    switch self {
    case .requests: RequestTarget.run(input)
    case .replies: ReplyTarget.run(input)
    case .values: ValueTarget.run(input)
    case .door: DoorTarget.run(input)
    case .reports: ReportTarget.run(input)
    case .ubx: PacketTarget.run(input)
    case .frames: PacketTarget.runFrames(input)
    case .chrony: ChronyTarget.run(input)
    case .records: RecordTarget.run(input)
    case .permission: PermissionTarget.run(input)
    case .database: DatabaseTarget.run(input)
    case .commands: CommandTarget.run(input)
    case .routes: RouteTarget.run(input)
    case .configuration: ConfigurationTarget.run(input)
    case .places: PlaceTarget.run(input)
    }
  }
}

/// Ends the process unless the rule holds, with what was found.
func require(_ holds: Bool, _ rule: String, _ found: @autoclosure () -> String) {
  if !holds { fatalError("\(rule): \(found())") }
}

/// Bytes in pieces, whose lengths the first bytes give: any stream is read the same, however it is cut.
struct Pieces {
  let whole: ArraySlice<UInt8>
  let pieces: [ArraySlice<UInt8>]

  /// - Parameter input: The first byte is the number of cuts, at most 15; as many bytes follow, each the length of a piece.
  init?(_ input: [UInt8]) {
    guard let first = input.first, case let cuts = Int(first & 15), input.count > cuts else { return nil }
    self.whole = input.dropFirst(1 + cuts)
    var (pieces, rest) = ([ArraySlice<UInt8>](), self.whole)
    for length in input[1..<(1 + cuts)] {
      pieces.append(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
    }
    self.pieces = pieces + [rest]
  }

  /// Requires that the same is read of the pieces as of the whole.
  static func compare(_ input: [UInt8], by story: ([ArraySlice<UInt8>]) -> [String]) {
    guard let stream = Pieces(input) else { return }
    let (whole, cut) = (story([stream.whole]), story(stream.pieces))
    require(whole == cut, "a stream that is cut is read differently", "\(whole)\n\(cut)")
  }
}

func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
