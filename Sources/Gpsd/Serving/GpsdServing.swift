import NMEA
package import Positioning

/// One client of gpsd that positiond serves in gpsd's place: what it asked for, and what it is sent.
///
/// It decides from bytes, fixes and permission; it knows no socket. A client needs positions
/// only while it watches.
package struct GpsdServing: Sendable {
  package enum Action: Hashable, Sendable {
    case send([UInt8])
    /// Send the first text; the other one in its place, if the client may not know this precision any more.
    case answer([UInt8], reveals: Precision, otherwise: [UInt8])
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

  /// A TPV or SKY, and the precision that it reveals; `nil`: nothing of the position.
  private struct Newest {
    let text: [UInt8]
    let reveals: Precision?
  }

  /// The connection ends after so many texts in a row that are no requests.
  static let maxErrors = 5

  /// The finest position that the client may know; `nil`: none, or a person may yet be asked.
  private var precision: Precision?
  private var errors = 0
  private var splitter = RequestSplitter()
  private var policy = WatchPolicy()
  private var stream = NMEAStream()
  private var hasFix = false
  /// Since when it watches.
  private var began: Timestamp?
  /// What a poll gets.
  private var newestPosition: Newest?
  private var newestSky: Newest?

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
    case .request(let text):
      do throws(ClientRequest.Mistake) {
        let request = try ClientRequest(text)
        self.errors = 0
        return self.serve(request, at: time)
      } catch {
        return self.refuse(error)
      }
    case .tooLong: return [.send(GpsdReport.error("a request is longer than \(RequestSplitter.limit) bytes")), .close]
    case nil: return nil
    }
  }

  /// A client that speaks another protocol may have been made to by somebody who cannot connect: a browser sends what a
  /// web page says to any port of its host.
  private mutating func refuse(_ mistake: ClientRequest.Mistake) -> [Action] {
    self.errors += 1
    let isLast = mistake.isForeign || self.errors == Self.maxErrors
    return [.send(GpsdReport.error(mistake.reason))] + (isLast ? [.close] : [])
  }

  private mutating func serve(_ request: ClientRequest, at time: Timestamp) -> [Action] {
    switch request {
    case .version: [.send(GpsdReport.version())]
    case .devices: [.send(GpsdReport.devices(activated: self.began))]
    case .device: [.send(GpsdReport.device(activated: self.began))]
    case .configureDevice: [.send(GpsdReport.error("?DEVICE changes nothing here: positiond configures the receiver"))]
    case .poll: [self.poll(at: time)]
    case .watchState: [.send(GpsdReport.devices(activated: self.began)), .send(GpsdReport.watch(self.policy))]
    case .watch(let change): self.watch(change, at: time)
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
    // Sentences cannot say that a position is reduced. A client without permission may watch them: a person may be asked.
    if policy.isEnabled, policy.sendsSentences, self.precision == .reduced {
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

  private func poll(at time: Timestamp) -> Action {
    guard self.isWatching else { return .send(GpsdReport.poll(at: time, nil)) }
    // gpsd has one of each for an active device, and clients take the last of each list.
    let (position, sky) = (self.newestPosition ?? Self.noPosition, self.newestSky ?? Self.noSky)
    let newest = GpsdReport.poll(at: time, (position.text, sky.text))
    guard let reveals = [position.reveals, sky.reveals].compactMap({ $0 }).max() else { return .send(newest) }
    let nothing = GpsdReport.poll(at: time, (Self.noPosition.text, Self.noSky.text))
    return .answer(newest, reveals: reveals, otherwise: nothing)
  }

  // MARK: Permission

  /// From now on the client may know no more than this. What it was reported before and reveals more is forgotten.
  ///
  /// - Returns: Reports that there is neither a fix nor a sky, if the client could know the precise position until now, and
  ///   now knows the reduced one.
  package mutating func limit(to precision: Precision?) -> [Report] {
    let isReduced = self.precision == .precise && precision == .reduced
    self.precision = precision
    guard precision != .precise else { return [] }
    self.stream = NMEAStream()
    self.newestSky = nil
    if let reveals = self.newestPosition?.reveals, precision.map({ reveals > $0 }) ?? true {
      (self.newestPosition, self.hasFix) = (nil, false)
    }
    guard isReduced, self.isWatching else { return [] }
    return self.lost() + (self.policy.sendsReports ? [Report(kind: .sky, text: Self.noSky.text)] : [])
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
    return self.position(Newest(text: GpsdReport.position(fix), reveals: fix.reveals), sentences)
  }

  /// The fix that others had when the client began to watch. gpsd has it for a poll, and reports it to nobody again.
  package mutating func began(with fix: Fix) {
    guard self.isWatching else { return }
    self.hasFix = true
    self.newestPosition = Newest(text: GpsdReport.position(fix), reveals: fix.reveals)
  }

  /// There is no fix.
  package mutating func lost() -> [Report] {
    guard self.isWatching else { return [] }
    self.hasFix = false
    self.newestSky = nil
    return self.position(Self.noPosition, self.stream.lost())
  }

  package mutating func received(_ sky: Sky) -> [Report] {
    guard self.isWatching else { return [] }
    let report = GpsdReport.sky(sky)
    self.newestSky = Newest(text: report, reveals: .precise)
    // A receiver without a fix reports that with each of its epochs, and so does gpsd.
    let position = self.hasFix ? [] : self.position(Self.noPosition, nil)
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

  private static let noPosition = Newest(text: GpsdReport.position(nil), reveals: nil)
  private static let noSky = Newest(text: GpsdReport.sky(Sky(satellites: [], arrival: .boot)), reveals: nil)

  private mutating func position(_ newest: Newest, _ sentences: [UInt8]?) -> [Report] {
    self.newestPosition = newest
    return (self.policy.sendsReports ? [Report(kind: .position, text: newest.text)] : [])
      + (self.policy.sendsSentences ? [sentences].compactMap { $0 }.map { Report(kind: .sentences, text: $0) } : [])
  }
}
