import EventLoop
import JSONRPC
import TestSupport
import Testing

/// Every sample in docs/protocol.md is sent to a daemon, which must answer as shown.
@Suite(.sharedFixture, .serialized, .timeLimit(.minutes(TestDeadline.minutes))) struct DocumentSamplesTests {
  private static let document = Documents.text("docs/protocol.md")
  private static let samples = Result { try ProtocolSample.all(in: document) }
  /// None if one of them cannot be read, which has a test of its own.
  private static let readable = if case .success(let samples) = samples { samples } else { [ProtocolSample]() }

  @Test func `every sample is valid`() throws {
    #expect(try Self.samples.get().count > 10)
  }

  @Test(arguments: readable)
  func `the daemon answers like the sample`(sample: ProtocolSample) async throws {
    let fixture = try SharedFixture.current
    try await onOwnThread {
      let client = try fixture.client()
      for step in sample.steps {
        switch step {
        case .send(let text): try client.send(raw: "\(text)\n")
        case .expect(let pattern):
          // In the order shown, with others in between.
          var others: [JSONValue] = []
          let deadline = monotonicSeconds() + TestDeadline.seconds
          while true {
            let message: JSONValue
            do {
              message = try client.next(within: max(0.01, deadline - monotonicSeconds()), what: "message")
            } catch {
              throw TimedOut("line \(sample.line): no \(pattern), only \(others.suffix(3)): \(error)")
            }
            if pattern.matches(message) { break }
            // Each request of a sample has one reply, so another one than shown will not come later.
            guard !pattern.isContradicted(by: message) else {
              throw TimedOut("line \(sample.line): \(message) in place of \(pattern)")
            }
            others.append(message)
          }
        }
      }
    }
  }

  @Test(arguments: FencedBlock.all(in: document).filter { $0.language == "sh" }.map(\.text))
  func `the shell's own client gets a fix`(script: String) async throws {
    let fixture = try SharedFixture.current
    try await withLoop { loop in
      let run = try RunningProgram(
        "/bin/sh", ["-c", fixture.localized(script)], environment: fixture.environment, on: loop)
      #expect(try run.waitForExit() == 0)
      let answer = try JSONValue(parsing: Array(run.output.utf8))
      #expect(answer["result"]?["status"] == "success" && answer["result"]?["satisfied"] == true, "\(run.output)")
    }
  }

  @Test func `the document has a client for the shell`() {
    #expect(FencedBlock.all(in: Self.document).contains { $0.language == "sh" && $0.text.contains(Documents.socket) })
  }
}
