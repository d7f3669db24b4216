import EventLoop
import TestSupport
import Testing

/// The daemon's manual page compared with its help.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ManualPageTests {
  @Test func `the page names the options of positiond --help and no others`() async throws {
    let help = try await withLoop { loop in
      let run = try RunningProgram(Programs.path("positiond"), ["--help"], on: loop)
      #expect(try run.waitForExit() == 0)
      return run.output
    }
    let named = Self.options(in: help)
    #expect(named.count > 3)
    #expect(Self.options(in: Documents.text("man/positiond.8").replacing(#"\-"#, with: "-")) == named)
  }

  /// Every word that begins with two dashes.
  private static func options(in text: String) -> Set<String> {
    Set(text.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
  }
}
