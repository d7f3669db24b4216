import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing
import UBX

@testable import ReceiverSimulator

/// An assisted start with a real gpsd, which writes and passes on, and a simulated u-blox without a battery.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct AssistedStartTests {
  private static func fixture(_ configuration: [String] = []) throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.receiver.receiver = ReceiverModel.Settings(kind: .ublox, keepsRunning: true)
    settings.receiver.receiver.forgetsWithoutPower = true
    settings.gpsdArguments = []
    settings.configuration = ["receiver.rung=ublox", "receiver.assist-clock-error=200ms"] + configuration
    return try IntegrationFixture(settings)
  }

  /// The frames of assistance that the receiver got.
  private static func frames(_ fixture: IntegrationFixture) throws -> [UBXFrame] {
    var bytes = try fixture.onLoop { $0.receiver?.receivedBytes ?? [] }
    var frames: [UBXFrame] = []
    while let place = bytes.indices.first(where: { bytes[$0...].starts(with: [0xB5, 0x62]) }) {
      bytes.removeFirst(place)
      let (found, length) = UBXFrame.sequence(bytes)
      frames += found
      bytes.removeFirst(max(length, 2))
    }
    return frames.filter { [0x13, 0x0B].contains($0.messageClass) }
  }

  @Test func `after a power cut of the whole device the first fix comes soon, from what was kept`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture()
      let kept = "\(fixture.folder)/positiond.db.assist"
      do {
        var received = try ReceivedUpdates(fixture, ["replay": "none"])
        try received.read(until: "a fix") { $0.fix != nil }
        _ = try fixture.waitForStatus("what it knows kept") { _ in SystemDisk().exists(kept) }
        #expect(try SystemDisk().status(of: kept).get().mode == 0o600)
        let frames = try Self.frames(fixture)
        #expect(frames.count == 2 && frames.last == .databasePoll, "there was nothing yet but the time: \(frames)")
      }
      try fixture.onLoop { parts in
        parts.killDaemon()
        parts.killGpsd()
        parts.receiver?.unplug()
      }
      try fixture.onLoop { parts in
        parts.receiver?.replug()
        try parts.startGpsd()
        try parts.startDaemon()
      }
      try fixture.waitForSocket()
      let before = try Self.frames(fixture).count
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      try received.read(until: "a fix") { $0.fix != nil }
      let given = try Self.frames(fixture).dropFirst(before)
      #expect(given.first.flatMap { UBXTimeAssistance($0) } != nil, "\(given)")
      #expect(given.count { UBXPositionAssistance($0) != nil } == 1)
      #expect(given.count(where: \.isKnowledge) == 12)
      let status = try fixture.waitForStatus("what it was given") { $0["power"]?["assist"] != nil }
      let parts = status["power"]?["assist"]?["given"]
      #expect(parts == ["time", "position", "orbits"], "\(status)")
      #expect(status["power"]?["assist"]?["problem"] == nil, "\(status)")
    }
  }

  @Test func `with assist=off nothing is asked, kept or given`() async throws {
    try await onOwnThread {
      let fixture = try Self.fixture(["receiver.assist=off", "receiver.linger=1s"])
      var received = try ReceivedUpdates(fixture, ["replay": "none"])
      try received.read(until: "a fix") { $0.fix != nil }
      try fixture.onLoop { $0.receiver?.unplug() }
      _ = try fixture.waitForStatus("the receiver gone") { $0["gpsd"]?["state"]?.text == "receiverMissing" }
      #expect(try Self.frames(fixture).isEmpty)
      #expect(try fixture.client().call("status.get")["power"]?["assist"] == nil)
    }
  }
}
