import Geodesy
import Positioning
import ReceiverSimulator
import Testing

@testable import Broker

/// Attacks on a device that rests: each is reported within ten seconds of where it becomes visible, and decides nothing.
@Suite struct AttackTests {
  /// An attack, and after how many seconds of it it becomes visible.
  struct Attack: CustomTestStringConvertible {
    let name: String
    let fault: Fault.Kind
    var visible = 0
    let reason: IntegrityReason

    var testDescription: String { self.name }
  }

  static let attacks = [
    Attack(name: "drag-off by 1 m/s", fault: .dragOff(speed: 1, course: 70), visible: 56, reason: .speed),
    Attack(name: "drag-off by 10 m/s", fault: .dragOff(speed: 10, course: 70), visible: 6, reason: .speed),
    Attack(name: "jump of 700 m", fault: .jump(distance: 700, course: 200), reason: .speed),
    Attack(name: "jump of 50 km", fault: .jump(distance: 50_000, course: 200), reason: .speed),
    Attack(name: "replay of an hour ago", fault: .replay(.seconds(3600)), reason: .time),
    Attack(name: "meaconing of the sky", fault: .meaconing(distance: 600, course: 10), reason: .signal),
    Attack(name: "time jump of an hour", fault: .timeJump(.seconds(3600)), reason: .time),
    Attack(name: "time jump of 1024 weeks", fault: .timeJump(.seconds(-619_315_200)), reason: .time),
  ]

  /// When the attacks begin, in seconds: the device has been at home for a quarter of an hour.
  static let peace = 900

  private static func attacked(by fault: Fault.Kind, seed: UInt64 = 1, speaks: Bool = false) -> AttackedDaemon {
    var scene = AttackedDaemon(
      faults: [Fault(fault, start: .seconds(Self.peace), duration: .seconds(300))], seed: seed, speaks: speaks)
    scene.run(seconds: Self.peace - 1)
    #expect(scene.status.integrity == .trusted && scene.status.availability == .available)
    #expect(scene.doubts.isEmpty, "\(scene.doubts)")
    #expect(scene.decisions.contains("enter") && scene.decisions.contains("visit 1"), "\(scene.decisions)")
    scene.forget()
    return scene
  }

  @Test("A position that the receiver calls simulated costs its own ones no trust")
  func simulatedPosition() {
    var scene = AttackedDaemon()
    scene.run(seconds: 120)
    #expect(scene.status.integrity == .trusted)
    for _ in 0..<5 {
      scene.simulatePosition(metres: 5000)
      scene.run(seconds: 3)
      #expect(scene.status.integrity == .trusted && scene.status.availability == .available)
    }
    #expect(scene.doubts.isEmpty, "\(scene.doubts)")
    #expect(scene.largestError < 50)
  }

  @Test("An attack is reported in time, says why, and decides nothing, also when it ends", arguments: attacks)
  func reported(_ attack: Attack) {
    for seed in 1...2 as ClosedRange<UInt64> {
      var scene = Self.attacked(by: attack.fault, seed: seed)
      let reported = scene.run(seconds: attack.visible + 60) { $0.status.integrity == .untrusted }
      #expect(
        reported.map { $0 - 1 <= attack.visible + 10 } == true, "\(attack.name): \(reported ?? 0) s, seed \(seed)")
      #expect(scene.status.availability == .untrusted)
      scene.run(seconds: 10)
      #expect(scene.status.integrityReasons.contains(attack.reason), "\(scene.status.integrityReasons.list)")
      scene.run(seconds: 700)
      #expect(scene.decisions.isEmpty, "\(attack.name): \(scene.decisions)")
      #expect(scene.largestError < 100, "\(attack.name): a fix \(scene.largestError) m away was delivered")
      #expect(scene.status.integrity == .trusted, "\(attack.name): it was over for five minutes")
      #expect(
        scene.doubts.contains { $0.contains("cannot be trusted") } && scene.doubts.last?.contains("any more") == true)
      #expect(scene.doubts.count <= 6, "\(scene.doubts)")
    }
  }

  @Test("Jamming is suspect at once, and a loss where it is strong; its fixes are true")
  func jamming() {
    var scene = Self.attacked(by: .jamming(decibels: 12))
    let reported = scene.run(seconds: 20) { $0.status.integrity == .suspect }
    #expect(reported.map { $0 <= 3 } == true && scene.status.integrityReasons == [.signal])
    scene.run(seconds: 400)
    #expect(scene.decisions.isEmpty)
    var lost = Self.attacked(by: .jamming(decibels: 60))
    #expect(lost.run(seconds: 20) { $0.status.availability == .lost } != nil)
    #expect(lost.decisions.isEmpty)
  }

  @Test("What a receiver says of its signals finds attacks that nothing else does, and finds others sooner")
  func receiversWord() {
    for (fault, integrity, reasons) in [
      // Slower than anything that is compared can see.
      (Fault.Kind.dragOff(speed: 0.05, course: 70), Integrity.suspect, [.spoofing] as IntegrityReasons),
      (.dragOff(speed: 1, course: 70), .suspect, [.spoofing]),
      (.replay(.seconds(3600)), .untrusted, [.spoofing, .time]),
      (.meaconing(distance: 600, course: 10), .untrusted, [.spoofing, .speed, .signal]),
      (.jamming(decibels: 12), .suspect, [.jamming, .signal]),
    ] {
      var scene = Self.attacked(by: fault, speaks: true)
      scene.run(seconds: 10)
      #expect(
        scene.status.integrity == integrity && scene.status.integrityReasons == reasons,
        "\(fault): \(scene.status.integrityReasons.list)")
      scene.run(seconds: 700)
      #expect(scene.decisions.isEmpty, "\(fault): \(scene.decisions)")
      #expect(scene.status.integrity == .trusted)
    }
  }

  @Test("A receiver that another one replaces is untrusted where its place or its time cannot be")
  func swapped() {
    for (metres, clock) in [(80_000.0, 0), (0, 86_400)] {
      var scene = AttackedDaemon()
      scene.run(seconds: Self.peace)
      scene.forget()
      scene.swap(to: Geodesy.moved(scene.home, east: metres, north: 0), clock: .seconds(clock))
      let reported = scene.run(seconds: 60) { $0.status.integrity == .untrusted }
      #expect(reported.map { $0 <= 12 } == true, "\(metres) m, \(clock) s: \(reported ?? 0)")
      scene.run(seconds: 600)
      #expect(scene.decisions.isEmpty, "\(scene.decisions)")
    }
  }

  @Test("Who asks for fixes of any integrity gets the untrusted ones, marked; who asks for trusted ones, no other")
  func demands() throws {
    var scene = AttackedDaemon(
      faults: [Fault(.jump(distance: 5000, course: 0), start: .seconds(Self.peace), duration: .seconds(300))])
    scene.run(seconds: Self.peace - 1)
    scene.forget()
    scene.run(seconds: 60) { $0.status.integrity == .untrusted }
    #expect(scene.status.integrity == .untrusted)
    // Until then the newest fix is one from before.
    scene.run(seconds: 5)
    let (any, trusted) = scene.ask()
    scene.run(seconds: 10)
    let fixes = scene.actions.fixes(of: 4)
    #expect(!fixes.isEmpty && fixes.allSatisfy { $0.integrity == .untrusted && $0.integrityReasons == [.speed] })
    #expect(scene.actions.fixes(of: 5).isEmpty && scene.actions.fixes().isEmpty)
    #expect(scene.actions.outcome(of: any)?.fix?.integrity == .untrusted)
    #expect(scene.actions.outcome(of: trusted) == nil)
    scene.run(seconds: 700)
    #expect(scene.actions.outcome(of: trusted)?.fix?.integrity == .trusted)
    #expect(scene.actions.fixes(of: 5).allSatisfy { $0.integrity == .trusted } && !scene.actions.fixes(of: 5).isEmpty)
  }

  @Test("The default subscription is notified of the loss of trust, and of its return")
  func notified() {
    var scene = Self.attacked(by: .jump(distance: 5000, course: 0))
    scene.run(seconds: 700)
    let updates = scene.actions.updates().filter { $0.reason != nil }
    #expect(updates.map(\.reason) == [.lost, .restored])
    #expect(updates.map(\.availability) == [.untrusted, .available])
  }
}

extension AttackedDaemon {
  /// Two subscriptions and two requests: of any integrity, and of trusted fixes.
  fileprivate mutating func ask() -> (any: CallID, trusted: CallID) {
    self.subscribe(.any)
    self.subscribe(.trusted)
    return (self.request(.any), self.request(.trusted))
  }
}
