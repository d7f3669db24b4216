import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// gpsd killed and started again, the receiver unplugged and plugged in again, while fixes flow to several clients.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct OutageTests {
  private static func play() -> Stage.Play {
    var play = Stage.Play()
    play.receiver.period = .milliseconds(100)
    play.configuration = ["fix.loss-after=1s"]
    return play
  }

  private static func clients(_ stage: Stage) throws -> [Told] {
    try [
      ["minInterval": 0, "replay": "none"], ["minInterval": 0.5, "minDistance": 2, "replay": "none"],
      ["mode": "passive", "minInterval": 0, "replay": "none"],
    ].map { try Told(stage, $0) }
  }

  /// One outage: every client is told once that fixes are lost and once that they are back, and gets none between.
  private static func outage(
    _ what: String, _ clients: inout [Told], begin: () throws -> Void, end: () throws -> Void
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
      #expect(!between.contains { $0.reason == "lost" }, "\(what): lost was told twice")
      let after = try clients[place].read(until: "\(what): a fix") { $0.fix != nil }
      #expect(!after.contains { $0.reason == "restored" }, "\(what): restored was told twice")
      #expect((after.last?.fix?.arrival ?? 0) > newest[place], "\(what): a stale fix")
    }
  }

  /// Of everything that was told: as many losses as outages, and never a step back in arrival.
  private static func checkAll(_ clients: [Told], outages: Int) {
    for told in clients {
      #expect(told.updates.count { $0.reason == "lost" } == outages)
      #expect(told.updates.count { $0.reason == "restored" } == outages)
      let arrivals = told.fixes.map(\.arrival)
      // What gpsd wrote at once arrives at once.
      #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func `gpsd is killed and started again ten times`() async throws {
    try await onOwnThread {
      let stage = try Stage(Self.play())
      var clients = try Self.clients(stage)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      for round in 1...10 {
        try Self.outage("kill \(round)", &clients) {
          try stage.onLoop { $0.killGpsd() }
        } end: {
          try stage.onLoop { try $0.startGpsd() }
        }
      }
      Self.checkAll(clients, outages: 10)
      let status = try stage.client().call("status.get")
      #expect(status["gpsd"]?["reconnects"] == 10)
      #expect(status["lastError"] == nil)
    }
  }

  @Test func `the receiver is unplugged and plugged in again ten times, with notice and without`() async throws {
    try await onOwnThread {
      let stage = try Stage(Self.play())
      var clients = try Self.clients(stage)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      for round in 1...10 {
        let isNoticed = round.isMultiple(of: 2)
        try Self.outage(isNoticed ? "noticed unplug \(round)" : "silent unplug \(round)", &clients) {
          try stage.onLoop { cast in
            cast.receiver?.unplug()
            if isNoticed { try cast.tellGpsd("-\(cast.device)") }
          }
        } end: {
          try stage.onLoop { cast in
            cast.receiver?.replug()
            // What udev does when the device is there again; gpsd must have let go of the old one first.
            if !isNoticed { try cast.tellGpsd("-\(cast.device)") }
            try cast.tellGpsd("+\(cast.device)")
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
      let stage = try Stage(Self.play())
      var clients = try Self.clients(stage)
      for place in clients.indices { try clients[place].read(until: "a fix") { $0.fix != nil } }
      try Self.outage("noisy unplug", &clients) {
        try stage.onLoop { cast in
          cast.receiver?.unplug()
          try cast.tellGpsd("-\(cast.device)")
        }
      } end: {
        try stage.onLoop { cast in
          cast.receiver?.inject(.noSky)
          cast.receiver?.inject(.garbage(bytes: 256))
          cast.receiver?.replug()
          try cast.tellGpsd("+\(cast.device)")
        }
        _ = try stage.waitForStatus("epochs without sky") {
          ($0["reports"]?["rejected"]?["noFix"]?.double ?? 0) >= 10
        }
        try stage.onLoop { cast in
          cast.receiver?.lift(.noSky)
          cast.receiver?.lift(.garbage(bytes: 256))
        }
      }
      Self.checkAll(clients, outages: 1)
    }
  }

  @Test func `a receiver that is plugged in later is found`() async throws {
    try await onOwnThread {
      var play = Self.play()
      play.isPlugged = false
      let stage = try Stage(play)
      var told = try Told(stage, ["replay": "none"])
      let status = try stage.waitForStatus("the receiver missing") {
        $0["receiver"]?["availability"] == "receiverMissing"
      }
      #expect(status["gpsd"]?["detail"]?.text?.contains("gpsd has no receiver") == true)
      try stage.onLoop { cast in
        try cast.receiver?.start()
        try cast.tellGpsd("+\(cast.device)")
      }
      try told.read(until: "a fix") { $0.fix != nil }
    }
  }
}
