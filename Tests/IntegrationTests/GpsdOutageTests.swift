import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The possible faults of gpsd: each has a state of its own, and ends without a restart of the daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct GpsdOutageTests {
  private static func reports(_ state: String) -> (JSONValue) -> Bool {
    { $0["gpsd"]?["state"]?.text == state }
  }

  @Test func `a gpsd with its maximum of clients is reported as full, and used when there is room`()
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      // Debian's gpsd takes 64 clients, and closes the connection of the next without a message.
      let crowd = try GreetedClients(of: 64, port: fixture.gpsdPort)
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      let status = try fixture.waitForStatus("gpsd full", Self.reports("gpsdFull"))
      #expect(status["gpsd"]?["detail"]?.text?.contains("as many clients") == true)
      crowd.leave()
      try received.read(until: "a fix") { $0.fix != nil }
    }
  }

  @Test func `a gpsd that is stopped behind an accepting socket is reported as mute, and read when it continues`()
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      try fixture.onLoop { $0.gpsd?.freeze() }
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      let status = try fixture.waitForStatus("gpsd mute", Self.reports("gpsdDown"))
      #expect(status["gpsd"]?["detail"]?.text?.contains("says nothing") == true)
      try fixture.onLoop { $0.gpsd?.thaw() }
      try received.read(until: "a fix") { $0.fix != nil }
    }
  }

  @Test func `an absent gpsd is reported as such, and found when it is started`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      try fixture.onLoop { $0.killGpsd() }
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      let status = try fixture.waitForStatus("gpsd away", Self.reports("gpsdDown"))
      #expect(status["gpsd"]?["detail"]?.text?.contains("cannot be reached") == true)
      #expect(status["lastError"]?["message"]?.text?.contains("cannot be reached") == true)
      // A request waits during it: a temporary failure never ends a request before its timeout.
      let client = try fixture.client()
      let id = try client.request("position.get", ["timeout": 60])
      try fixture.onLoop { try $0.startGpsd() }
      try received.read(until: "a fix") { $0.fix != nil }
      #expect(try client.reply(to: id)["result"]?["status"] == "success")
      #expect(try client.call("status.get")["lastError"] == nil)
    }
  }
}

/// So many clients that connected to gpsd and were greeted.
private final class GreetedClients {
  private var descriptors: [Int32] = []

  init(of count: Int, port: UInt16) throws {
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      self.descriptors.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while true {
        let code = unsafe withUnsafePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        if code == 0 { break }
        // gpsd refuses connections for its first milliseconds.
        guard errno == ECONNREFUSED, monotonicSeconds() < deadline else { throw TimedOut("gpsd takes no connection") }
      }
      var byte: UInt8 = 0
      guard unsafe read(descriptor, &byte, 1) == 1 else { throw TimedOut("gpsd was full too early") }
    }
  }

  deinit { self.leave() }

  func leave() {
    for descriptor in self.descriptors { close(descriptor) }
    self.descriptors = []
  }
}
