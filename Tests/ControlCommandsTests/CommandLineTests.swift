import PositionProtocol
import Positioning
import ProgramArguments
import Testing

@testable import ControlCommands

struct CommandLineTests {
  @Test(
    "A wrong command line is explained, with the expected form and the nearest spelling",
    arguments: [
      ("gett", "unknown command \"gett\"; did you mean \"get\"? See \"positionctl --help\""),
      ("frobnicate", "unknown command \"frobnicate\"; see \"positionctl --help\""),
      ("--jsn get", "unknown option \"--jsn\"; did you mean \"--json\"?"),
      ("get --acuracy 5", "get: unknown option \"--acuracy\"; did you mean \"--accuracy\"?"),
      ("get --zzz", "get: unknown option \"--zzz\""),
      (
        "get --accuracy hose",
        "get: --accuracy: invalid value \"hose\", expected one of city, neighborhood, block, house, room, "
          + "or metres such as 25 or 25m; did you mean \"house\"?"
      ),
      (
        "get --accuracy 0",
        "get: --accuracy: invalid value \"0\", expected one of city, neighborhood, block, house, room, or metres such as 25 or 25m"
      ),
      (
        "get --format gejson",
        "get: --format: invalid value \"gejson\", expected geo, geojson, a notation such as mgrs, or members of a fix such as "
          + "\"latitude longitude\"; did you mean \"geojson\"?"
      ),
      (
        "last --format latitude,longitud",
        "last: --format: a fix has no member \"longitud\"; did you mean \"longitude\"?"
      ),
      ("watch --format geo --json", "watch: --format and --json cannot be combined"),
      ("get --timeout", "get: --timeout needs a value: --timeout SECONDS"),
      ("get --timeout soon", "get: --timeout: invalid value \"soon\", expected seconds, such as 30 or 5min"),
      ("get --json=yes", "get: --json takes no value, but \"yes\" was given"),
      ("get extra", "get: unexpected argument \"extra\""),
      ("watch -n 0", "watch: --count: invalid value \"0\", expected a whole number from 1"),
      (
        "watch --duration 0.01",
        "watch: --duration: invalid value \"0.01\", expected seconds from 0.1, such as 30 or 5min"
      ),
      (
        "watch --mode pasive",
        "watch: --mode: invalid value \"pasive\", expected one of continuous, significant, passive, deferred; did you mean \"passive\"?"
      ),
      ("--socket", "--socket needs a value: --socket PATH"),
      ("region --socket", "region: --socket needs a value: --socket PATH"),
      ("region watch", "region watch: missing ID"),
      ("watch --deferred-timeout 60", "watch: --deferred-timeout needs --mode deferred"),
      ("watch --mode deferred --acquire 30", "watch: --acquire needs --mode significant"),
      ("watch --mode deferred", "watch: --mode deferred needs --deferred-distance or --deferred-timeout"),
      (
        "watch --acquire 30,5m,soon",
        "watch: --acquire: invalid value \"30,5m,soon\", expected budget[,desired accuracy[,acceptable accuracy]], "
          + "such as 30,5,50"
      ),
      ("completion tcsh", "completion: no completions for \"tcsh\"; the shells are bash, zsh, fish"),
      ("region", "region: missing subcommand; see \"positionctl region --help\""),
      ("region ad", "unknown command \"region ad\"; did you mean \"region add\"? See \"positionctl --help\""),
      ("region --jsn add", "region: unknown option \"--jsn\"; did you mean \"--json\"?"),
      ("region add", "region add: missing ID"),
      (
        "region add home --durable tracker",
        "region add: missing --circle PLACE,RADIUS or --polygon PLACE..."
      ),
      (
        "region add home --circle 48,11,100m",
        "region add: missing --durable NAME; \"positionctl region watch\" needs none"
      ),
      (
        "region watch home --circle 48,11",
        "region watch: --circle: invalid value \"48,11\", expected a place in any notation and metres, such as 48.137,11.575,150m "
          + "or 48°08′14″N 11°34′32″E,150m"
      ),
      (
        "region watch home --polygon 48,11",
        "region watch: polygon must be 3 to 1000 different vertices, not 1"
      ),
      (
        "region watch home --circle 98,11,1km",
        "region watch: circle.latitude must be between -90 and 90 (degrees)"
      ),
      ("region watch home --circle 48,11,1 --polygon 48,11", "region watch: --circle and --polygon cannot be combined"),
      ("region watch home --circle 48,11,1 --notify dwell", "region watch: --notify dwell needs --dwell SECONDS"),
      (
        "region watch home --circle 48,11,1 --notify leave",
        "region watch: --notify: invalid value \"leave\", expected one or more of enter, exit, dwell and crossed, with commas between them"
      ),
      ("region watch --circle 48,11,1", "region watch: missing ID"),
      (
        "region watch home --durable tracker --circle 48,11,1",
        "region watch: --durable watches existing regions; to add one, use \"positionctl region add\""
      ),
      (
        "region remove home",
        "region remove: missing --durable NAME"
      ),
      (
        "durable acknowledge tracker all",
        "durable acknowledge: EVENT: invalid value \"all\", expected an event's number, such as 1234"
      ),
      ("durable remove", "durable remove: missing NAME"),
      ("heading --min-change 5", "heading: --min-change needs --watch"),
      ("heading -w --timeout 5", "heading: --timeout and --watch cannot be combined"),
      (
        "heading -w --min-change 181",
        "heading: --min-change: invalid value \"181\", expected degrees from 0 to 180, such as 5"
      ),
      ("call", "call: missing METHOD"),
      ("call x {", "call: invalid JSON \"{\", expected an object such as '{\"timeout\":20}'"),
      ("call x []", "call: invalid JSON \"[]\", expected an object such as '{\"timeout\":20}'"),
      (
        "doctor --gpsd nowhere.example",
        "doctor: --gpsd: invalid value \"nowhere.example\", expected a numeric address or localhost, and a port if it is not 2947"
      ),
      ("get --acc\u{1b}[2J", "get: unknown option \"--acc\\u{1b}[2J\""),
    ])
  func refusal(line: String, message: String) async throws {
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    let error = JSONFormat.line(ErrorObject(name: "usage", message: message))
    #expect(run.errors == (line.split(separator: " ").contains("--json") ? error : "positionctl: \(message)") + "\n")
    #expect(run.output == "")
  }

  @Test("Options are read in every form, before and after operands, and the last of several counts")
  func forms() throws {
    let words = [
      "-n5", "--mode=passive", "--min-distance", "1.5km", "--min-interval", "2", "--min-interval=500ms", "--json",
    ]
    let arguments = try Arguments(words[...], of: WatchCommand.description)
    let request = try WatchCommand(arguments).request.asked
    #expect(request.maxUpdates == 5)
    #expect(request.mode == .passive)
    #expect(request.minDistance == 1500)
    #expect(request.minInterval == .milliseconds(500))
    #expect(request.maxInterval == nil)
    #expect(arguments.has(CommonOptions.json))
  }

  @Test("Options that are not given are left to the daemon")
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
    "gpsd's address is read in its usual notations",
    arguments: [
      ("localhost", "127.0.0.1:2947"), ("127.0.0.1:3000", "127.0.0.1:3000"), ("::1", "[::1]:2947"),
      ("[::1]:3000", "[::1]:3000"), ("[::1]", "[::1]:2947"), ("127.0.0.1:0", nil), ("127.0.0.1:99999", nil), ("", nil),
      ("host", nil), (":2947", nil),
    ] as [(String, String?)])
  func gpsdAddress(text: String, address: String?) { #expect(GpsdAddress(text)?.description == address) }
}
