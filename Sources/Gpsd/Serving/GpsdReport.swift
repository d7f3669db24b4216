import JSONRPC
import Positioning
import ReceiverPorts

/// gpsd's classes, as positiond sends them to gpsd's clients.
///
/// `class` is the first member and no text has a blank between its members, because libgps finds the class by the
/// beginning of the line.
enum GpsdReport {
  /// The path of the one receiver that clients see. positiond chooses the receiver, and its real path is not for clients
  /// of reduced precision.
  static let device = "positiond"
  /// What a release begins with.
  private static let program = "positiond "

  /// Whether a banner's release is that of a positiond in gpsd's place.
  static func isOwn(release: String) -> Bool { release.hasPrefix(self.program) }

  // MARK: Reports

  /// - Parameter fix: `nil`: there is no fix.
  static func position(_ fix: Fix?) -> [UInt8] {
    self.line("TPV") { report in
      report.text("device", self.device)
      guard let fix else { return report.integer("mode", 1) }
      let hasAltitude = fix.altitude != nil || fix.ellipsoidalAltitude != nil
      report.integer("mode", fix.mode == .threeDimensional && hasAltitude ? 3 : 2)
      if fix.status != .gnss { report.integer("status", fix.status.gpsd) }
      if let time = fix.time { report.text("time", "\(time)") }
      report.number("lat", fix.latitude, decimals: 9)
      report.number("lon", fix.longitude, decimals: 9)
      report.number("altHAE", fix.ellipsoidalAltitude, decimals: 3)
      report.number("altMSL", fix.altitude, decimals: 3)
      report.number("alt", fix.altitude, decimals: 3)
      // gpsd's errors hold 95 %. libgps takes the horizontal one for known only with these two.
      let horizontal = fix.isVague ? nil : fix.horizontalAccuracy95
      report.number("epx", horizontal.map { $0 * self.axisOfRadius }, decimals: 3)
      report.number("epy", horizontal.map { $0 * self.axisOfRadius }, decimals: 3)
      report.number("epv", fix.verticalAccuracy.map { $0 * self.ratio95 }, decimals: 3)
      report.number("track", fix.course, decimals: 4)
      report.number("speed", fix.speed, decimals: 3)
      report.number("eps", fix.speedAccuracy.map { $0 * self.ratio95 }, decimals: 3)
      report.number("epd", fix.courseAccuracy.map { $0 * self.ratio95 }, decimals: 4)
      report.number("eph", horizontal, decimals: 3)
    }
  }

  static func sky(_ sky: Sky) -> [UInt8] {
    self.line("SKY") { report in
      report.text("device", self.device)
      report.number("vdop", sky.vdop, decimals: 2)
      report.number("hdop", sky.hdop, decimals: 2)
      report.number("pdop", sky.pdop, decimals: 2)
      report.integer("nSat", sky.satellites.count)
      report.integer("uSat", sky.satellitesUsed)
      report.list("satellites", sky.satellites.compactMap { self.satellite($0) })
    }
  }

  private static func satellite(_ satellite: Sky.Satellite) -> [UInt8]? {
    let number = SatelliteNumber(of: satellite)
    guard let prn = number.prn else { return nil }
    var report = ReportWriter()
    report.integer("PRN", prn)
    report.number("el", satellite.elevation, decimals: 1)
    report.number("az", satellite.azimuth, decimals: 1)
    report.number("ss", satellite.snr, decimals: 1)
    report.boolean("used", satellite.isUsed)
    if let gnssid = number.gnssid {
      report.integer("gnssid", gnssid)
      report.integer("svid", satellite.svid)
    }
    return report.end()
  }

  /// `nil` for a heading that is no compass's.
  static func attitude(_ heading: Heading) -> [UInt8]? {
    guard heading.source == .sensor, let direction = heading.trueHeading ?? heading.magneticHeading else { return nil }
    return self.line("ATT") { report in
      report.text("device", self.device)
      if let time = heading.time { report.text("time", "\(time)") }
      report.number("heading", direction, decimals: 2)
      report.number("mheading", heading.magneticHeading, decimals: 2)
      // How gpsd says that it has only a magnetic compass.
      if heading.trueHeading == nil { report.text("mag_st", "N") }
    }
  }

  // MARK: Replies

  static func version() -> [UInt8] {
    self.line("VERSION") { report in
      let release = self.program + Release.version
      report.text("release", release)
      report.text("rev", release)
      // gpsd 3.22's, whose members these are.
      report.integer("proto_major", 3)
      report.integer("proto_minor", 14)
    }
  }

  static func device(activated: Timestamp?) -> [UInt8] { self.line("DEVICE") { self.describe(activated, in: &$0) } }

  /// - Parameter activated: Since when the client watches; `nil`: it does not.
  static func devices(activated: Timestamp?) -> [UInt8] {
    var device = ReportWriter()
    device.text("class", "DEVICE")
    self.describe(activated, in: &device)
    return self.line("DEVICES") { $0.list("devices", [device.end()]) }
  }

  private static func describe(_ activated: Timestamp?, in report: inout ReportWriter) {
    report.text("path", self.device)
    report.text("driver", "positiond")
    if let activated { report.text("activated", "\(activated)") }
    // It is a receiver of positions.
    report.integer("flags", 1)
    // gpsd's of a serial line, which clients require: NMEA at 9600 baud without parity, every second.
    report.integer("native", 0)
    report.integer("bps", 9600)
    report.text("parity", "N")
    report.integer("stopbits", 1)
    report.number("cycle", 1, decimals: 2)
  }

  static func watch(_ policy: WatchPolicy) -> [UInt8] {
    self.line("WATCH") { report in
      report.boolean("enable", policy.isEnabled)
      report.boolean("json", policy.sendsReports)
      report.boolean("nmea", policy.sendsSentences)
      report.integer("raw", 0)
      for name in ["scaled", "timing", "split24", "pps"] { report.boolean(name, false) }
      if let device = policy.device { report.text("device", device) }
    }
  }

  /// - Parameter newest: The newest TPV and SKY; `nil`: the client does not watch.
  static func poll(at time: Timestamp, _ newest: (position: [UInt8], sky: [UInt8])?) -> [UInt8] {
    self.line("POLL") { report in
      report.text("time", "\(time)")
      report.integer("active", newest == nil ? 0 : 1)
      report.list("tpv", newest.map { [Array($0.position.dropLast(2))] } ?? [])
      report.list("gst", [])
      report.list("sky", newest.map { [Array($0.sky.dropLast(2))] } ?? [])
    }
  }

  static func error(_ message: String) -> [UInt8] { self.line("ERROR") { $0.text("message", message) } }

  // MARK: Form

  /// For one dimension, what holds 95 % divided by one sigma.
  private static let ratio95 = 1.96
  /// For a round error, what holds 95 % on one axis divided by the radius that holds 95 %.
  private static let axisOfRadius = 1.96 / 2.448

  private static func line(_ name: String, _ write: (inout ReportWriter) -> Void) -> [UInt8] {
    var report = ReportWriter()
    report.text("class", name)
    write(&report)
    return report.end() + Array("\r\n".utf8)
  }
}

/// Writes one JSON object, member by member. Numbers that are unknown are left out.
private struct ReportWriter: ~Copyable {
  private var writer = JSONWriter(moment: .none)

  init() { self.writer.openObject() }

  mutating func text(_ name: String, _ text: String) {
    self.writer.key(name)
    self.writer.string(text)
  }

  mutating func integer(_ name: String, _ value: Int) {
    self.writer.key(name)
    self.writer.integer(value)
  }

  mutating func boolean(_ name: String, _ value: Bool) {
    self.writer.key(name)
    self.writer.boolean(value)
  }

  mutating func number(_ name: String, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite else { return }
    self.writer.key(name)
    self.writer.number(value, decimals: decimals)
  }

  mutating func list(_ name: String, _ elements: [[UInt8]]) {
    self.writer.key(name)
    self.writer.openArray()
    for element in elements {
      self.writer.element()
      self.writer.raw(element.span)
    }
    self.writer.closeArray()
  }

  mutating func end() -> [UInt8] {
    self.writer.closeObject()
    return self.writer.bytes
  }
}
