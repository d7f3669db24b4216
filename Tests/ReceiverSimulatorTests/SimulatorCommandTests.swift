import Positioning
import Testing

@testable import ReceiverSimulator

@Suite("The command line") struct SimulatorCommandTests {
  static func parse(_ arguments: [String]) throws(SpecificationError) -> SimulatorCommand {
    try SimulatorCommand.parse(arguments) { path throws(SpecificationError) in
      guard path == "walk.gpx" else { throw SpecificationError("open \(path): no such file") }
      return "<trkpt lat=\"1\" lon=\"2\"/>"
    }
  }

  @Test("without options it is a plain receiver")
  func plain() throws {
    #expect(
      try Self.parse([]) == .receive(.init(settings: Simulation.Settings(), link: nil, isJSON: false, time: nil)))
  }

  @Test("every option reaches its setting")
  func everyOption() throws {
    let arguments = [
      "--route", "point:1,2", "--rate=10", "--driver", "ublox", "--start", "hot", "--ttff", "2,20,200",
      "--keeps-running", "--boot", "500ms", "--heading=pashr", "--quality", "rtk-fixed", "--decimals", "8", "--gst",
      "--noise", "2.5", "--seed", "42", "--fault", "nosky@1s+1s", "--fault", "split", "--link", "/tmp/gps0", "--json",
      "--seconds", "3",
    ]
    guard case .receive(let run) = try Self.parse(arguments) else {
      Issue.record("not a receiver")
      return
    }
    var expected = Simulation.Settings(
      route: .point(Coordinate(latitude: 1, longitude: 2)), period: .milliseconds(100), quality: .rtkFixed,
      nmea: NMEAEncoder(decimals: 8, includesErrorEstimate: true, headingSentence: .pashr), hasCompass: true,
      faults: [Fault(.noSky, start: .seconds(1), duration: .seconds(1)), Fault(.split)])
    expected.receiver = .init(
      kind: .ublox, timeToFirstFix: .init(hot: .seconds(2), warm: .seconds(20), cold: .seconds(200)),
      firstStart: .hot, keepsRunning: true, boot: .milliseconds(500))
    expected.errors = .init(noise: 2.5, seed: 42)
    #expect(run == .init(settings: expected, link: "/tmp/gps0", isJSON: true, time: .seconds(3)))
  }

  @Test("a file's route is read from the file")
  func file() throws {
    guard case .receive(let run) = try Self.parse(["--route", "walk.gpx"]), case .track = run.settings.route else {
      Issue.record("not a track")
      return
    }
  }

  @Test(
    "rates whose epochs fall on round times are taken",
    arguments: [("25", 40), ("20", 50), ("8", 125), ("1", 1000), ("0.5", 2000), ("0.1", 10_000)])
  func rates(text: String, milliseconds: Int) throws {
    guard case .receive(let run) = try Self.parse(["--rate", text]) else {
      Issue.record("not a receiver")
      return
    }
    #expect(run.settings.period == .milliseconds(milliseconds))
  }

  @Test("replay takes a log and its pace")
  func replay() throws {
    #expect(
      try Self.parse(["replay", "a.log"])
        == .replay(.init(log: "a.log", pace: .line(speed: 9600, factor: 1), link: nil, isJSON: false)))
    #expect(
      try Self.parse(["replay", "--speed", "10", "--baud", "38400", "--link", "l", "--", "-a.log"])
        == .replay(.init(log: "-a.log", pace: .line(speed: 38_400, factor: 10), link: "l", isJSON: false)))
    #expect(
      try Self.parse(["replay", "a.log", "--speed=max", "--json"])
        == .replay(.init(log: "a.log", pace: .reader, link: nil, isJSON: true)))
  }

  @Test("sandbox takes the receiver's options and lines for positiond")
  func sandbox() throws {
    let arguments = [
      "sandbox", "--start", "ready", "--positiond", "/x/positiond", "--linger", "5s", "--set", "rule me.user=a=b",
      "--set", "log.level=info", "--set", "log.level=debug",
    ]
    guard case .sandbox(let run) = try Self.parse(arguments) else {
      Issue.record("not a sandbox")
      return
    }
    #expect(run.settings.receiver.firstStart == .ready)
    #expect(run.positiond == "/x/positiond")
    #expect(
      run.configuration == [
        .init(section: "receiver", key: "linger", value: "5s"), .init(section: "rule me", key: "user", value: "a=b"),
        .init(section: "log", key: "level", value: "debug"),
      ])
  }

  @Test(
    "what cannot be understood is refused with the option, what was given, and what is expected",
    arguments: [
      (["--fly"], "there is no option --fly"), (["--rate"], "--rate needs a value: HZ"),
      (["--rate", "3"], "--rate: 3 epochs a second"), (["--rate", "30"], "HZ is 30, outside 0.1 to 25.0"),
      (["--start", "tepid"], "--start: \"tepid\" is none of ready, hot, warm, cold"),
      (["--ttff", "1,2"], "--ttff: \"1,2\" has 2 parts"), (["--seed", "x"], "--seed: \"x\" is not a whole number"),
      (["--json=1"], "--json takes no value"), (["--r", "1"], "could be --route, --rate"),
      (["-r"], "there is no option -r"), (["fly"], "\"fly\" is no command"), (["replay"], "0 are given"),
      (["replay", "a", "b"], "2 are given"), (["replay", "a", "--speed", "0"], "--speed: N is 0"),
      (["sandbox", "--link", "x"], "there is no option --link"),
      (["sandbox", "--set", "x"], "is not SECTION.KEY=VALUE"),
      (["sandbox", "--set", ".=x"], "is not SECTION.KEY=VALUE"), (["--route", "no.gpx"], "open no.gpx"),
      (["--fault", "rain"], "\"rain\" is no kind of fault"), (["--boot", "-1s"], "less than 0"),
    ])
  func refused(arguments: [String], expected: String) {
    let error = #expect(throws: SpecificationError.self) { try Self.parse(arguments) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("help names every option of the command", arguments: [[], ["replay"], ["sandbox"]])
  func help(command: [String]) throws {
    guard case .help(let text) = try Self.parse(command + ["--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("--json"))
    if command != ["replay"] {
      #expect(ReceiverOptions.table.allSatisfy { $0.name == "link" || text.contains("--\($0.name)") })
    }
  }
}
