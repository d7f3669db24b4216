import Geodesy
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// Attacks on a simulated u-blox, whose own messages a real gpsd passes on to the real daemon. The time passes ten times as fast.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct AttackedReceiverTests {
  private static let home = Coordinate(latitude: 48.137, longitude: 11.575)

  /// A receiver at rest, and a client that asks for every fix.
  private struct Scene {
    let fixture: IntegrationFixture
    let any: LineClient
    let usual: LineClient

    init() throws {
      var settings = IntegrationFixture.Settings()
      settings.receiver.route = .point(AttackedReceiverTests.home)
      settings.receiver.receiver.kind = .ublox
      settings.time = try FastTime(factor: 10)
      // A busy machine may delay a process by almost a second, which is no loss.
      settings.configuration = ["fix.loss-after=12s"]
      self.fixture = try IntegrationFixture(settings)
      (self.any, self.usual) = (try self.fixture.client(), try self.fixture.client())
      for (client, integrity) in [(self.any, "any"), (self.usual, "suspect")] {
        _ = try client.call(
          "position.subscribe", ["minInterval": 0, "replay": "none", "integrity": .string(integrity)])
      }
      // The first minute of a start is not judged.
      var first: Double?
      _ = try self.fix("a minute of an honest receiver") { fix in
        first = first ?? fix["arrival"]?.double
        return (fix["arrival"]?.double ?? 0) - (first ?? 0) > 60 && fix["integrity"] == "trusted"
      }
    }

    /// The first fix of any integrity that matches.
    func fix(_ what: String, _ matches: (JSONValue) -> Bool) throws -> JSONValue {
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while true {
        let update = try self.any.notification("position.update", within: max(0.01, deadline - monotonicSeconds()))
        if let fix = update["fix"], matches(fix) { return fix }
        guard monotonicSeconds() < deadline else { throw TimedOut("\(what): never; the last: \(update)") }
      }
    }

    func inject(_ fault: Fault.Kind) throws { try self.fixture.onLoop { $0.receiver?.inject(fault) } }
    func lift(_ fault: Fault.Kind) throws { try self.fixture.onLoop { $0.receiver?.lift(fault) } }

    static func distance(_ fix: JSONValue) -> Double {
      guard let latitude = fix["latitude"]?.double, let longitude = fix["longitude"]?.double else { return .infinity }
      return Geodesy.distance(
        from: AttackedReceiverTests.home, to: Coordinate(latitude: latitude, longitude: longitude))
    }

    static func reasons(_ fix: JSONValue) -> [String] { fix["integrityReasons"]?.elements.compactMap(\.text) ?? [] }
  }

  @Test(arguments: [Fault.Kind.jump(distance: 5000, course: 90), .meaconing(distance: 600, course: 10)])
  func `an attack through a real gpsd is untrusted within ten seconds, and reaches nobody who did not ask`(
    fault: Fault.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try Scene()
      try scene.inject(fault)
      var visible: Double?
      let untrusted = try scene.fix("an untrusted fix") { fix in
        if Scene.distance(fix) > 300 { visible = visible ?? fix["arrival"]?.double }
        return fix["integrity"] == "untrusted"
      }
      let since = try #require(untrusted["arrival"]?.double) - (visible ?? .infinity)
      #expect(since <= 10 || visible == nil, "\(since) s")
      #expect(Scene.reasons(untrusted).contains("speed"), "\(untrusted)")
      if case .meaconing = fault {
        // The receiver's own word needs three seconds.
        let said = try scene.fix("the receiver's own word") { Scene.reasons($0).contains("spoofing") }
        #expect(said["integrity"] == "untrusted" && (said["arrival"]?.double ?? 0) - (visible ?? 0) <= 10, "\(said)")
      }
      let status = try scene.fixture.client().call("status.get")
      #expect(status["receiver"]?["availability"] == "untrusted", "\(status)")
      try scene.lift(fault)
      _ = try scene.fix("trust again") { $0["integrity"] == "trusted" && Scene.distance($0) < 100 }
      var updates: [JSONValue] = []
      repeat {
        updates.append(try scene.usual.notification("position.update"))
      } while updates.last?["reason"] != "restored"
      let fixes = updates.compactMap { $0["fix"] }
      #expect(!fixes.isEmpty && fixes.allSatisfy { Scene.distance($0) < 100 })
      #expect(updates.contains { $0["reason"] == "lost" && $0["availability"] == "untrusted" })
    }
  }

  @Test func `what only the receiver notices arrives through a real gpsd, and makes its fixes suspect`() async throws {
    try await onOwnThread {
      let scene = try Scene()
      // Too slow for anything that is compared.
      try scene.inject(.dragOff(speed: 0.05, course: 90))
      let suspect = try scene.fix("a suspect fix") { $0["integrity"] != "trusted" }
      #expect(suspect["integrity"] == "suspect" && Scene.reasons(suspect) == ["spoofing"], "\(suspect)")
      #expect(scene.fixture.log.contains("the receiver reports that it hears false signals"))
    }
  }
}
