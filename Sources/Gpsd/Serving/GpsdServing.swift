import NMEA
package import Positioning

/// One client of gpsd that positiond serves in gpsd's place: what it asked for, and what it is sent.
///
/// It decides from bytes, fixes and permission; it knows no socket. A client that watches is a need, one that does not is
/// none.
package struct GpsdServing: Sendable {
  package enum Action: Hashable, Sendable {
    case send([UInt8])
    /// From now on the client needs positions.
    case beginWatch
    case endWatch
    case close
  }

  /// A report, of which a newer one of the same kind supersedes it.
  package struct Report: Hashable, Sendable {
    package enum Kind: Int, Hashable, Sendable {
      case position = 1, sky, attitude, sentences, satellites
    }

    package let kind: Kind
    package let text: [UInt8]
  }

  /// Whether the client may watch sentences. One of reduced precision may not.
  package var allowsSentences = false

  private var splitter = RequestSplitter()
  private var policy = WatchPolicy()
  private var stream = NMEAStream()
  private var hasFix = false
  /// Since when it watches.
  private var began: Timestamp?
  /// What a poll gets.
  private var newestPosition: [UInt8]?
  private var newestSky: [UInt8]?

  package init() {}

  /// What a client is sent first.
  package static var banner: [UInt8] { GpsdReport.version() }

  package static func error(_ words: String) -> [UInt8] { GpsdReport.error(words) }

  /// Whether the client watches.
  package var isWatching: Bool { self.policy.isEnabled }

  // MARK: Requests

  package mutating func append(_ bytes: ArraySlice<UInt8>) { self.splitter.append(bytes) }

  /// Serves the next request; `nil`: none is complete.
  ///
  /// - Parameter time: The wall clock's time.
  package mutating func next(at time: Timestamp) -> [Action]? {
    switch self.splitter.next() {
    case .request(let text): self.serve(ClientRequest(text), at: time)
    case .tooLong: [.send(GpsdReport.error("a request is longer than \(RequestSplitter.limit) bytes")), .close]
    case nil: nil
    }
  }

  private mutating func serve(_ request: ClientRequest, at time: Timestamp) -> [Action] {
    switch request {
    case .version: [.send(GpsdReport.version())]
    case .devices: [.send(GpsdReport.devices(activated: self.began))]
    case .device: [.send(GpsdReport.device(activated: self.began))]
    case .configureDevice: [.send(GpsdReport.error("?DEVICE changes nothing here: positiond configures the receiver"))]
    case .poll:
      [
        .send(
          GpsdReport.poll(
            at: time, isWatching: self.isWatching, position: self.newestPosition, sky: self.newestSky))
      ]
    case .watchState: [.send(GpsdReport.watch(self.policy))]
    case .watch(let change): self.watch(change, at: time)
    case .invalid(let reason): [.send(GpsdReport.error(reason))]
    }
  }

  private mutating func watch(_ change: WatchChange, at time: Timestamp) -> [Action] {
    var errors: [[UInt8]] = []
    let wasWatching = self.isWatching
    var policy = self.policy
    policy.isEnabled = change.isEnabled
    policy.sendsReports = change.sendsReports ?? policy.sendsReports
    policy.sendsSentences = change.sendsSentences ?? policy.sendsSentences
    policy.device = change.device ?? policy.device
    if change.wantsBytes {
      errors.append(GpsdReport.error("raw: positiond does not have the receiver's own bytes; use json or nmea"))
      // Nothing would be left to send.
      if !policy.sendsReports, !policy.sendsSentences { policy.isEnabled = wasWatching }
    }
    if policy.isEnabled, policy.sendsSentences, !self.allowsSentences {
      errors.append(GpsdReport.error("nmea: only clients that may know the precise position get sentences; use json"))
      policy.sendsSentences = false
      if !policy.sendsReports { policy.isEnabled = wasWatching }
    }
    self.policy = policy
    if !self.isWatching { self.forget() } else if !wasWatching { self.began = time }
    let replies = [GpsdReport.devices(activated: self.began), GpsdReport.watch(policy)] + errors
    let change: [Action] = self.isWatching == wasWatching ? [] : [self.isWatching ? .beginWatch : .endWatch]
    return replies.map { .send($0) } + change
  }

  private mutating func forget() {
    self.stream = NMEAStream()
    (self.hasFix, self.began, self.newestPosition, self.newestSky) = (false, nil, nil, nil)
  }

  // MARK: Reports

  package mutating func fixed(_ fix: Fix) -> [Report] {
    guard self.isWatching else { return [] }
    self.hasFix = true
    let sentences = fix.isReduced ? nil : self.stream.fixed(fix)
    return self.position(GpsdReport.position(fix), sentences)
  }

  /// There is no fix.
  package mutating func lost() -> [Report] {
    guard self.isWatching else { return [] }
    self.hasFix = false
    self.newestSky = nil
    return self.position(GpsdReport.position(nil), self.stream.lost())
  }

  package mutating func received(_ sky: Sky) -> [Report] {
    guard self.isWatching else { return [] }
    let report = GpsdReport.sky(sky)
    self.newestSky = report
    // A receiver without a fix reports that with each of its epochs, and so does gpsd.
    let position = self.hasFix ? [] : self.position(GpsdReport.position(nil), nil)
    let sentences = self.stream.received(sky)
    return position + (self.policy.sendsReports ? [Report(kind: .sky, text: report)] : [])
      + (self.policy.sendsSentences ? [Report(kind: .satellites, text: sentences)] : [])
  }

  /// The newest heading; `nil` if there is none.
  package mutating func turned(to heading: Heading?) -> [Report] {
    guard self.isWatching else { return [] }
    self.stream.turned(to: heading)
    guard self.policy.sendsReports, let text = heading.flatMap(GpsdReport.attitude) else { return [] }
    return [Report(kind: .attitude, text: text)]
  }

  private mutating func position(_ text: [UInt8], _ sentences: [UInt8]?) -> [Report] {
    self.newestPosition = text
    return (self.policy.sendsReports ? [Report(kind: .position, text: text)] : [])
      + (self.policy.sendsSentences ? [sentences].compactMap { $0 }.map { Report(kind: .sentences, text: $0) } : [])
  }
}
