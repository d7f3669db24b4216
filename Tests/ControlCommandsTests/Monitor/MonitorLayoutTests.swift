import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import TestSupport
import Testing

@testable import ControlCommands

/// The screen of `positionctl monitor` without a terminal: its pictures are in Captures, which `make documents` writes.
struct MonitorLayoutTests {
  /// What is known in a picture.
  enum Situation: String, CaseIterable, Sendable {
    case all, lost, denied, nogpsd, nosky, untrusted

    var model: MonitorModel {
      get throws {
        var model = try Samples.model()
        switch self {
        case .all: break
        case .lost:
          model.disconnected(.daemonNotRunning(socket: "/run/positiond/positiond.sock"), at: Samples.moment)
        case .denied:
          for part in MonitorModel.Part.allCases {
            model.refused(
              part, .failed(RPCError(code: .denied, message: "Denied: a rule denies it")), at: Samples.moment)
          }
        case .nogpsd:
          model = MonitorModel(keepsOn: true)
          var status: DaemonStatus = try Samples.decoded(Samples.status, moment: Samples.moment)
          status.receiver.availability = .gpsdDown
          status.gpsd.state = .gpsdDown
          status.gpsd.detail = "gpsd refuses connections at 127.0.0.1:2947"
          model.received(status, at: Samples.moment)
          model.began(.gpsdDown)
          model.received(nil)
        case .nosky:
          model = MonitorModel(keepsOn: true)
          model.received(
            try Samples.decoded(Samples.status, moment: Samples.moment) as DaemonStatus, at: Samples.moment)
          model.began(.searching)
          model.received(Sky(satellites: [], arrival: Samples.moment.now))
        case .untrusted:
          var fix = try Samples.decoded(Samples.fix, moment: Samples.moment) as Fix
          fix.integrity = .untrusted
          fix.integrityReasons = [.spoofing, .speed]
          model.received(PositionUpdate(fix: fix, availability: .untrusted), at: Samples.moment)
        }
        return model
      }
    }
  }

  struct Capture: Sendable, CustomTestStringConvertible {
    var situation = Situation.all
    var view = MonitorDisplay.View.all
    var size = (columns: 80, rows: 24)
    var isColored = false
    var glyphs = Glyphs.unicode

    var testDescription: String {
      let kind = self.isColored ? "ansi" : self.glyphs.isUnicode ? "txt" : "ascii.txt"
      let name = self.view == .all ? self.situation.rawValue : self.view.name
      return "\(name)-\(self.size.columns)x\(self.size.rows).\(kind)"
    }

    var lines: [String] {
      get throws {
        let layout = MonitorLayout(width: self.size.columns, height: self.size.rows, glyphs: self.glyphs)
        var display = MonitorDisplay()
        display.view = self.view
        return layout.lines(try self.situation.model, display, at: Samples.moment).map {
          $0.written(isColored: self.isColored)
        }
      }
    }
  }

  private static let sizes = [(columns: 40, rows: 12), (columns: 80, rows: 24), (columns: 120, rows: 40)]

  private static let allCaptures: [Capture] =
    Self.sizes.flatMap { size in
      [
        Capture(size: size, isColored: true), Capture(size: size), Capture(size: size, glyphs: .ascii),
        Capture(situation: .lost, size: size),
      ]
    } + MonitorDisplay.View.allCases.dropFirst().map { Capture(view: $0) }
    + [.denied, .nogpsd, .nosky, .untrusted].map { Capture(situation: $0) }

  @Test("Each picture is as captured", arguments: allCaptures)
  func captures(_ capture: Capture) throws {
    let document = try WrittenDocument("Tests/ControlCommandsTests/Captures/\(capture.testDescription)")
    let text = try capture.lines.map { line in
      // The blanks that fill the screen would be invisible in the file.
      String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
    #expect(try document.isCurrent(text), "\(WrittenDocument.advice):\n\(text)")
  }

  @Test("A picture fills exactly its size, from 1 x 1 to 200 x 60", arguments: MonitorDisplay.View.allCases)
  func size(view: MonitorDisplay.View) throws {
    for situation in Situation.allCases {
      let model = try situation.model
      for columns in [1, 20, 40, 71, 72, 110, 200] {
        for rows in [1, 9, 12, 24, 60] {
          var display = MonitorDisplay()
          display.view = view
          let layout = MonitorLayout(width: columns, height: rows, glyphs: columns == 71 ? .ascii : .unicode)
          let lines = layout.lines(model, display, at: Samples.moment)
          #expect(lines.count == rows)
          #expect(lines.allSatisfy { $0.columns == columns }, "\(situation) \(view) \(columns) x \(rows)")
        }
      }
    }
  }

  @Test("In ASCII nothing else is drawn")
  func ascii() throws {
    for situation in Situation.allCases {
      for view in MonitorDisplay.View.allCases {
        let capture = Capture(situation: situation, view: view, size: (120, 40), glyphs: .ascii)
        #expect(try capture.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
      }
    }
  }

  @Test("Nothing is cut inside a word", arguments: [Situation.lost, .denied, .nogpsd, .nosky])
  func words(situation: Situation) throws {
    let model = try situation.model
    let moment = Samples.moment
    let rows =
      FixPanel.rows(model, now: moment.now, in: PositionFormat())
      + PowerPanel.rows(model, at: moment, width: 80, .unicode)
      + ProgramsPanel.rows(model, at: moment, in: PositionFormat())
      + RegionsPanel.rows(model, at: moment, in: PositionFormat())
      + SkyPanel.rows(model, now: moment.now, width: 80, .unicode)
    let texts =
      rows.flatMap { [$0.label] + $0.phrases.flatMap { [$0.printable, "\($0.printable),"] } }
      + model.events.list.map(\.text.printable)
      + [
        "Fix Sky Receiver Programs Regions near by Track Events Satellites frozen observes only, turns nothing on",
        "positiond 0.1.0 keeps the receiver it 12:00:00 UTC 1 all 2 sky 3 power 4 programs 5 events ? keys q quit",
        "space freeze waiting for no fix yet only … |",
      ]
    let words = Set(texts.flatMap { $0.split(separator: " ").map(String.init) })
    var cut: Set<String> = []
    for columns in stride(from: 20, through: 130, by: 5) {
      let lines = MonitorLayout(width: columns, height: 40, glyphs: .unicode).lines(model, MonitorDisplay(), at: moment)
      for word in lines.flatMap({ $0.written(isColored: false).split(separator: " ") }) {
        // The strip of the hour, and the lines of titles and of the track.
        let isDrawn = word.allSatisfy { "█▄·─|●".contains($0) || ("\u{2800}"..."\u{28FF}").contains($0) }
        let isScale = model.track.newest != nil && word.contains(/^([125]0*|[125].00|m|km)$/)
        if !isDrawn, !isScale, !words.contains(String(word)) { cut.insert(String(word)) }
      }
    }
    #expect(cut.isEmpty)
  }

  @Test("Units and notation are those that were chosen")
  func format() throws {
    var display = MonitorDisplay()
    display.format = PositionFormat(units: .imperial, notation: .mgrs)
    let lines = MonitorLayout(width: 80, height: 24, glyphs: .unicode)
      .lines(try Samples.model(), display, at: Samples.moment).map { $0.written(isColored: false) }
    #expect(lines.contains { $0.hasPrefix("Position   32U PU ") })
    #expect(lines.contains { $0.hasPrefix("Altitude   1788 ft") })
    #expect(lines.contains { $0.hasPrefix("Speed      2.7 mph") })
  }

  @Test("The help has each key")
  func help() throws {
    var display = MonitorDisplay()
    display.showsHelp = true
    let lines = MonitorLayout(width: 40, height: 12, glyphs: .ascii).lines(
      try Samples.model(), display, at: Samples.moment)
    for (key, _) in display.keys {
      #expect(lines.contains { $0.written(isColored: false).hasPrefix("\(key) ") }, "\(key)")
    }
  }

  @Test("The screen says whether it only observes, and that it is frozen, however narrow it is")
  func header() throws {
    func header(_ columns: Int, keepsOn: Bool, isFrozen: Bool = false) throws -> String {
      var display = MonitorDisplay()
      display.isFrozen = isFrozen
      let layout = MonitorLayout(width: columns, height: 12, glyphs: .unicode)
      return try layout.lines(Samples.model(keepsOn: keepsOn), display, at: Samples.moment)[0].written(isColored: false)
    }
    #expect(try header(80, keepsOn: false).hasPrefix("positiond 0.1.0  observes only, turns nothing on  12:00:00 UTC "))
    #expect(try header(40, keepsOn: true).hasPrefix("keeps the receiver on  12:00:00 UTC "))
    #expect(try header(40, keepsOn: false, isFrozen: true).contains("frozen"))
    #expect(try header(20, keepsOn: false).hasPrefix("observes only "))
  }
}
