import EventLoop
import TestSupport
import Testing

/// The manual pages of the services compared with their help. Those of the other programs are written from it.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ManualPageTests {
  @Test(arguments: [("positiond", 8), ("positiond-mqtt", 8), ("positiond-geoclue", 8), ("positiond-history", 1)])
  func `the page names the options of --help and no others`(program: String, section: Int) async throws {
    let help = try await withLoop { loop in
      let run = try RunningProgram(Programs.path(program), ["--help"], on: loop)
      #expect(try run.waitForExit() == 0)
      return run.output
    }
    let named = Self.options(in: help)
    #expect(named.isSuperset(of: ["--help", "--version"]))
    let page = Documents.text("man/\(program).\(section)").replacing(#"\-"#, with: "-")
    #expect(Self.options(in: page) == named)
  }

  /// Every word that begins with two dashes, except in the commands that turn a service on.
  private static func options(in text: String) -> Set<String> {
    let lines = text.split(separator: "\n").filter { !$0.contains("systemctl") }
    return Set(lines.flatMap { $0.matches(of: /--[a-z][a-z-]*/) }.map { String($0.output) })
  }
}
