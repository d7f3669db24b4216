import JSONRPC
import PositionProtocol
import Positioning
import Printable
import TestSupport
import Testing

@testable import ControlCommands

struct FormatTests {
  private static func fix(_ change: (inout Fix) -> Void = { _ in }) -> Fix {
    var fix = Fix(
      latitude: 48.137154, longitude: 11.576124, arrival: Instant(sinceBoot: .seconds(1000)))
    change(&fix)
    return fix
  }

  @Test(
    "A fix is one line, without unknown values",
    arguments: [
      (fix(), nil, "48.137154 N, 11.576124 E (accuracy unknown), 3D, 0.4 s ago"),
      (
        fix {
          $0.horizontalAccuracy = 11
          $0.satellitesUsed = 9
          $0.altitude = 545.4
          $0.speed = 1.24
          $0.course = 270.6
        }, .house, Samples.fixLine
      ),
      (
        fix {
          $0.latitude = -33.8568
          $0.longitude = -70.5
          $0.horizontalAccuracy = 3.14
          $0.mode = .twoDimensional
          $0.status = .rtkFloat
          $0.satellitesUsed = 1
          $0.arrival = Samples.moment.now - .seconds(75)
        }, .room, "33.856800 S, 70.500000 W ±3.1 m (room), 2D RTK float, 1 satellite, 75 s ago"
      ),
      (
        fix {
          $0.latitude = -0.0000001
          $0.longitude = 0
          $0.horizontalAccuracy = 2000
          $0.isReduced = true
          $0.course = 359.7
          $0.arrival = Samples.moment.now - .seconds(7200)
        }, nil, "0.000 N, 0.000 E ±2000 m, 3D, precision reduced, course 0°, 2 h ago"
      ),
    ] as [(Fix, AccuracyLevel?, String)])
  func fixLine(fix: Fix, level: AccuracyLevel?, line: String) {
    #expect(FixFormat.line(fix, level: level, now: Samples.moment.now) == line)
  }

  @Test("A fix says in words that it is suspect or not to be trusted, and why; a trusted one says nothing")
  func doubtedFix() {
    var fix = Fix(latitude: 0, longitude: 0, arrival: Samples.moment.now)
    fix.integrity = .trusted
    let usual = FixFormat.line(fix, level: nil, now: Samples.moment.now)
    (fix.integrity, fix.integrityReasons) = (.suspect, [.signal])
    let suspect = FixFormat.line(fix, level: nil, now: Samples.moment.now)
    #expect(
      suspect == usual.replacing("3D", with: "3D, suspect: all satellites have one strength, or rose or fell together"))
    // A later daemon may have reasons that this version does not know.
    (fix.integrity, fix.integrityReasons) = (.untrusted, [])
    #expect(
      FixFormat.line(fix, level: nil, now: Samples.moment.now) == usual.replacing("3D", with: "3D, not to be trusted"))
  }

  @Test(
    "Numbers are rounded, not cut",
    arguments: [
      (0, 0, "0"), (0.5, 0, "1"), (-0.4, 0, "0"), (9.95, 1, "10.0"), (-1.005, 1, "-1.0"), (0.04, 2, "0.04"),
      (123.456789, 6, "123.456789"), (0.0000004, 6, "0.000000"), (.infinity, 1, "unknown"), (.nan, 1, "unknown"),
    ] as [(Double, Int, String)])
  func fixed(number: Double, decimals: Int, text: String) { #expect(number.fixed(decimals) == text) }

  @Test(
    "A duration has one unit, the next larger one from two of it",
    arguments: [
      (-1, "0.0 s"), (0.04, "0.0 s"), (9.9, "9.9 s"), (10, "10 s"), (119, "119 s"), (120, "2 min"), (7140, "119 min"),
      (7200, "2 h"), (171_000, "48 h"), (172_800, "2 days"),
    ] as [(Double, String)])
  func timeSpan(seconds: Double, words: String) { #expect(TimeSpan.words(seconds) == words) }

  @Test(
    "An update shows its reason, and the position",
    arguments: [
      (
        .init(fix: fix(), availability: .available, reason: .restored, dropped: 2),
        [
          "-- restored: fix available", "-- 2 fixes skipped",
          "48.137154 N, 11.576124 E (accuracy unknown), 3D, 0.4 s ago",
        ]
      ),
      (
        .init(fix: fix(), availability: .available, isReplay: true),
        ["48.137154 N, 11.576124 E (accuracy unknown), 3D, 0.4 s ago (cached)"]
      ),
      (
        .init(fix: fix(), availability: .available, isRepeat: true),
        ["48.137154 N, 11.576124 E (accuracy unknown), 3D, 0.4 s ago (repeated)"]
      ),
      (
        .init(availability: .lost, reason: .lost),
        ["-- lost: the fix was lost"]
      ),
      (
        .init(availability: .searching, state: .acquiring),
        ["-- searching: searching, no fix yet"]
      ),
      (
        .init(availability: .searching, state: .acquiring, reason: .init(rawValue: "\u{9b}2J")),
        ["-- \\u{9b}2J: searching, no fix yet"]
      ),
      (
        .init(availability: .denied, state: .suspended, reason: .changed),
        ["-- suspended: permission was withdrawn; delivery resumes when it is granted again"]
      ),
    ] as [(PositionUpdate, [String])])
  func update(update: PositionUpdate, lines: [String]) {
    #expect(UpdateFormat.lines(update, now: Samples.moment.now).written == lines)
  }

  @Test(
    "The progress line shows the present state, and never wraps",
    arguments: [
      (AcquisitionLine(), 80, "waiting for the receiver"),
      (AcquisitionLine(remaining: 27.4), 80, "waiting for the receiver; 27 s left"),
      (
        AcquisitionLine(satellitesSeen: 9, satellitesUsed: 3, accuracy: 45.2, remaining: -1), 80,
        "9 satellites seen, 3 used; ±45 m so far; 0 s left"
      ),
      (AcquisitionLine(satellitesSeen: 9, satellitesUsed: 3, accuracy: 45.2), 20, "9 satellites seen, "),
      (AcquisitionLine(satellitesSeen: 1), 0, ""),
    ])
  func acquisition(line: AcquisitionLine, columns: Int, text: String) { #expect(line.text(columns: columns) == text) }

  /// 2026-01-31T12:00:00Z.
  private static let noon = CodingMoment(now: Instant(sinceBoot: .seconds(200_000)), since1970: .seconds(1_769_860_800))

  /// An hour before that.
  private static let earlier = CodingMoment(
    now: noon.now - .seconds(3600), since1970: noon.since1970 - .seconds(3600))

  @Test("The status fits into a few lines")
  func status() throws {
    let moment = Self.noon
    let status = try DaemonStatus.codec.decode(
      Samples.status.encoded(), context: ReadingContext(moment: moment, leniency: [.members, .values]))
    #expect(
      StatusFormat.lines(status, at: moment) == [
        "positiond   0.1.0, up for 25 h",
        "Receiver    /dev/ttyACM0 (u-blox); fix available, for 3 min",
        "Power       on, for 4 min; gpsd decides whether it sleeps (rung=watch)",
        "Was on      12 % of the last hour, 3 % of the last day; 3 starts, 42 min in all",
        "First fix   no start was measured yet", "Next start  none is planned while the receiver is on",
        "gpsd        streaming, version 3.22, 1 reconnect",
        "Demand      ±5.0 m every 1.0 s",
        "In use by   none of your programs; those of other users are shown to administrators",
        "Reports     120 reports: 110 fixes, 8 duplicate, 2 without fix",
        "Last fix    0.4 s ago, house",
        "Clients     3 connections, 1 request in flight, 2 subscriptions",
      ])
    // With a moment before it: the clock was stepped.
    let lines = StatusFormat.lines(status, at: Self.earlier)
    #expect(lines[1] == "Receiver    /dev/ttyACM0 (u-blox); fix available, since 2026-01-31T11:57:00.000Z")
  }

  @Test("A window of 80 columns breaks no word of the status, and root is not referred to administrators")
  func narrowStatus() throws {
    var status = try DaemonStatus.codec.decode(
      Samples.status.encoded(), context: ReadingContext(moment: Self.noon, leniency: [.members, .values]))
    status.receiver.device = "/dev/serial/by-id/usb-u-blox_AG_C_www.u-blox.com_u-blox_7_GPS_GNSS_Receiver-if00"
    status.lastError = DaemonStatus.LastError(
      part: .receiver, message: "gpsd closes the connection at once, because it has its maximum of 64 clients",
      at: Self.noon.now - .seconds(780))
    let lines = StatusFormat.lines(status, at: Self.noon, isRoot: true, columns: 80)
    let wide = StatusFormat.lines(status, at: Self.noon, isRoot: true)
    #expect(lines.contains("In use by   nobody"))
    // Only the receiver's path is longer than the window by itself.
    #expect(
      lines.filter { $0.count >= 80 }.map { $0.hasPrefix("            /dev/serial") || $0.hasPrefix("Receiver") } == [
        true
      ])
    #expect(lines.count > wide.count)
    #expect(
      lines.joined(separator: " ").split(separator: " ") == wide.joined(separator: " ").split(separator: " "))
    #expect(
      wide.contains(
        "Last error  gpsd closes the connection at once, because it has its maximum of 64 clients, 13 min ago"))
  }

  @Test(
    "A share of an hour or a day is only said once that has passed",
    arguments: [
      (38, "34 of 38 s since positiond started"), (600, "9 of 10 min since positiond started"),
      (3600, "90 % of the last hour, 54 of 60 min since positiond started"),
      (18_000, "90 % of the last hour, 4.5 of 5.0 h since positiond started"),
      (86_400, "90 % of the last hour, 90 % of the last day"),
    ] as [(Int, String)])
  func shares(uptime: Int, text: String) {
    #expect(PowerFormat.shares(.init(hour: 0.9, day: 0.9), uptime: .seconds(uptime)) == text)
  }

  @Test("A fault of gpsd or the receiver is printed once, with the daemon's detail if it has one")
  func failure() throws {
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    status.gpsd.state = .receiverMissing
    status.gpsd.detail = "gpsd has no receiver"
    status.power.current.verifiedBy = "its reports"
    let lines = StatusFormat.lines(status, at: CodingMoment(now: .boot, since1970: .zero))
    #expect(lines[6] == "gpsd        gpsd has no receiver, version 3.22, 1 reconnect")
    #expect(lines[2].hasPrefix("Power       on, confirmed by incoming data, since "))
    #expect(Availability.receiverMissing.text(detail: "gpsd has no receiver") == "gpsd has no receiver")
    #expect(Availability.searching.text(detail: "connecting") == "searching, no fix yet; connecting")
  }

  @Test("A program with a subordinate number is shown by its owner, and by that number")
  func subordinate() {
    let principal = Principal(uid: 1000, pid: 42, user: "ada", subordinate: 165_540)
    #expect(PrincipalFormat.line(principal) == "ada as uid 165540, process 42")
  }

  @Test("Clients that keep the receiver on are shown with the kernel's facts first, and foreign text is escaped")
  func why() throws {
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    #expect(
      StatusFormat.why(status).written == [
        "Who needs the receiver (* sets accuracy and rate):",
        "* ada, process 42, calls itself \"map\\u{1b}[2J\", for \"shows the way\": position.subscribe, ±5.0 m every 1.0 s",
        "  uid 1001, process 43: position.get, ±100 m every 10 s",
      ])
    // Those of others are only counted.
    status.demand?.omitted = 3
    status.demand?.clients.removeLast()
    #expect(StatusFormat.why(status).last == "  and 3 more; only administrators can see those of other users")
    status.demand?.clients = []
    #expect(
      StatusFormat.why(status) == ["3 others need the receiver; only administrators can see who."])
    status.demand?.omitted = 1
    #expect(
      StatusFormat.why(status) == ["1 other needs the receiver; only administrators can see who."])
    status.demand?.omitted = 0
    #expect(StatusFormat.why(status) == ["Somebody needs the receiver; only administrators can see who."])
    status.demand = nil
    #expect(
      StatusFormat.why(status) == [
        "Nobody needs the receiver; it stays on for a moment in case somebody asks again."
      ]
    )
    status.power.current.state = .released
    #expect(StatusFormat.why(status) == ["Nobody needs the receiver."])
    status.power.current.state = .turningOff
    #expect(StatusFormat.why(status) == ["Nobody needs the receiver; it is being turned off."])
  }

  @Test("The rung in use is shown with the state, and what keeps it from turning the receiver off on a line of its own")
  func rung() throws {
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    status.power.current = PowerState(
      state: .off, rung: .ublox, verifiedBy: "its silence since the stop", since: status.power.current.since)
    var lines = StatusFormat.lines(status, at: CodingMoment(now: .boot, since1970: .zero))
    #expect(lines[2].hasPrefix("Power       off, confirmed by its silence since the stop, since "))
    #expect(lines[2].hasSuffix("; messages to it turn it off and on (rung=ublox)"))
    #expect(lines[6].hasPrefix("gpsd "))
    status.power.current.problem = "rung=ublox does not work: gpsd calls the receiver NMEA0183, not u-blox"
    lines = StatusFormat.lines(status, at: CodingMoment(now: .boot, since1970: .zero))
    #expect(lines[3] == "Problem     rung=ublox does not work: gpsd calls the receiver NMEA0183, not u-blox")
  }

  @Test("What the receiver was given is shown below the first fix, and why it was not all")
  func assistance() throws {
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    let moment = CodingMoment(now: .boot + .seconds(100), since1970: .seconds(100))
    status.power.current.saving = .oneHertz
    #expect(StatusFormat.lines(status, at: moment)[3] == "Saving      tracks for a part of each second")
    status.power.current.saving = .impossible
    #expect(
      StatusFormat.lines(status, at: moment)[3]
        == "Saving      full power, because the receiver refuses to save any, or does not confirm it")
    status.power.current.saving = nil
    status.power.current.assist = Assistance(given: [.time, .orbits], at: .boot + .seconds(95))
    #expect(StatusFormat.lines(status, at: moment)[4] == "Assistance  time, its orbits, 5.0 s ago")
    status.power.current.assist = Assistance(given: [], at: .boot + .seconds(95), problem: "the clock")
    #expect(StatusFormat.lines(status, at: moment)[4] == "Assistance  none: the clock, 5.0 s ago")
  }

  @Test("Users in use of positions are shown with the programs' own text marked")
  func inUse() throws {
    let status = Samples.status.with([
      "inUse": [
        ["uid": 1000, "user": "ada", "programs": ["map\u{1b}[2J", "clock"], "since": "2026-01-31T11:57:00.000Z"],
        ["uid": 61_200, "unit": "tracker.service", "programs": [], "since": "2026-01-31T11:59:30.000Z"],
      ]
    ])
    let read = try DaemonStatus.codec.decode(
      status.encoded(), context: ReadingContext(moment: Self.noon, leniency: [.members, .values]))
    let lines = StatusFormat.lines(read, at: Self.noon).written
    #expect(
      lines.contains(
        #"In use by   ada ("map\u{1b}[2J", "clock") for 3 min; uid 61200, tracker.service for 30 s"#), "\(lines)")
  }

  @Test("JSON for people is indented if it is long, and has the same content")
  func prettyJSON() throws {
    let value: JSONValue = [
      "short": [1, 2], "long": ["first": "a text of some length", "second": "another text of some length"], "none": nil,
    ]
    let lines = JSONFormat.lines(value, width: 40)
    #expect(
      lines == [
        "{", "  \"long\":{", "    \"first\":\"a text of some length\",",
        "    \"second\":\"another text of some length\"",
        "  },", "  \"none\":null,", "  \"short\":[1,2]", "}",
      ])
    #expect(try JSONValue(parsing: Array(lines.joined().utf8)) == value)
    #expect(JSONFormat.lines(value, width: 200) == [JSONFormat.line(value)])
  }
}
