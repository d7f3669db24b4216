import EventLoop
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport

/// The result of replaying one log through gpsd and the daemon.
struct ReplayResult: Sendable {
  /// A fix as a client received it.
  struct Fix: Hashable, Sendable {
    var latitude: Double
    var longitude: Double
    var arrival: Double
    var accuracy: Double?
    var accuracy95: Double?

    init?(_ fix: JSONValue?) {
      guard let position = Position(fix) else { return nil }
      self.latitude = position.coordinate.latitude
      self.longitude = position.coordinate.longitude
      self.arrival = position.arrival
      self.accuracy = fix?["horizontalAccuracy"]?.double
      self.accuracy95 = fix?["horizontalAccuracy95"]?.double
    }
  }

  let name: String
  /// The duration of the replay.
  let seconds: Double
  let fixes: [Fix]
  /// The fixes of a passive subscription beside it.
  let passiveFixes: [Fix]
  /// The reports that gpsd sent to another client meanwhile.
  let reports: [GpsdWatcher.Report]
  /// From `status.get` afterwards.
  let received: Int
  let fixesCounted: Int
  let rejected: [String: Int]
  /// Whether the same process answers afterwards.
  let isSameProcess: Bool
  let log: String

  /// The number of different moments for which gpsd reported a position to the daemon, which on a busy machine begins to
  /// watch later than the other client.
  var usableEpochs: Int {
    let reported = self.reports.suffix(self.received)
    return Set(reported.filter(\.isUsable).map { $0.time ?? "" }).count
  }

  /// Whether gpsd reported a position like this fix's.
  func wasReported(_ fix: Fix) -> Bool {
    // gpsd writes nine decimals; only further ones may be lost.
    self.reports.contains { report in
      guard report.isUsable, let latitude = report.lat, let longitude = report.lon else { return false }
      return abs(latitude - fix.latitude) < 1.5e-9 && abs(longitude - fix.longitude) < 1.5e-9
    }
  }
}

extension ReplayResult {
  /// How long a log is replayed, whatever its length: for most this is about the receiver's speed.
  static let replayTime = 12.0
  /// The slowest serial line, bits per second; a short log is over sooner.
  static let slowestLine = 4800.0
  /// How long nothing must arrive for the end to be assumed.
  static let quietTime = 1.5

  /// Replays a log. Blocks until it is over.
  static func replay(_ name: String, in folder: String) throws -> ReplayResult {
    let log = ReplayLog(try File.read("\(folder)/\(name)"))
    let bits = Double(log.pieces.reduce(0) { $0 + $1.count } * 10)
    let speed = max(bits / self.replayTime, self.slowestLine)
    let fixture = try IntegrationFixture(
      IntegrationFixture.Settings(
        recording: IntegrationFixture.Recording(log: log, pace: .line(speed: Int(speed), factor: 1))))
    let process = try fixture.onLoop { $0.daemon?.pid }
    let watcher = try GpsdWatcher(port: fixture.gpsdPort)
    let client = try fixture.client()
    let passive = try fixture.client()
    _ = try passive.call("position.subscribe", ["mode": "passive", "minInterval": 0, "replay": "none"])
    try watcher.watch()
    _ = try client.call("position.subscribe", ["minInterval": 0, "replay": "none"])

    var fixes: [Fix] = []
    var passiveFixes: [Fix] = []
    let deadline = monotonicSeconds() + TestDeadline.seconds
    var lastNews = monotonicSeconds()
    while try monotonicSeconds() < lastNews + self.quietTime || !fixture.onLoop({ $0.isReplayed }) {
      guard monotonicSeconds() < deadline else { throw TimedOut("\(name) was not replayed to its end: \(fixture.log)") }
      let before = watcher.reports.count
      let news = try client.everything(for: 0.25).compactMap { Fix($0["params"]?["fix"]) }
      try watcher.read()
      fixes += news
      passiveFixes += try passive.everything(for: 0.01).compactMap { Fix($0["params"]?["fix"]) }
      if !news.isEmpty || watcher.reports.count != before { lastNews = monotonicSeconds() }
    }

    let status = try client.call("status.get")["reports"]
    var rejected: [String: Int] = [:]
    if case .object(let reasons) = status?["rejected"] {
      rejected = reasons.compactMapValues { if case .integer(let count) = $0 { count } else { nil } }
    }
    let isSameProcess = try fixture.onLoop { $0.daemon?.pid == process }
    return ReplayResult(
      name: name, seconds: bits / speed, fixes: fixes, passiveFixes: passiveFixes, reports: watcher.reports,
      received: status?["received"]?.double.map { Int($0) } ?? 0,
      fixesCounted: status?["fixes"]?.double.map { Int($0) } ?? 0, rejected: rejected, isSameProcess: isSameProcess,
      log: fixture.log)
  }
}
