import EventLoop
import Testing

@testable import ControlCommands

struct HelpTests {
  static let overview = """
    positionctl - ask positiond where this device is

    Usage: positionctl [OPTION...] COMMAND [OPTION...]

    Commands:
      get      get one fix
      last     tell the newest fix, and never turn the receiver on
      watch    print fixes as they come
      track    record where the device goes, into a file
      heading  tell where the device points
      sky      show the satellites that the receiver sees
      region   tell when the device comes to a place and leaves it
      durable  take what happened while no program ran
      auth     see, ask and decide who may know where the device is
      agent    ask you whether programs may know where the device is
      status   tell how positiond and its receiver do
      call     call any method of the protocol
      doctor   look for what is wrong, and say what to do

    Common options:
      --socket PATH  where positiond listens; POSITIOND_SOCKET says the same
      --json         one JSON text for each line, as the protocol has it
      -h, --help     tell about the command, with examples
      --version      print the version

    Exit codes:
      0    success
      1    something failed; standard error says what, and what to do
      2    the time ran out; what there was is printed
      3    this user may not know
      64   the command line is wrong
      130  interrupted from the keyboard

    "positionctl COMMAND --help" tells more about a command, with examples.

    """

  static let get = """
    positionctl get - get one fix

    Usage: positionctl get [OPTION...]

    Answers at once where positiond has a fix that serves; else turns the receiver
    on and waits. When the time is over the best fix so far is printed, and the
    exit code is 2 if it is not good enough.

    Options:
      --accuracy LEVEL|METRES  what is wanted: city, neighborhood, block, house,
                               room, or metres
      --accept LEVEL|METRES    what is good enough once the time is over
      --max-age SECONDS        how old the fix may be
      --timeout SECONDS        how long to wait (30); 0 is as long as positiond
                               lets anyone
      --activity ACTIVITY      what moves the device: other, automotive, fitness,
                               otherNavigation, airborne

    Common options:
      --socket PATH  where positiond listens; POSITIOND_SOCKET says the same
      --json         one JSON text for each line, as the protocol has it
      -h, --help     tell about the command, with examples

    Examples:
      positionctl get
          any fix of the last minute
      positionctl get --accuracy house --timeout 60
          15 m or better, within a minute
      positionctl get --accuracy 10m --accept 50m --json
          10 m if that can be had in 30 s, else 50 m; for a script

    """

  static let call = """
    positionctl call - call any method of the protocol

    Usage: positionctl call [OPTION...] METHOD [JSON]

    Prints the result as JSON. A subscription ends with the command, so none is of
    use here.

    Common options:
      --socket PATH  where positiond listens; POSITIOND_SOCKET says the same
      --json         one JSON text for each line, as the protocol has it
      -h, --help     tell about the command, with examples

    Examples:
      positionctl call status.get
          a method without parameters
      positionctl call position.get '{"accuracy":"house","timeout":20}'
          one with parameters
      positionctl call rpc.discover --json
          the whole protocol, described for programs

    """

  static let durable = """
    positionctl durable - take what happened while no program ran

    Usage: positionctl durable COMMAND [OPTION...]

    Commands:
      list         list your durable names and what waits
      attach       print the events of a durable name
      acknowledge  say that events were dealt with
      remove       remove a durable name

    "positionctl durable COMMAND --help" tells more about a command, with examples.

    """

  static let auth = """
    positionctl auth - see, ask and decide who may know where the device is

    Usage: positionctl auth COMMAND [OPTION...]

    Commands:
      status   tell what you may know, and who can change that
      request  ask for permission
      grants   list what was decided for users (administrators)
      grant    decide for a user (administrators)
      revoke   take back what was decided for a user (administrators)
      clients  list who is connected (administrators)
      enable   turn positions on again (administrators)
      disable  turn positions off for everybody (administrators)

    "positionctl auth COMMAND --help" tells more about a command, with examples.

    """

  static let regionRemove = """
    positionctl region remove - watch a region of a durable name no more

    Usage: positionctl region remove [OPTION...] ID

    Options:
      --durable NAME  the durable name that it belongs to

    Common options:
      --socket PATH  where positiond listens; POSITIOND_SOCKET says the same
      --json         one JSON text for each line, as the protocol has it
      -h, --help     tell about the command, with examples

    Examples:
      positionctl region remove home --durable tracker
          what waits of it stays

    """

  @Test(
    "Help is printed however it is asked for",
    arguments: [
      (["--help"], overview), (["-h"], overview), (["help"], overview), (["get", "--help"], get),
      (["help", "get"], get),
      (["--help", "get"], get), (["get", "--accuracy", "house", "-h"], get), (["call", "--help"], call),
      (["durable", "--help"], durable), (["help", "durable"], durable), (["--help", "durable"], durable),
      (["auth", "--help"], auth), (["region", "remove", "--help"], regionRemove),
      (["help", "region", "remove"], regionRemove),
      (["region", "-h", "remove"], regionRemove),
      (["--version"], "positionctl 0.1.0\n"),
    ])
  func help(words: [String], text: String) async throws {
    let run = try await CommandRun.of(words)
    #expect(run.code == 0)
    #expect(run.output == text)
    #expect(run.errors == "")
  }

  @Test("No help text is wider than a terminal", arguments: PositionControl.commands.map(\.description.name))
  func width(name: String) throws {
    let command = try #require(PositionControl.commands.first { $0.description.name == name })
    for line in HelpText.lines(command.description) { #expect(line.count <= 80, "\(line)") }
  }

  @Test("The examples of the help texts are command lines", arguments: PositionControl.commands.map(\.description.name))
  func examples(name: String) throws {
    let command = try #require(PositionControl.commands.first { $0.description.name == name })
    #expect(!command.description.examples.isEmpty)
    for example in command.description.examples {
      let words = example.line.split(separator: " ").map { $0.filter { $0 != "'" } }
      let named = ["positionctl"] + name.split(separator: " ").map(String.init)
      #expect(Array(words.prefix(named.count)) == named)
      _ = try command.make(Arguments(words.dropFirst(named.count), of: command.description))
    }
  }

  @Test("The manual page has every command, option and exit code")
  func manualPage() throws {
    let page = try manual()
    for command in PositionControl.commands.map(\.description) {
      #expect(page.contains("\n.SS \(command.name)\n"), "\(command.name)")
      for option in command.allOptions { #expect(page.contains("\\-\\-\(option.name.manual)"), "\(option.name)") }
    }
    #expect(page.contains("\\-\\-version"))
    for code in ExitCode.documented { #expect(page.contains("\n.B \(code.rawValue)\n"), "\(code.rawValue)") }
  }

  @Test("The manual page names no option that is not there")
  func manualPageIsCurrent() throws {
    let known = Set(PositionControl.commands.flatMap { $0.description.allOptions.map(\.name) } + ["version"])
    let named = try manual().split(separator: "\\-\\-").dropFirst().map { text in
      text.replacing("\\-", with: "-").prefix { $0.isLetter || $0 == "-" }
    }
    #expect(!named.isEmpty)
    for name in named { #expect(known.contains(String(name)), "\(name)") }
  }

  private func manual() throws -> String {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return try readFile("\(folder)/man/positionctl.1")
  }
}

extension String {
  /// As a manual page writes a name with dashes.
  fileprivate var manual: String { self.replacing("-", with: "\\-") }
}
