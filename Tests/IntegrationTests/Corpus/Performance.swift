import EventLoop
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport

/// What came of playing one log through gpsd and the daemon.
struct Performance: Sendable {
  /// A fix as a client got it.
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
  /// Of playing.
  let seconds: Double
  let fixes: [Fix]
  /// What a passive subscription beside it got.
  let passiveFixes: [Fix]
  /// What gpsd told another client meanwhile.
  let reports: [GpsdWatcher.Report]
  /// Of `status.get` afterwards.
  let received: Int
  let fixesCounted: Int
  let rejected: [String: Int]
  /// Whether it is the same process that answers then.
  let isSameProcess: Bool
  let log: String

  /// Of how many different moments gpsd told a position.
  var usableEpochs: Int { Set(self.reports.filter(\.isUsable).map { $0.time ?? "" }).count }

  /// Whether gpsd told a position like this fix's.
  func wasReported(_ fix: Fix) -> Bool {
    // gpsd writes nine decimals; that and nothing more may be lost on the way.
    self.reports.contains { report in
      guard report.isUsable, let latitude = report.lat, let longitude = report.lon else { return false }
      return abs(latitude - fix.latitude) < 1.5e-9 && abs(longitude - fix.longitude) < 1.5e-9
    }
  }
}

extension Performance {
  /// How long a log is played, whatever its length: most are so about as fast as the receiver was.
  static let playingTime = 12.0
  /// The slowest that a serial line is, bits per second; a short log is over sooner.
  static let slowestLine = 4800.0
  /// How long nothing may come after the end before it is believed to be the end.
  static let quietTime = 1.5

  /// Plays a log. Blocks until it is over.
  static func play(_ name: String, in folder: String) throws -> Performance {
    let log = ReplayLog(try File.read("\(folder)/\(name)"))
    let bits = Double(log.pieces.reduce(0) { $0 + $1.count } * 10)
    let speed = max(bits / self.playingTime, self.slowestLine)
    let stage = try Stage(
      Stage.Play(recording: Stage.Recording(log: log, pace: .line(speed: Int(speed), factor: 1))))
    let process = try stage.onLoop { $0.daemon?.pid }
    let watcher = try GpsdWatcher(port: stage.gpsdPort)
    let client = try stage.client()
    let passive = try stage.client()
    _ = try passive.call("position.subscribe", ["mode": "passive", "minInterval": 0, "replay": "none"])
    try watcher.watch()
    _ = try client.call("position.subscribe", ["minInterval": 0, "replay": "none"])

    var fixes: [Fix] = []
    var passiveFixes: [Fix] = []
    let deadline = monotonicSeconds() + TestDeadline.seconds
    var lastNews = monotonicSeconds()
    while try monotonicSeconds() < lastNews + self.quietTime || !stage.onLoop({ $0.isPlayed }) {
      guard monotonicSeconds() < deadline else { throw TimedOut("\(name) was not played to its end: \(stage.log)") }
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
    let isSameProcess = try stage.onLoop { $0.daemonExit == nil && $0.daemon?.pid == process }
    return Performance(
      name: name, seconds: bits / speed, fixes: fixes, passiveFixes: passiveFixes, reports: watcher.reports,
      received: status?["received"]?.double.map { Int($0) } ?? 0,
      fixesCounted: status?["fixes"]?.double.map { Int($0) } ?? 0, rejected: rejected, isSameProcess: isSameProcess,
      log: stage.log)
  }
}
