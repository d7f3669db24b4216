import EventLoop
import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Gpsd

@Suite("The driver, against a fake gpsd", .timeLimit(.minutes(TestDeadline.minutes)))
struct FakeGpsdTests {
  @Test("A normal gpsd streams, and a stop leaves nothing open")
  func behaves() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "a report") { !listener.positions.isEmpty }
      #expect(listener.sources == [.opening, .streaming])
      #expect(listener.positions.first?.latitude == 1.5)
      #expect(listener.events.contains(.gpsdVersion("3.22")))
      listener.stop()
      #expect(listener.source == .idle)
      try loop.drive(until: "the end of the connection") { gpsd.client?.isClosedByPeer == true }
      #expect(gpsd.requests.hasSuffix("?WATCH={\"enable\":false};\n"))
      listener.start()
      try loop.drive(until: "another report") { listener.positions.count == 2 }
    }
  }

  @Test("localhost is found on IPv4")
  func localhost() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, host: "localhost", on: loop)
      listener.start()
      try loop.drive(until: "a report") { listener.source == .streaming }
    }
  }

  @Test("A port without a listener is reported with the system's error, on IPv4 and IPv6, and so is a wrong address")
  func refused() async throws {
    try await withLoop { loop in
      for host in ["127.0.0.1", "localhost", "::1", "gps.example"] {
        let port = try TCPSocket.listenOnLoopback().localPort
        let listener = try Listener(port: port, host: host, on: loop)
        listener.start()
        try loop.drive(until: "\(host) refused") {
          if case .gpsdDown(.unreachable) = listener.source { true } else { false }
        }
        listener.stop()
      }
    }
  }

  @Test("A gpsd that starts later is found")
  func comesUp() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.onConnect = { $0.close() }
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "it is full") { listener.source == .gpsdFull }
      gpsd.behave()
      try loop.drive(until: "a report") { listener.source == .streaming }
      #expect(listener.sources == [.opening, .gpsdFull, .opening, .streaming])
    }
  }

  @Test("A mute gpsd is distinguished from an absent one, and read when it sends something")
  func mute() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      gpsd.onConnect = { _ in }
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "it is mute") { listener.source == .gpsdDown(.mute) }
      #expect(gpsd.requests.isEmpty)
      try gpsd.client?.say(FakeGpsd.banner)
      try loop.drive(until: "a report") { listener.source == .streaming }
    }
  }

  @Test(
    "Another program is reported as such",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{0}\u{1}\u{2}\n", "{\"jsonrpc\":\"2.0\"}\n",
    ])
  func garbage(banner: String) async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.onConnect = { try? $0.say(banner) }
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "it is no gpsd") {
        if case .gpsdDown(.notGpsd) = listener.source { true } else { false }
      }
      #expect(gpsd.requests.isEmpty)
    }
  }

  @Test("A gpsd that dies in the middle of a line is reported, and the half line is dropped")
  func diesMidLine() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "a report") { listener.source == .streaming }
      try gpsd.client?.say(FakeGpsd.report + #"{"class":"TPV","mode":3,"lat":"#)
      gpsd.client?.close()
      try loop.drive(until: "it is gone") {
        if case .gpsdDown(.closed) = listener.source { true } else { false }
      }
      #expect(listener.positions.count == 2)
      try loop.drive(until: "it is back") { listener.source == .streaming }
      #expect(listener.positions.count == 3)
      #expect(listener.positions.allSatisfy { $0.latitude == 1.5 })
    }
  }

  @Test("A gpsd that dies during a request does not end the program")
  func diesBeforeRequest() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      // The banner and a reset: the watch is then written to a dead connection.
      gpsd.onConnect = { client in
        try? client.say(FakeGpsd.banner)
        client.close()
      }
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "three tries") { gpsd.connections >= 3 }
      #expect(listener.sources.contains { if case .gpsdDown(.closed) = $0 { true } else { false } })
    }
  }

  @Test("Bytes in any portions, and lines that are too long, have no effect")
  func portions() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "a report") { listener.source == .streaming }
      for byte in FakeGpsd.report.utf8 {
        _ = try gpsd.client?.socket.write([byte])
        try loop.drive(for: .milliseconds(1))
      }
      try loop.drive(until: "the report in bytes") { listener.positions.count == 2 }
      // Six receivers at once: libgps itself would loop for ever on this line.
      let devices = (0..<6).map { #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)","activated":"2026"}"# }
      try gpsd.client?.say(#"{"class":"DEVICES","devices":["# + devices.joined(separator: ",") + "]}\r\n")
      for _ in 0..<20 {
        try gpsd.client?.say(String(repeating: "x", count: 5000))
        try loop.drive(for: .milliseconds(1))
      }
      try gpsd.client?.say("\r\n" + FakeGpsd.report)
      try loop.drive(until: "the report behind it") { listener.positions.count == 3 }
      #expect(listener.events.contains { if case .devices(let list) = $0 { list.count == 6 } else { false } })
      #expect(listener.log.contains { $0.contains("longer than") })
    }
  }

  /// Reports for this many seconds, each a whole epoch.
  private func burst(_ seconds: Range<Int>) -> String {
    seconds.map { second in
      let time = "2026-01-01T00:\(second / 600)\(second / 60 % 10):\(second / 10 % 6)\(second % 10).000Z"
      return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":1.5,"lon":2.5}"# + "\r\n"
    }.joined()
  }

  @Test("Of too many reports the newest counts, other work continues, and it is logged once")
  func backlog() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      // Each turn processes one report: its time limit is zero.
      let listener = try Listener(port: gpsd.port, turnBudget: .zero, on: loop)
      listener.start()
      try loop.drive(until: "a report") { listener.source == .streaming }
      for minute in 0..<5 {
        try gpsd.client?.say(self.burst(minute * 60..<(minute + 1) * 60))
        try loop.drive(for: .milliseconds(1))
      }
      let last = Timestamp(seconds: 1_767_225_600 + 299)
      try loop.drive(until: "the newest report") { listener.positions.last?.time == last }
      let passedOver = listener.events.reduce(0) { if case .superseded(let epochs) = $1 { $0 + epochs } else { $0 } }
      #expect(listener.positions.count - 1 + passedOver == 300)
      #expect(passedOver > 0)
      #expect(listener.log.count { $0.contains("faster than they can be processed") } == 1)
    }
  }

  @Test("A burst within the limit is processed whole, even if gpsd is gone")
  func burst() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.start()
      try loop.drive(until: "a report") { listener.source == .streaming }
      try gpsd.client?.say(self.burst(0..<60))
      gpsd.client?.close()
      try loop.drive(until: "it is gone") {
        listener.sources.contains { if case .gpsdDown(.closed) = $0 { true } else { false } }
      }
      #expect(listener.positions.prefix(61).count { $0.time != nil } == 60)
    }
  }

  @Test("Stopping and starting from within an event keeps the order")
  func stopsWithin() async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave()
      let listener = try Listener(port: gpsd.port, on: loop)
      listener.onEvent = { [weak listener] event in
        if event == .source(.streaming) { listener?.stop() }
      }
      listener.start()
      try loop.drive(until: "it has stopped") { listener.source == .idle }
      try loop.drive(until: "the end of the connection") { gpsd.client?.isClosedByPeer == true }
      #expect(listener.sources == [.opening, .streaming, .idle])
      #expect(gpsd.connections == 1)
    }
  }

  @Test("A probe finds whether the receiver is open, and requests nothing else", arguments: [true, false])
  func probe(isActivated: Bool) async throws {
    try await withLoop { loop in
      let gpsd = try FakeGpsd(on: loop)
      gpsd.behave(isActivated: isActivated)
      let listener = try Listener(port: gpsd.port, on: loop)
      var isOpen: Bool??
      listener.probe { isOpen = .some($0) }
      try loop.drive(until: "the probe's end") { isOpen != nil }
      #expect(isOpen == .some(isActivated))
      #expect(gpsd.requests == "?DEVICES;\n")
      try loop.drive(until: "the end of the connection") { gpsd.client?.isClosedByPeer == true }
      #expect(listener.events.isEmpty)
    }
  }

  @Test("A probe without a gpsd has an unknown result")
  func probeWithoutGpsd() async throws {
    try await withLoop { loop in
      let listener = try Listener(port: try TCPSocket.listenOnLoopback().localPort, host: "localhost", on: loop)
      var isOpen: Bool??
      listener.probe { isOpen = .some($0) }
      try loop.drive(until: "the probe's end") { isOpen != nil }
      #expect(isOpen == .some(nil))
    }
  }
}
