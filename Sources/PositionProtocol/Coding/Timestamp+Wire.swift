public import JSONRPC
public import Positioning

extension Timestamp: WireValue {
  public static let codec: Codec<Timestamp> = Codec(
    .time, write: { time, writer in time.text.withBytes { writer.plainString($0) } },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Timestamp in
      guard let text = view.string, let time = Timestamp(text) else {
        throw .found("\(view)", expected: Schema.time.expectation)
      }
      return time
    })
}

extension Timestamp {
  /// The wall clock's time at a moment, computed from what the clock shows now.
  package init(of instant: Instant, at moment: CodingMoment) {
    self.init(of: instant, now: moment.now, since1970: moment.since1970)
  }

  /// The wall clock's time of a moment, as the wall clock of this machine is set now.
  public init(of instant: Instant) { self.init(of: instant, at: .current) }

  /// The moment at which the wall clock shows this time, computed from what it shows now.
  package func instant(at moment: CodingMoment) -> Instant {
    moment.now + (.milliseconds(self.milliseconds) - moment.since1970)
  }
}
