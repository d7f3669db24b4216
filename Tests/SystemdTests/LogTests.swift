import EventLoop
import Glibc
import Positioning
import Testing

@testable import Systemd

@Suite("The log")
struct LogTests {
  @Test("A line is written whole, and messages below the threshold are not even built")
  func threshold() throws {
    let pipe = try Pipe()
    var made: [String] = []
    let make = { (text: String) -> LogMessage in
      made.append(text)
      return "\(text)"
    }
    let log = Log(.warning, to: .stream(pipe.input.rawValue, hasColor: false))
    log.write(.startFailed, make("one"))
    log.write(.receiverSilent, make("two"))
    log.threshold = .notice
    log.write(.receiverSilent, make("three"))
    log.write(.serving, make("four"))
    var bytes: [UInt8] = []
    _ = try pipe.output.read(into: &bytes, upTo: 4096)
    #expect(String(decoding: bytes, as: UTF8.self) == "error: one\nnotice: three\n")
    #expect(made == ["one", "three"])
  }

  @Test("It uses the journal if the descriptor is the stream named in the environment")
  func journal() throws {
    let pipe = try Pipe()
    let number = pipe.input.rawValue
    var status = stat()
    #expect(unsafe fstat(number, &status) == 0)
    let identity = "\(status.st_dev):\(status.st_ino)"
    #expect(LogDestination.of(number) { ["JOURNAL_STREAM": identity][$0] } == .journal(fallback: number))
    for other in ["", ":", "\(status.st_dev):\(status.st_ino + 1)", "\(identity)0"] {
      #expect(LogDestination.of(number) { ["JOURNAL_STREAM": other][$0] } == .stream(number, hasColor: false))
    }
    #expect(LogDestination.of(number) { _ in nil } == .stream(number, hasColor: false))
  }

  @Test(
    "It has color on a terminal, unless NO_COLOR is set; an empty NO_COLOR has no effect",
    arguments: [([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false)] as [([String: String], Bool)])
  func terminal(environment: [String: String], hasColor: Bool) throws {
    let terminal = try Pseudoterminal.open()
    let side = try FileDescriptor(adopting: unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
    #expect(LogDestination.of(side.rawValue) { environment[$0] } == .stream(side.rawValue, hasColor: hasColor))
  }
}
