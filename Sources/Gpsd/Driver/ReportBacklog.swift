import Positioning
import ReceiverPorts

/// Messages of gpsd that wait to be processed, in order.
///
/// A turn of the loop processes as many as its time allows, and the rest waits here. At the usual rates of receivers
/// nothing waits. If reports arrive faster than they can be processed, older ones are useless: only the newest epoch of
/// each device counts, and superseded epochs are skipped and counted. Messages about gpsd itself and its devices are
/// never skipped.
struct ReportBacklog {
  /// The most whole epochs of a device that may wait. With more, the daemon is behind.
  static let maximumEpochs = 16

  private var messages = Fifo<GpsdMessage>()
  /// The newest waiting epoch of each device, and the number of its waiting epochs.
  private var epochs: [String: (newest: Timestamp?, count: Int)] = [:]

  init(_ messages: [GpsdMessage] = []) {
    for message in messages { self.add(message) }
  }

  var isEmpty: Bool { self.messages.isEmpty }

  mutating func add(_ message: GpsdMessage) {
    self.messages.append(message)
    guard case .position(let report) = message else { return }
    let waiting = self.epochs[report.device ?? ""]
    // Each report without a time counts as an epoch, because nothing shows to which one it belongs.
    let isNew = report.time == nil || waiting.map { $0.newest != report.time } ?? true
    self.epochs[report.device ?? ""] = (report.time, (waiting?.count ?? 0) + (isNew ? 1 : 0))
  }

  mutating func next() -> GpsdMessage? {
    defer { if self.isEmpty { self.epochs = [:] } }
    return self.messages.popFirst()
  }

  /// Called when a turn's time is over and messages still wait: removes superseded epochs if too many wait.
  ///
  /// - Returns: how many epochs were removed.
  mutating func passOverSuperseded() -> Int {
    // Messages that were taken since the last call do not count any more.
    let waiting = Array(self.messages)
    self = ReportBacklog(waiting)
    guard self.epochs.values.contains(where: { $0.count > Self.maximumEpochs }) else { return 0 }
    let before = self.epochCount
    var newest = NewestReports()
    self = ReportBacklog(waiting.reversed().filter { newest.keeps($0) }.reversed())
    return before - self.epochCount
  }

  private var epochCount: Int { self.epochs.values.reduce(0) { $0 + $1.count } }
}

/// Decides which messages still count, from the newest to the oldest.
private struct NewestReports {
  /// The newest epoch of each device.
  private var epochs: [String: Timestamp?] = [:]
  private var estimates: Set<String> = []
  private var skies: Set<String> = []
  private var attitudes: Set<String> = []
  /// What was said of the reception; there are few different states, and a repeated one says nothing new.
  private var receptions: Set<Reception> = []

  mutating func keeps(_ message: GpsdMessage) -> Bool {
    switch message {
    case .position(let report):
      let key = report.device ?? ""
      guard let newest = self.epochs[key] else {
        self.epochs[key] = .some(report.time)
        return true
      }
      // All reports with one time are one epoch: a later one may lack what an earlier one had.
      return newest != nil && newest == report.time
    case .errorEstimate(let estimate):
      return self.estimates.insert(estimate.device ?? "").inserted
    case .sky(let sky):
      return self.skies.insert((sky.device ?? "") + (sky.satellites == nil ? "" : " whole")).inserted
    case .attitude(let attitude): return self.attitudes.insert(attitude.device ?? "").inserted
    case .reception(let report): return self.receptions.insert(report.reception).inserted
    case .assistance, .ignored, .invalid: return false
    case .version, .devices, .device, .deviceGone, .watch, .error, .skewed: return true
    }
  }
}
