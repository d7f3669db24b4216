import PositionProtocol
import Testing

@testable import ControlCommands

struct CommandLineTests {
  @Test(
    "A wrong command line is told in words, with what was expected and the nearest spelling",
    arguments: [
      ("", "a command is missing; \"positionctl --help\" lists them"),
      ("gett", "unknown command \"gett\"; did you mean \"get\"? \"positionctl --help\" lists them"),
      ("frobnicate", "unknown command \"frobnicate\" \"positionctl --help\" lists them"),
      ("--jsn get", "positionctl: unknown option \"--jsn\"; did you mean \"--json\"?"),
      ("get --acuracy 5", "get: unknown option \"--acuracy\"; did you mean \"--accuracy\"?"),
      ("get --zzz", "get: unknown option \"--zzz\""),
      (
        "get --accuracy hose",
        "--accuracy: \"hose\" was given, expected one of city, neighborhood, block, house, room, "
          + "or metres such as 25 or 25m; did you mean \"house\"?"
      ),
      (
        "get --accuracy 0",
        "--accuracy: \"0\" was given, expected one of city, neighborhood, block, house, room, or metres such as 25 or 25m"
      ),
      ("get --timeout", "get: --timeout needs a value: --timeout SECONDS"),
      ("get --timeout soon", "--timeout: \"soon\" was given, expected seconds, such as 30 or 5min"),
      ("get --json=yes", "--json takes no value, \"yes\" was given"),
      ("get extra", "get: \"extra\" is one word too many"),
      ("watch -n 0", "--count: \"0\" was given, expected an integer from 1"),
      ("watch --duration 0.01", "--duration: \"0.01\" was given, expected seconds from 0.1, such as 30 or 5min"),
      (
        "watch --mode pasive",
        "--mode: \"pasive\" was given, expected one of continuous, significant, passive, deferred; did you mean \"passive\"?"
      ),
      ("watch --deferred-timeout 60", "watch: --deferred-timeout needs --mode deferred"),
      ("watch --mode deferred --acquire 30", "watch: --acquire needs --mode significant"),
      ("watch --mode deferred", "watch: --mode deferred needs --deferred-distance or --deferred-timeout"),
      (
        "watch --acquire 30,5m,soon",
        "--acquire: \"30,5m,soon\" was given, expected seconds, the accuracy that ends it and the one that will do, "
          + "such as 30, 30s,5m or 30s,5m,50m"
      ),
      ("region", "region: what to do is missing; \"positionctl region --help\" lists it"),
      ("region ad", "unknown command \"region ad\"; did you mean \"region add\"? \"positionctl --help\" lists them"),
      ("region --jsn add", "region: unknown option \"--jsn\"; did you mean \"--json\"?"),
      ("region add", "region add: ID is missing"),
      (
        "region add home --durable tracker",
        "region add: --circle LAT,LON,RADIUS or --polygon LAT,LON... is missing"
      ),
      (
        "region add home --circle 48,11,100m",
        "region add: without --durable NAME a region ends with the program that watches it, and this one ends at once; "
          + "\"positionctl region watch\" goes on"
      ),
      (
        "region watch home --circle 48,11",
        "--circle: \"48,11\" was given, expected latitude, longitude and metres, such as 48.137,11.575,150m"
      ),
      (
        "region watch home --polygon 48,11",
        "region watch: polygon must be 3 to 1000 different vertices, not 1"
      ),
      (
        "region watch home --circle 98,11,1km",
        "region watch: circle.latitude must be between -90 and 90 (degrees)"
      ),
      ("region watch home --circle 48,11,1 --polygon 48,11", "region watch: --circle and --polygon exclude each other"),
      ("region watch home --circle 48,11,1 --notify dwell", "region watch: to tell dwell needs --dwell SECONDS"),
      (
        "region watch home --circle 48,11,1 --notify leave",
        "--notify: \"leave\" was given, expected one or more of enter, exit, dwell and crossed, with commas between them"
      ),
      ("region watch --circle 48,11,1", "region watch: ID is missing"),
      (
        "region watch home --durable tracker --circle 48,11,1",
        "region watch: with --durable it watches what is there; \"positionctl region add\" adds to it"
      ),
      (
        "region remove home",
        "region remove: --durable NAME is missing; other regions end with the program that watches them"
      ),
      (
        "durable acknowledge tracker all",
        "durable acknowledge: EVENT: \"all\" was given, expected an event's number, such as 1234"
      ),
      ("durable remove", "durable remove: NAME is missing"),
      ("heading --min-change 5", "heading: --min-change needs --watch"),
      ("heading -w --timeout 5", "heading: --timeout and --watch exclude each other"),
      ("heading -w --min-change 181", "--min-change: \"181\" was given, expected degrees from 0 to 180, such as 5"),
      ("call", "call: METHOD is missing"),
      ("call x {", "call: JSON is \"{\", expected an object such as '{\"timeout\":20}'"),
      ("call x []", "call: JSON is \"[]\", expected an object such as '{\"timeout\":20}'"),
      (
        "doctor --gpsd nowhere.example",
        "--gpsd: \"nowhere.example\" was given, expected a numeric address or localhost, and a port if it is not 2947"
      ),
      ("get --acc\u{1b}[2J", "get: unknown option \"--acc\\u{1b}[2J\""),
    ])
  func refusal(line: String, message: String) async throws {
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.errors == "positionctl: \(message)\n")
    #expect(run.output == "")
  }

  @Test("Options are read in every form, before and after operands, the last of several counting")
  func forms() throws {
    let words = [
      "-n5", "--mode=passive", "--min-distance", "1.5km", "--min-interval", "2", "--min-interval=500ms", "--json",
    ]
    let arguments = try Arguments(words[...], of: WatchCommand.description)
    let request = try WatchCommand(arguments).request
    #expect(request.maxUpdates == 5)
    #expect(request.mode == .passive)
    #expect(request.minDistance == 1500)
    #expect(request.minInterval == 0.5)
    #expect(request.maxInterval == nil)
    #expect(arguments.has(CommonOptions.json))
  }

  @Test("What is not given is left to the daemon")
  func defaults() throws {
    #expect(try GetCommand(Arguments([], of: GetCommand.description)).request == .init())
    #expect(try WatchCommand(Arguments([], of: WatchCommand.description)).request == .init())
  }

  @Test("After two dashes everything is an operand")
  func operandsAfterDashes() throws {
    let arguments = try Arguments(["--json", "--", "--help"], of: CallCommand.description)
    #expect(try CallCommand(arguments).method == "--help")
  }

  @Test(
    "Metres are read with and without a unit",
    arguments: [
      ("25", 25), ("25m", 25), ("1.5km", 1500), ("0", 0), ("", nil), ("m", nil), ("-5", nil), ("nan", nil),
      ("1e3", nil),
      ("0x10", nil), ("25 m", nil), ("25s", nil), ("٣", nil),
    ] as [(String, Double?)])
  func meters(text: String, meters: Double?) { #expect(Quantity.meters(text) == meters) }

  @Test(
    "Seconds are read with and without a unit",
    arguments: [
      ("30", 30), ("30s", 30), ("500ms", 0.5), ("5min", 300), ("2h", 7200), ("1000000001", nil), ("5m", nil),
      ("s", nil),
    ] as [(String, Double?)])
  func seconds(text: String, seconds: Double?) { #expect(Quantity.seconds(text) == seconds) }

  @Test(
    "gpsd's address is read as people write it",
    arguments: [
      ("localhost", "127.0.0.1:2947"), ("127.0.0.1:3000", "127.0.0.1:3000"), ("::1", "[::1]:2947"),
      ("[::1]:3000", "[::1]:3000"), ("[::1]", "[::1]:2947"), ("127.0.0.1:0", nil), ("127.0.0.1:99999", nil), ("", nil),
      ("host", nil), (":2947", nil),
    ] as [(String, String?)])
  func gpsdAddress(text: String, address: String?) { #expect(GpsdAddress(text)?.description == address) }
}
