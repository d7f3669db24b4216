import Positioning
import ReceiverPorts

/// Messages of gpsd that wait to be processed, in order.
///
/// A turn of the loop judges as much as its time allows, and what is left waits here. At the rates of receivers nothing
/// ever waits. Where reports come faster than they can be judged, the older ones are worth nothing: of each device the
/// newest epoch counts, and those that it superseded are passed over and counted. What gpsd says of itself and of its
/// devices is never passed over.
struct ReportBacklog {
  /// So many whole epochs may wait for a device; more, and the daemon is behind.
  static let maximumEpochs = 16

  private var messages: [GpsdMessage] = []
  /// The first that waits; what is before it was taken.
  private var first = 0
  /// The newest epoch of each device that waits, and how many do.
  private var epochs: [String: (newest: Timestamp?, count: Int)] = [:]

  init(_ messages: [GpsdMessage] = []) {
    for message in messages { self.add(message) }
  }

  var isEmpty: Bool { self.first == self.messages.count }

  mutating func add(_ message: GpsdMessage) {
    self.messages.append(message)
    guard case .position(let report) = message else { return }
    let waiting = self.epochs[report.device ?? ""]
    // Without a time each report counts as an epoch: there is nothing that says otherwise.
    let isNew = report.time == nil || waiting.map { $0.newest != report.time } ?? true
    self.epochs[report.device ?? ""] = (report.time, (waiting?.count ?? 0) + (isNew ? 1 : 0))
  }

  mutating func next() -> GpsdMessage? {
    guard !self.isEmpty else { return nil }
    defer {
      self.first += 1
      if self.isEmpty { self = ReportBacklog() }
    }
    return self.messages[self.first]
  }

  /// Called when a turn's time is over and messages still wait: leaves out what was superseded, if too much waits.
  ///
  /// - Returns: how many epochs were passed over.
  mutating func passOverSuperseded() -> Int {
    // What was taken since the last look is counted no more.
    let waiting = Array(self.messages[self.first...])
    self = ReportBacklog(waiting)
    guard self.epochs.values.contains(where: { $0.count > Self.maximumEpochs }) else { return 0 }
    let before = self.epochCount
    var newest = NewestReports()
    self = ReportBacklog(waiting.reversed().filter { newest.keeps($0) }.reversed())
    return before - self.epochCount
  }

  private var epochCount: Int { self.epochs.values.reduce(0) { $0 + $1.count } }
}

/// Decides, from the newest message to the oldest, which of them still count.
private struct NewestReports {
  /// The newest epoch of each device.
  private var epochs: [String: Timestamp?] = [:]
  private var estimates: Set<String> = []
  private var skies: Set<String> = []
  private var attitudes: Set<String> = []

  mutating func keeps(_ message: GpsdMessage) -> Bool {
    switch message {
    case .position(let report):
      let key = report.device ?? ""
      guard let newest = self.epochs[key] else {
        self.epochs[key] = .some(report.time)
        return true
      }
      // Reports of one moment are one epoch: a later one may leave out what an earlier one had.
      return newest != nil && newest == report.time
    case .errorEstimate(let estimate):
      return self.estimates.insert(estimate.device ?? "").inserted
    case .sky(let sky):
      return self.skies.insert((sky.device ?? "") + (sky.satellites == nil ? "" : " whole")).inserted
    case .attitude(let attitude): return self.attitudes.insert(attitude.device ?? "").inserted
    case .ignored, .invalid: return false
    case .version, .devices, .device, .deviceGone, .watch, .error, .skewed: return true
    }
  }
}
