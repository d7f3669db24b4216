import PositionProtocol
import Positioning
import ProgramArguments

/// The options that describe a region, for every command that takes one.
enum RegionOptions {
  static let circle = Option("circle", .circle, "centre and radius")
  static let polygon = Option("polygon", .polygon, "corners, in quotes; the last is joined to the first")
  static let notify = Option("notify", .events, "events to report: enter, exit, dwell, crossed (enter,exit)")
  static let dwell = Option("dwell", .period, "also report dwell after this time inside")
  static let latency = Option("latency", .seconds, "how late an event may be, so that the receiver can sleep")
  static let expires = Option("expires", .period, "remove the region after this time")
  static let initial = Option<InitialReport>(
    "initial", .choice("WHEN"), "whether to report the initial state: none (default), ifInside, always")

  static let all: [any CommandOption] = [
    Self.circle, Self.polygon, Self.notify, Self.dwell, Self.latency, Self.expires, Self.initial,
  ]

  /// The region that the options describe.
  ///
  /// - Parameter command: The command that an error names.
  static func region(id: String, _ arguments: Arguments, of command: String) throws(UsageError) -> Region {
    let shape: RegionShape
    switch (arguments[Self.circle], arguments[Self.polygon]) {
    case (let circle?, nil): shape = circle
    case (nil, let polygon?): shape = polygon
    case (nil, nil): throw UsageError("\(command): missing \(Self.circle.form) or \(Self.polygon.form)")
    case (.some, .some): throw UsageError("\(command): --circle and --polygon cannot be combined")
    }
    let dwell = arguments[Self.dwell]
    var notify = arguments[Self.notify] ?? [.enter, .exit]
    if dwell != nil { notify.insert(.dwell) }
    if notify.contains(.dwell), dwell == nil { throw UsageError("\(command): --notify dwell needs --dwell SECONDS") }
    let region = Region(
      id: id, shape: shape, notify: notify, dwellTime: dwell, latency: arguments[Self.latency],
      expiresIn: arguments[Self.expires], initial: arguments[Self.initial] ?? .none)
    do throws(InvalidRegion) {
      return try region.checked()
    } catch {
      throw UsageError("\(command): \(error.parameter) must be \(error.expected)")
    }
  }

  /// Whether any of them was given.
  static func areGiven(in arguments: Arguments) -> Bool { self.all.contains { arguments.has($0) } }
}
