import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// gpsd killed and started again, the receiver unplugged and plugged in again, while several clients get fixes. Their time
/// passes faster, since most of an outage is waiting.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct OutageTests {
  private static func settings() throws -> IntegrationFixture.Settings {
    var settings = IntegrationFixture.Settings()
    settings.time = try FastTime(factor: 15)
    // A busy machine may delay a process by almost a second, which is no loss.
    settings.configuration = ["fix.loss-after=12s"]
    return settings
  }

  private static func clients(_ fixture: IntegrationFixture) throws -> [ReceivedUpdates] {
    try [
      ["minInterval": 0, "replay": "none"], ["minInterval": 0.5, "minDistance": 2, "replay": "none"],
      ["mode": "passive", "minInterval": 0, "replay": "none"],
    ].map { try ReceivedUpdates(fixture, $0) }
  }

  /// One outage: every client is notified once that fixes are lost and once that they are back, and gets none between.
  private static func outage(
    _ what: String, _ clients: inout [ReceivedUpdates], begin: () throws -> Void, end: () throws -> Void
  ) throws {
    try begin()
    var newest: [Double] = []
    for place in clients.indices {
      try clients[place].read(until: "\(what): lost") { $0.reason == "lost" }
      newest.append(clients[place].fixes.last?.arrival ?? 0)
    }
    try end()
    for place in clients.indices {
      let between = try clients[place].read(until: "\(what): restored") { $0.reason == "restored" }
      #expect(between.allSatisfy { $0.fix == nil }, "\(what): a fix while there was none")
      #expect(!between.contains { $0.reason == "lost" }, "\(what): lost was sent twice")
      let after = try clients[place].read(until: "\(what): a fix") { $0.fix != nil }
      #expect(!after.contains { $0.reason == "restored" }, "\(what): restored was sent twice")
      #expect((after.last?.fix?.arrival ?? 0) > newest[place], "\(what): a stale fix")
    }
  }

  /// Checks all deliveries: as many losses as outages, and never a step back in arrival.
  private static func checkAll(_ clients: [ReceivedUpdates], outages: Int) {
    for received in clients {
      #expect(received.updates.count { $0.reason == "lost" } == outages)
      #expect(received.updates.count { $0.reason == "restored" } == outages)
      let arrivals = received.fixes.map(\.arrival)
      // Reports that gpsd wrote at once arrive at once.
      #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func `gpsd is killed and started again ten times`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture(try Self.settings())
      var clients = try Self.clients(fixture)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      for round in 1...10 {
        try Self.outage("kill \(round)", &clients) {
          try fixture.onLoop { $0.killGpsd() }
        } end: {
          try fixture.onLoop { try $0.startGpsd() }
        }
      }
      Self.checkAll(clients, outages: 10)
      let status = try fixture.client().call("status.get")
      #expect(status["gpsd"]?["reconnects"] == 10)
      #expect(status["lastError"] == nil)
    }
  }

  @Test func `the receiver is unplugged and plugged in again ten times, with a report and without`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture(try Self.settings())
      var clients = try Self.clients(fixture)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      for round in 1...10 {
        let isNoticed = round.isMultiple(of: 2)
        try Self.outage(isNoticed ? "noticed unplug \(round)" : "silent unplug \(round)", &clients) {
          try fixture.onLoop { parts in
            parts.receiver?.unplug()
            if isNoticed { try parts.announceReceiver("-") }
          }
        } end: {
          try fixture.onLoop { parts in
            parts.receiver?.replug()
            // The action of udev when the device is back; gpsd must have closed the old one first.
            if !isNoticed { try parts.announceReceiver("-") }
            try parts.announceReceiver("+")
          }
        }
      }
      Self.checkAll(clients, outages: 10)
    }
  }

  @Test func `a receiver that is plugged in again without sky, on a noisy line, is found, and has fixes with the sky`()
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture(try Self.settings())
      var clients = try Self.clients(fixture)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      try Self.outage("noisy unplug", &clients) {
        try fixture.onLoop { parts in
          parts.receiver?.unplug()
          try parts.announceReceiver("-")
        }
      } end: {
        try fixture.onLoop { parts in
          parts.receiver?.inject(.noSky)
          parts.receiver?.inject(.garbage(bytes: 256))
          parts.receiver?.replug()
          try parts.announceReceiver("+")
        }
        _ = try fixture.waitForStatus("epochs without sky") {
          ($0["reports"]?["rejected"]?["noFix"]?.double ?? 0) >= 10
        }
        try fixture.onLoop { parts in
          parts.receiver?.lift(.noSky)
          parts.receiver?.lift(.garbage(bytes: 256))
        }
      }
      Self.checkAll(clients, outages: 1)
    }
  }

  @Test func `a receiver that is plugged in later is found`() async throws {
    try await onOwnThread {
      var settings = try Self.settings()
      settings.isPlugged = false
      let fixture = try IntegrationFixture(settings)
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      let status = try fixture.waitForStatus("the receiver missing") {
        $0["receiver"]?["availability"] == "receiverMissing"
      }
      #expect(status["gpsd"]?["detail"]?.text?.contains("gpsd has no receiver") == true)
      try fixture.onLoop { parts in
        try parts.plugReceiver()
      }
      try received.read(until: "a fix") { $0.fix != nil }
    }
  }
}
