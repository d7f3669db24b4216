import Notations
import PositionProtocol
import Positioning
import Printable

/// Where the device is, how well that is known, and what it may be trusted for.
enum FixPanel {
  static func panel(_ model: MonitorModel, now: Instant, in format: PositionFormat, width: Int, _ glyphs: Glyphs)
    -> Panel
  {
    Panel("Fix", importance: 1, least: 4, self.rows(model, now: now, in: format), width: width, glyphs)
  }

  static func rows(_ model: MonitorModel, now: Instant, in format: PositionFormat) -> [Row] {
    switch model.position {
    case .waiting: return [Row("Position", ["waiting for positiond"], importance: 1)]
    case .missing(let why): return [Row("Position", [why], .bad, importance: 1)]
    case .known(let position):
      guard let fix = position.fix else {
        return [Row("Position", [position.availability.text], position.availability.emphasis, importance: 1)]
      }
      return self.rows(fix, position, now: now, in: format)
    }
  }

  private static func rows(_ fix: Fix, _ position: MonitorModel.Position, now: Instant, in format: PositionFormat)
    -> [Row]
  {
    let accuracy = fix.horizontalAccuracy.map {
      format.accuracy($0) + (position.level.map { " (\($0.rawValue))" } ?? "")
    }
    let isFresh = position.availability == .available
    return [
      Row("Position", [format.place(fix), fix.isReduced ? "precision reduced" : nil], .bold, importance: 1),
      Row(
        "Accuracy",
        [
          accuracy ?? "unknown", fix.horizontalAccuracy95.map { "95 %: \(format.accuracy($0))" },
          fix.accuracySource?.text,
        ], importance: 2),
    ] + self.trust(fix) + [
      Row(
        "Age", ["\(TimeSpan.words(fix.age(at: now).seconds))", isFresh ? nil : position.availability.text],
        isFresh ? nil : position.availability.emphasis ?? .doubtful, importance: 3),
      Row(
        "Speed", [fix.speed.map(format.speed) ?? "unknown", fix.speedAccuracy.map { "±\(format.speed($0))" }],
        importance: 5),
      Row(
        "Course",
        [fix.course.map(FixFormat.degrees) ?? "unknown", fix.courseAccuracy.map { "±\(FixFormat.degrees($0))" }],
        importance: 6),
      Row(
        "Altitude",
        [fix.altitude.map(format.altitude) ?? "unknown", fix.verticalAccuracy.map(format.accuracy)], importance: 7),
      Row(
        "Kind", [FixFormat.kind(fix), fix.satellitesUsed.map { $0.counted("satellite", "satellites") }, fix.device],
        importance: 8),
    ]
  }

  /// docs/trust.md says what follows.
  private static func trust(_ fix: Fix) -> [Row] {
    let phrases =
      switch fix.integrity {
      case .trusted: ["trusted", "for every program and every decision"]
      case .suspect: ["suspect", "programs get it, marked"]
      case .untrusted: ["not to be trusted", "it decides nothing, and programs do not get it"]
      case nil: ["nothing speaks for or against it", "programs get it"]
      }
    let trust = Row("Trust", phrases, fix.integrity?.emphasis, importance: 4)
    guard !fix.integrityReasons.isEmpty else { return [trust] }
    return [trust, Row("Why", [fix.integrityReasons.text], fix.integrity?.emphasis, importance: 4)]
  }
}
