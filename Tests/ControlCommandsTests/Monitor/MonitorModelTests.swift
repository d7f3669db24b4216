import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// What the screen knows, and which changes are events.
struct MonitorModelTests {
  private static func status(_ change: (inout DaemonStatus) -> Void = { _ in }) throws -> DaemonStatus {
    var status: DaemonStatus = try Samples.decoded(Samples.status, moment: Samples.moment)
    change(&status)
    return status
  }

  private static func texts(_ events: [MonitorEvent]) -> [String] { events.map(\.text) }

  @Test("All of the first status is events, and the same again is none")
  func first() throws {
    var model = MonitorModel(keepsOn: false)
    #expect(
      Self.texts(model.received(try Self.status(), at: Samples.moment)) == [
        "12:00:00 the receiver is on: gpsd decides whether it sleeps (rung=watch)", "12:00:00 gpsd reads /dev/ttyACM0",
        "12:00:00 fix available",
        "12:00:00 gpsd: streaming",
        "12:00:00 ada \"map\u{1b}[2J\" needs position.subscribe, ±5.0 m every 1.0 s",
        "12:00:00 uid 1001 needs position.get, ±100 m every 10 s",
      ])
    #expect(model.received(try Self.status(), at: Samples.moment).isEmpty)
  }

  @Test("Each change of the status is one event")
  func changes() throws {
    var model = MonitorModel(keepsOn: false)
    model.received(try Self.status(), at: Samples.moment)
    func events(_ change: (inout DaemonStatus) -> Void) throws -> [String] {
      Self.texts(model.received(try Self.status(change), at: Samples.moment)).map { String($0.dropFirst(9)) }
    }
    #expect(
      try events { $0.power.current.state = .released } == [
        "the receiver is released: gpsd decides whether it sleeps (rung=watch)"
      ])
    #expect(try events { $0.power.current.problem = "it does not turn off" }.contains("it does not turn off"))
    #expect(try events { $0.gpsd.state = .gpsdDown }.contains("gpsd: cannot be reached"))
    #expect(try events { $0.receiver.availability = .lost }.contains("the fix was lost"))
    #expect(try events { $0.receiver.problem = .repeating }.contains(ReceiverProblem.repeating.text))
    #expect(
      try events {
        $0.receiver.integrity = .untrusted
        $0.receiver.integrityReasons = [.time]
      }.contains("fixes are not to be trusted: \(IntegrityReason.time.text)"))
    #expect(try events { _ in } == ["nothing speaks against the fixes now"])
    #expect(try events { $0.demand = nil }.contains("uid 1001 needs no position.get any more"))
    let error = DaemonStatus.LastError(message: "the disk is full", at: Samples.moment.now)
    #expect(try events { $0.lastError = error }.contains("the disk is full"))
  }

  @Test("A region that is entered or left is an event")
  func regions() throws {
    var model = MonitorModel(keepsOn: false)
    model.received(Samples.names(home: .outside), at: Samples.moment)
    #expect(model.events.list.isEmpty)
    model.received(Samples.names(home: .inside), at: Samples.moment)
    model.received(Samples.names(home: .outside), at: Samples.moment)
    #expect(Self.texts(model.events.list) == ["12:00:00 left tracker \"home\"", "12:00:00 entered tracker \"home\""])
  }

  @Test("A lost daemon is one event, and stands in the place of every value until they come again")
  func lost() throws {
    var model = try Samples.model()
    let error = PositionError.connectionLost(reason: "the daemon is stopping")
    let words = "lost the connection to positiond (the daemon is stopping); connecting again"
    #expect(Self.texts(model.disconnected(error, at: Samples.moment)) == ["12:00:00 \(words)"])
    #expect(model.disconnected(error, at: Samples.moment).isEmpty)
    #expect(FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat()).map(\.phrases) == [[words]])
    #expect(PowerPanel.rows(model, at: Samples.moment, width: 80, .unicode).map(\.phrases) == [[words]])
    #expect(
      ProgramsPanel.rows(model, at: Samples.moment, in: PositionFormat()).map(\.phrases) == [[MonitorModel.unconnected]]
    )
    #expect(
      SkyPanel.rows(model, now: Samples.moment.now, width: 80, .unicode).map(\.phrases) == [[MonitorModel.unconnected]])
    #expect(
      RegionsPanel.rows(model, at: Samples.moment, in: PositionFormat()).map(\.phrases) == [[MonitorModel.unconnected]])
    model.reconnected()
    model.received(try Self.status(), at: Samples.moment)
    model.began(.searching)
    #expect(
      FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat()).map(\.phrases) == [["searching, no fix yet"]])
    #expect(PowerPanel.rows(model, at: Samples.moment, width: 80, .unicode).count > 3)
  }

  @Test("A refusal stands in the place of the fix, with what to do, and is one event however often it comes")
  func refused() throws {
    var model = MonitorModel(keepsOn: false)
    let denied = RPCError(code: .notDetermined, message: "Not determined", data: ["remedy": "run it as root"])
    for _ in 1...3 { model.refused(.position, PositionError(denied), at: Samples.moment) }
    #expect(model.events.list.count == 1)
    #expect(
      FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat())[0].phrases[0].hasSuffix(
        "what to do: run it as root"))
  }

  @Test("Permission that is withdrawn takes the fix off the screen")
  func withdrawn() throws {
    var model = try Samples.model()
    model.received(PositionUpdate(availability: .denied, state: .suspended), at: Samples.moment)
    #expect(FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat()).map(\.label) == ["Position"])
    #expect(!FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat())[0].phrases[0].contains("48."))
  }

  @Test("What a fix may be trusted for is in words", arguments: [Integrity?.none, .trusted, .suspect, .untrusted])
  func trust(integrity: Integrity?) throws {
    var fix: Fix = try Samples.decoded(Samples.fix, moment: Samples.moment)
    fix.integrity = integrity
    fix.integrityReasons = integrity == .trusted ? [] : [.jamming]
    var model = MonitorModel(keepsOn: false)
    model.received(PositionUpdate(fix: fix, availability: .available), at: Samples.moment)
    let trust = FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat()).first { $0.label == "Trust" }?
      .phrases
    let why = FixPanel.rows(model, now: Samples.moment.now, in: PositionFormat()).first { $0.label == "Why" }?.phrases
    #expect(why == (integrity == .trusted ? nil : [IntegrityReason.jamming.text]))
    switch integrity {
    case nil: #expect(trust == ["nothing speaks for or against it", "programs get it"])
    case .trusted: #expect(trust == ["trusted", "for every program and every decision"])
    case .suspect: #expect(trust == ["suspect", "programs get it, marked"])
    case .untrusted: #expect(trust == ["not to be trusted", "it decides nothing, and programs do not get it"])
    }
  }

  @Test("Each key changes what is shown, and q quits")
  func keys() {
    var display = MonitorDisplay()
    for view in MonitorDisplay.View.allCases {
      #expect(display.typed(view.rawValue) == .redraw)
      #expect(display.view == view)
    }
    #expect(display.typed(" ") == .redraw && display.isFrozen)
    #expect(display.typed(" ") == .redraw && !display.isFrozen)
    #expect(display.typed("?") == .redraw && display.showsHelp)
    #expect(display.typed("x") == .redraw && !display.showsHelp)
    #expect(display.typed("x") == .none)
    #expect(display.typed("q") == .quit)
    for units in [UnitSystem.nautical, .imperial, .metric] {
      #expect(display.typed("u") == .redraw && display.format.units == units)
    }
    for _ in CoordinateNotation.allCases.dropFirst() {
      #expect(display.typed("c") == .redraw && display.format.notation != .decimal)
    }
    #expect(display.typed("c") == .redraw && display.format.notation == .decimal)
  }

  @Test("The track keeps its shape with few places, and leaves out untrusted fixes")
  func track() {
    var track = MonitorTrack()
    func fix(_ step: Int, _ integrity: Integrity? = nil) -> Fix {
      var fix = Fix(latitude: 48 + Double(step) * 0.0001, longitude: 11, arrival: .boot)
      fix.integrity = integrity
      return fix
    }
    for step in 0..<5000 { track.add(fix(step)) }
    #expect(track.segments.joined().count <= MonitorTrack.capacity)
    #expect(track.segments.first?.first?.latitude == 48)
    track.add(fix(90_000, .untrusted))
    #expect((track.newest?.latitude ?? 0) < 48.6)
    track.interrupt()
    track.add(fix(6000))
    #expect(track.segments.count == 2)
  }

  @Test("Interruptions without end do not grow the track")
  func interruptions() {
    var track = MonitorTrack()
    for step in 0..<5000 {
      track.add(Fix(latitude: 48, longitude: Double(step) * 0.001, arrival: .boot))
      track.interrupt()
    }
    #expect(track.segments.count <= MonitorTrack.capacity)
  }

  @Test("The distance to a region's edge is that to its circle or to the nearest side")
  func distance() {
    let place = Coordinate(latitude: 48, longitude: 11)
    let north = Coordinate(latitude: 48.009, longitude: 11)
    let circle = RegionShape.circle(center: north, radius: 400)
    #expect(abs(RegionDistance.toEdge(of: circle, from: place) - 600.8) < 1)
    #expect(abs(RegionDistance.toEdge(of: .circle(center: place, radius: 400), from: place) - 400) < 0.1)
    let square = [(48.001, 10.99), (48.001, 11.01), (48.2, 11.01), (48.2, 10.99)].map {
      Coordinate(latitude: $0, longitude: $1)
    }
    #expect(abs(RegionDistance.toEdge(of: .polygon(square), from: place) - 111.2) < 1)
  }

  @Test("The scale of the track is a round length, and the newest fix is marked")
  func drawing() throws {
    let model = try Samples.model()
    let drawing = TrackDots(model.track, columns: 40, rows: 10, .ascii)
    #expect(drawing.lines.count == 10)
    #expect(drawing.lines.count { $0.written(isColored: false).contains("@") } == 1)
    #expect(drawing.scale(PositionFormat()).written(isColored: false).contains(/^\|-+\| [125]0* k?m$/))
  }
}
