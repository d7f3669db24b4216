import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The log's form of foreign text.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LogTests {
  @Test func `no text of a client or gpsd controls a terminal or forges a line`() async throws {
    try await withLoop { loop in
      let gpsd = try TCPSocket.listenOnLoopback()
      let fixture = try DaemonFixture(on: loop, gpsd: gpsd)
      try fixture.configure(["log.level=debug"])
      let daemon = try fixture.startServing()
      var conversation: FileDescriptor?
      let knock = try loop.watch(gpsd.descriptor, for: .read) { _ in
        do {
          let socket = try gpsd.accept()
          let lines = [
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
            #"{"class":"ERROR","message":"\u001b[31mred\u001b]0;title\u0007 and\nerror: forged\r by \u202egpsd"}"#,
          ]
          _ = try socket?.write(Array(lines.map { "\($0)\r\n" }.joined().utf8)[...])
          conversation = socket
        } catch { Issue.record(error) }
      }
      let client = try fixture.client()
      _ = try client.call(
        "session.hello", ["name": "\u{1B}[31mevil\nerror: forged", "purpose": "\u{9B}2J\u{0}\u{2028}error: forged"])
      try client.request("position.get", ["timeout": 20])
      try loop.drive(until: "a connection to gpsd") { conversation != nil }
      knock.cancel()
      try daemon.waitToSay("forged")
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)

      let log = daemon.output
      let controls = log.unicodeScalars.filter { $0 != "\n" && ($0.value < 32 || (127..<160).contains($0.value)) }
      #expect(controls.isEmpty, "\(log.debugDescription)")
      #expect(!log.unicodeScalars.contains("\u{202E}") && !log.unicodeScalars.contains("\u{2028}"))
      for line in log.split(separator: "\n") {
        #expect(!line.hasPrefix("error:"), "\(line)")
        #expect(line.contains(": "), "\(line)")
      }
    }
  }
}
