import Positioning
import ProgramArguments
import Testing

@testable import ReceiverSimulator

@Suite("The command line") struct SimulatorCommandTests {
  static func parse(_ arguments: [String]) throws(UsageError) -> SimulatorCommand {
    try SimulatorCommand.parse(arguments) { path throws(UsageError) in
      guard path == "walk.gpx" else { throw UsageError("open \(path): no such file") }
      return "<trkpt lat=\"1\" lon=\"2\"/>"
    }
  }

  @Test("without options it is a plain receiver")
  func plain() throws {
    #expect(
      try Self.parse([]) == .receive(.init(settings: Simulation.Settings(), link: nil, isJSON: false, time: nil)))
  }

  @Test("every option sets its setting")
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
    "rates whose epochs fall on round times are accepted",
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
    "an invalid option is refused with its name, its value, and what is expected",
    arguments: [
      (["--fly"], "unknown option \"--fly\""),
      (["--sede", "1"], "unknown option \"--sede\"; did you mean \"--seed\"?"),
      (["--rate"], "--rate needs a value: --rate HZ"),
      (["--rate", "3"], "--rate: invalid value \"3\", expected epochs a second that fall on round times: 0.1,"),
      (["--rate", "30"], "--rate: invalid value \"30\", expected epochs a second that fall on round times: 0.1,"),
      (["--start", "tepid"], "--start: invalid value \"tepid\", expected one of ready, hot, warm, cold"),
      (["--ttff", "1,2"], "--ttff: invalid value \"1,2\", expected three numbers of seconds"),
      (["--ttff", "1,2,x"], "--ttff: invalid value \"1,2,x\", expected three numbers of seconds"),
      (["--seed", "x"], "--seed: invalid value \"x\", expected a whole number"),
      (["--json=1"], "--json takes no value, but \"1\" was given"), (["-r"], "unknown option \"-r\""),
      (["fly"], "\"fly\" is no command"), (["replay"], "replay: missing LOG"),
      (["replay", "a", "b"], "replay: unexpected argument \"b\""), (["--gst", "b"], "unexpected argument \"b\""),
      (
        ["replay", "a", "--speed", "0"],
        "replay: --speed: invalid value \"0\", expected a number from 0.01 to 10000, or max"
      ),
      (["sandbox", "--link", "x"], "sandbox: unknown option \"--link\""),
      (["sandbox", "--set", "x"], "sandbox: --set: invalid value \"x\", expected SECTION.KEY=VALUE"),
      (["sandbox", "--set", ".=x"], "expected SECTION.KEY=VALUE"),
      (["--route", "no.gpx"], "open no.gpx"), (["--fault", "rain"], "--fault: rain: \"rain\" is no kind of fault"),
      (["--boot", "-1s"], "--boot: invalid value \"-1s\", expected a duration from 0"),
      (["--boot", "soon"], "--boot: TIME is \"soon\"; expected a duration"),
    ])
  func refused(arguments: [String], expected: String) {
    let error = #expect(throws: UsageError.self) { try Self.parse(arguments) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("help names every option of the command", arguments: [[], ["replay"], ["sandbox"]])
  func help(command: [String]) throws {
    guard case .help(let lines) = try Self.parse(command + ["--help"]) else {
      Issue.record("no help")
      return
    }
    let text = lines.joined(separator: "\n")
    #expect(lines.first?.hasPrefix((["positionsim"] + command).joined(separator: " ")) == true)
    #expect(text.contains("--json"))
    if command != ["replay"] { #expect(ReceiverOptions.all.allSatisfy { text.contains("--\($0.name)") }) }
  }

  @Test("the examples of the help texts are command lines")
  func examples() throws {
    let descriptions = [
      SimulatorCommand.receiveDescription, SimulatorCommand.replayDescription, SimulatorCommand.sandboxDescription,
    ]
    for description in descriptions {
      #expect(!description.examples.isEmpty)
      for example in description.examples where example.key.hasPrefix("positionsim") {
        _ = try Self.parse(example.key.split(separator: " ").dropFirst().map(String.init))
      }
    }
  }

  @Test("of the lines for positiond with the same key the last counts, and --linger precedes all")
  func configurationLines() throws {
    let lines = [
      (["--linger", "5s", "--set", "receiver.linger=7s"], ["7s"]),
      (["--set", "receiver.linger=7s", "--linger", "5s"], ["7s"]),
      (["--linger", "5s", "--linger", "6s"], ["6s"]),
    ]
    for (words, values) in lines {
      guard case .sandbox(let run) = try Self.parse(["sandbox"] + words) else {
        Issue.record("not a sandbox")
        continue
      }
      #expect(run.configuration.map(\.value) == values)
    }
  }
}
