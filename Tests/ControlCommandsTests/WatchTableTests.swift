import JSONRPC
import Notations
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// What a terminal of 80 columns shows.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct WatchTableTests {
  private static func fix(accuracy: Double? = 11) -> Fix {
    var fix = Fix(
      latitude: 48.137154, longitude: 11.576124, horizontalAccuracy: accuracy, altitude: 545, speed: 1.2, course: 270.6,
      arrival: Instant(sinceBoot: .seconds(1000)), satellitesUsed: 9)
    fix.status = .dgnss
    return fix
  }

  private static func lines(
    _ fix: Fix = fix(), _ format: PositionFormat = PositionFormat(), remark: String? = nil, columns: Int,
    isUnicode: Bool = true
  ) -> [String] {
    var table = WatchTable(format, isUnicode: isUnicode)
    return table.lines(fix, remark: remark, at: Samples.moment, columns: columns, rows: 24).written
  }

  @Test("A wide window has every column, a header above them, and the time of the day")
  func wide() {
    let clock = WatchTable.clock(Timestamp(of: Self.fix().arrival, at: Samples.moment))
    #expect(
      Self.lines(remark: "cached", columns: 120) == [
        "TIME      POSITION                     ACCURACY      SPEED   COURSE  ALTITUDE  SATS  FIX              AGE",
        "\(clock)  48.137154 N, 11.576124 E        ±11 m    1.2 m/s     271°     545 m     9  3D DGNSS       0.4 s  cached",
      ])
  }

  @Test(
    "No line is wider than the window, and columns are left out by their rank",
    arguments: CoordinateNotation.allCases, [30, 40, 60, 80, 100, 200])
  func narrow(notation: CoordinateNotation, columns: Int) {
    for isUnicode in [true, false] {
      let format = PositionFormat(units: .imperial, notation: notation)
      let lines = Self.lines(Self.fix(), format, remark: "repeated", columns: columns, isUnicode: isUnicode)
      #expect(lines.count == 2)
      for line in lines where columns > 30 || lines[0].contains("TIME") {
        #expect(line.count < columns, "\(line)")
      }
      #expect(lines[0].contains("POSITION"))
      if columns >= 80 { #expect(lines[0].contains("TIME") && lines[0].contains("SPEED")) }
    }
  }

  @Test("The header comes once, again when the window changes, and before it is gone")
  func header() {
    var table = WatchTable(PositionFormat(), isUnicode: true)
    let counts = [80, 80, 120, 120, 80].map { columns in
      table.lines(Self.fix(), remark: nil, at: Samples.moment, columns: columns, rows: 24).count
    }
    #expect(counts == [2, 1, 2, 1, 2])
    let later = (0..<22).map { _ in
      table.lines(Self.fix(accuracy: nil), remark: nil, at: Samples.moment, columns: 80, rows: 24).count
    }
    #expect(later == Array(repeating: 1, count: 21) + [2])
  }

  @Test("watch on a terminal prints a table, and events on standard error; into a pipe nothing changes")
  func watch() async throws {
    let script: FakeDaemon.Script = { method, _ in
      guard method == "position.subscribe" else { return [] }
      let subscription = Samples.subscription.with(["availability": "searching"])
      return [.result(subscription), .notify("position.update", Samples.update())]
    }
    for isTerminal in [true, false] {
      let daemon = try FakeDaemon(script)
      var setting = CommandRun.Setting(isOutputTerminal: isTerminal, environment: ["NO_COLOR": "1", "COLUMNS": "64"])
      setting.outputBreaksAfter = isTerminal ? 1 : 2
      let run = try await CommandRun.of(["watch"], at: daemon.path, setting)
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 2, "\(run.output)")
      if isTerminal {
        #expect(lines.first?.hasPrefix("TIME      POSITION") == true)
        #expect(lines.allSatisfy { $0.count < 64 })
        #expect(run.errors == "positionctl: searching: searching, no fix yet\n")
      } else {
        #expect(lines.first == "-- searching: searching, no fix yet")
        #expect(run.errors == "")
      }
    }
  }

  @Test(
    "A line that is redrawn leaves no pieces in a window that was made narrower, and reports begin on a line of their own"
  )
  func redrawn() {
    let sink = RecordingSink()
    let process = ProcessEnvironment(output: sink, errors: sink)
    process.redraw("a long line of progress")
    process.redraw("another one")
    process.report("something")
    process.redraw("")
    // The cursor waits at the line's begin, where it is after the terminal has broken the line anew.
    #expect(
      sink.text == "\r\u{1b}[Ja long line of progress\r\r\u{1b}[Janother one\r\r\u{1b}[Jpositionctl: something\n")
  }

  private final class RecordingSink: TextSink {
    let isTerminal = true
    let (columns, rows) = (80, 24)
    let loss: OutputLoss? = nil
    private(set) var text = ""

    func write(_ text: String) { self.text += text }
  }
}

/// The sky beside its table.
struct SkyScreenTests {
  private static let many = Sky(
    satellites: (1...19).map {
      .init(
        constellation: .gps, svid: $0, elevation: Double($0 * 4), azimuth: Double($0 * 18), snr: Double(20 + $0),
        isUsed: $0 % 2 == 0)
    }, hdop: 0.9, arrival: Instant(sinceBoot: .seconds(1000)))

  private static func lines(columns: Int, rows: Int, isCut: Bool = true, isUnicode: Bool = true) -> [String] {
    SkyScreen(columns: columns, rows: rows, isCut: isCut, isUnicode: isUnicode)
      .lines(self.many, now: Samples.moment.now).written
  }

  @Test(
    "The sky and its table are side by side, in no more lines and columns than the window has",
    arguments: [
      (80, 24), (80, 20), (60, 16), (100, 50), (40, 10), (45, 24), (132, 12),
    ])
  func fits(columns: Int, rows: Int) {
    for isUnicode in [true, false] {
      let lines = Self.lines(columns: columns, rows: rows, isUnicode: isUnicode)
      #expect(lines.count < rows, "\(lines.joined(separator: "\n"))")
      if columns >= 60 {
        for line in lines { #expect(line.count < columns, "\(line)") }
      }
      #expect(lines.last?.hasPrefix("9 of 19 satellites used") == true)
    }
    // Printed once, it may scroll, and lacks no satellite.
    let whole = Self.lines(columns: columns, rows: rows, isCut: false)
    for number in 1...19 {
      #expect(whole.contains { $0.contains("G\(number < 10 ? "0" : "")\(number)  ") }, "\(number)")
    }
  }

  @Test("In 80 columns and 24 lines the picture has its whole size")
  func usual() {
    let lines = Self.lines(columns: 80, rows: 24)
    #expect(lines.count == 22)
    #expect(lines[0].contains(". N .") && lines[0].hasSuffix("SAT  ELEV  AZIM  SNR  USED"))
    #expect(lines[1].contains("G01    4°   18°   21"))
    let ascii = Self.lines(columns: 80, rows: 24, isUnicode: false)
    #expect(ascii.allSatisfy { $0.allSatisfy(\.isASCII) })
  }
}
