import ProgramArguments
import TestSupport
import Testing

@testable import ControlCommands

struct HelpTests {
  private static let names = PositionControl.commands.map { $0.description.name }

  static let overview = """
    positionctl - show where this device is

    Usage: positionctl [OPTION...] [COMMAND [OPTION...]]

    Without a command it shows the status.

    Commands:
      get         get one fix
      last        show the newest fix without turning the receiver on
      watch       print fixes as they come
      track       record a track into a file
      heading     show where the device points
      sky         show the satellites that the receiver sees
      time        show the receiver's time beside this machine's
      region      report when the device enters or leaves a place
      durable     fetch events that occurred while your program was not running
      auth        show, request and grant permission to know the position
      history     show where this device was, as positiond-history recorded it
      agent       ask you whether programs may know where the device is
      status      show the status of positiond and the receiver
      monitor     watch fix, sky, receiver and programs on a screen
      metrics     print figures for Prometheus
      call        call any method of the protocol
      doctor      find problems and suggest solutions
      completion  print the completions for a shell

    Common options:
      --socket PATH           positiond's socket; else that of POSITIOND_SOCKET
      --json                  print JSON, one text a line, as the protocol has it
      --units UNITS           for people: metric, nautical or imperial units
      --coordinates NOTATION  for people: the notation of places, such as dms
      -h, --help              show help with examples
      -V, --version           print the version

    Exit codes:
      0    success
      1    failure; standard error says why and what to do
      2    timed out; the best result so far is printed
      3    permission denied
      64   wrong command line
      130  interrupted with Ctrl-C

    "positionctl COMMAND --help" shows the options of a command and examples.

    """

  static let get = """
    positionctl get - get one fix

    Usage: positionctl get [OPTION...]

    Answers at once if positiond has a fix that is good enough; else turns the
    receiver on and waits. At the timeout the best fix so far is printed, and the
    exit code is 2 if it is not accurate enough.

    A receiver that was off for long needs minutes. On a terminal, without
    --timeout, it waits on for as long as the receiver's starts have taken, until
    Ctrl-C.

    Options:
      --accuracy LEVEL|METRES   the desired accuracy: a level, or metres (city,
                                neighborhood, block, house, room; default block)
      --accept LEVEL|METRES     the accuracy that is accepted at the timeout: a
                                level, or metres; if absent, the desired one (city,
                                neighborhood, block, house, room)
      --max-age SECONDS         the greatest age of the fix in seconds; if absent,
                                that of the accuracy's level
      --timeout SECONDS         seconds to wait; 0 means as long as the daemon
                                allows (default 30)
      --activity ACTIVITY       what moves the device (other, automotive, fitness,
                                otherNavigation, airborne; default other)
      --integrity INTEGRITY     the least integrity of the fix: one for which
                                evidence speaks (trusted), all but untrusted ones
                                (suspect), or any (default suspect)
      --delay-until-authorized  starts the timeout only once the client's
                                permission is decided
      --format FORMAT           print fixes only: geo, geojson, a notation such as
                                mgrs, or members of the fix such as "latitude
                                longitude"

    Common options:
      --socket PATH           positiond's socket; else that of POSITIOND_SOCKET
      --json                  print JSON, one text a line, as the protocol has it
      --units UNITS           for people: metric, nautical or imperial units
      --coordinates NOTATION  for people: the notation of places, such as dms
      -h, --help              show help with examples

    Examples:
      positionctl get
          100 m or better, at most a minute old
      positionctl get --accuracy house --timeout 60
          15 m or better, waiting up to a minute
      positionctl get --accuracy 10m --accept 50m --json
          10 m if possible within 30 s, else 50 m; for a script
      positionctl get --format latitude,longitude
          two numbers, for a script
      positionctl get --units nautical --coordinates dm
          knots, and degrees and minutes

    """

  static let call = """
    positionctl call - call any method of the protocol

    Usage: positionctl call [OPTION...] METHOD [JSON]

    Prints the result as JSON. Subscriptions end with the command and are of no use
    here.

    Common options:
      --socket PATH           positiond's socket; else that of POSITIOND_SOCKET
      --json                  print JSON, one text a line, as the protocol has it
      --units UNITS           for people: metric, nautical or imperial units
      --coordinates NOTATION  for people: the notation of places, such as dms
      -h, --help              show help with examples

    Examples:
      positionctl call status.get
          without parameters
      positionctl call position.get '{"accuracy":"house","timeout":20}'
          with parameters
      positionctl call rpc.discover --json
          the description of the whole protocol

    """

  static let durable = """
    positionctl durable - fetch events that occurred while your program was not running

    Usage: positionctl durable COMMAND [OPTION...]

    Commands:
      list         list your durable names and waiting events
      attach       print the events of a durable name
      acknowledge  acknowledge events
      remove       remove a durable name

    "positionctl durable COMMAND --help" shows the options of a command and examples.

    """

  static let auth = """
    positionctl auth - show, request and grant permission to know the position

    Usage: positionctl auth COMMAND [OPTION...]

    Commands:
      status   show your permission and how to change it
      request  ask for permission
      grants   list stored decisions (administrators)
      grant    grant or deny permission to a user (administrators)
      revoke   remove a stored decision (administrators)
      clients  list connected clients (administrators)
      enable   turn positions on again (administrators)
      disable  turn positions off for everybody (administrators)

    "positionctl auth COMMAND --help" shows the options of a command and examples.

    """

  static let regionRemove = """
    positionctl region remove - remove a region of a durable name

    Usage: positionctl region remove [OPTION...] ID

    Options:
      --durable NAME  the durable name of the region

    Common options:
      --socket PATH           positiond's socket; else that of POSITIOND_SOCKET
      --json                  print JSON, one text a line, as the protocol has it
      --units UNITS           for people: metric, nautical or imperial units
      --coordinates NOTATION  for people: the notation of places, such as dms
      -h, --help              show help with examples

    Examples:
      positionctl region remove home --durable tracker
          events that are waiting stay

    """

  @Test("An operand that only one option makes unnecessary is required in the other form")
  func forms() async throws {
    let run = try await CommandRun.of(["region", "watch", "--help"])
    #expect(
      run.output.contains(
        """

        Usage: positionctl region watch [OPTION...] ID
               positionctl region watch [OPTION...] --durable NAME [ID]

        """))
  }

  @Test(
    "Help is printed for every form of the request",
    arguments: [
      (["--help"], overview), (["-h"], overview), (["help"], overview), (["get", "--help"], get),
      (["help", "get"], get),
      (["--help", "get"], get), (["get", "--accuracy", "house", "-h"], get), (["call", "--help"], call),
      (["durable", "--help"], durable), (["help", "durable"], durable), (["--help", "durable"], durable),
      (["auth", "--help"], auth), (["region", "remove", "--help"], regionRemove),
      (["help", "region", "remove"], regionRemove),
      (["region", "-h", "remove"], regionRemove),
      (["--version"], "positionctl 0.1.0\n"), (["-V"], "positionctl 0.1.0\n"),
    ])
  func help(words: [String], text: String) async throws {
    let run = try await CommandRun.of(words)
    #expect(run.code == 0)
    #expect(run.output == text)
    #expect(run.errors == "")
  }

  @Test("No help text is wider than a terminal", arguments: Self.names)
  func width(name: String) throws {
    let command = try #require(PositionControl.commands.first { $0.description.name == name })
    for line in HelpText.lines(command.description) { #expect(line.count <= 80, "\(line)") }
  }

  @Test("The examples of the help texts are command lines", arguments: Self.names)
  func examples(name: String) throws {
    let command = try #require(PositionControl.commands.first { $0.description.name == name })
    #expect(!command.description.examples.isEmpty)
    for example in command.description.examples {
      let words = example.key.split(separator: " ").map { $0.filter { $0 != "'" } }
      let named = ["positionctl"] + name.split(separator: " ").map(String.init)
      #expect(Array(words.prefix(named.count)) == named)
      _ = try command.init(Arguments(words.dropFirst(named.count), of: command.description))
    }
  }

  @Test("The manual page has every command, option and exit code")
  func manualPage() throws {
    let page = try manual()
    for command in PositionControl.commands.map({ $0.description }) {
      #expect(page.contains("\n.SS \(command.name)\n"), "\(command.name)")
      for option in command.allOptions { #expect(page.contains("\\-\\-\(option.name.manual)"), "\(option.name)") }
    }
    #expect(page.contains("\\-\\-version"))
    for code in ExitCode.documented { #expect(page.contains("\n.B \(code.rawValue)\n"), "\(code.rawValue)") }
  }

  @Test("The manual page has the same options for parameters as the protocol's table")
  func manualPageIsWritten() throws {
    let page = try WrittenDocument("man/positionctl.1")
    #expect(try page.isCurrent(ManualPage.written(into: page.text)), "\(WrittenDocument.advice)")
  }

  @Test("The manual page names no option that does not exist")
  func manualPageIsCurrent() throws {
    let known = Set(PositionControl.commands.flatMap { $0.description.allOptions.map(\.name) } + ["version"])
    let named = try manual().split(separator: "\\-\\-").dropFirst().map { text in
      text.replacing("\\-", with: "-").prefix { $0.isLetter || $0 == "-" }
    }
    #expect(!named.isEmpty)
    for name in named { #expect(known.contains(String(name)), "\(name)") }
  }

  private func manual() throws -> String { try WrittenDocument("man/positionctl.1").text }
}

extension String {
  /// As a manual page writes a name with dashes.
  fileprivate var manual: String { self.replacing("-", with: "\\-") }
}
