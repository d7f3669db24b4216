import Positioning
import ReceiverPorts
import Testing

@testable import Trust

/// What the receiver says itself: the reasons `spoofing` and `jamming`.
struct ReceiversWordTests {
  private static func trusted() -> Scene { EvidenceTests.trusted(strengths: EvidenceTests.sky) }

  @Test("One indication of spoofing is suspect after three seconds, several are untrusted, until they are over")
  func spoofing() {
    var scene = Self.trusted()
    scene.reception = Reception(spoofing: .indicated)
    #expect(scene.seconds(until: .suspect, inFirst: 10) { _ in } == 4)
    scene.run(60)
    #expect(scene.verdict == Verdict(integrity: .suspect, reasons: [.spoofing]))
    scene.reception = Reception(spoofing: .affirmed)
    #expect(scene.seconds(until: .untrusted, inFirst: 10) { _ in } == 4)
    #expect(scene.verdict.reasons == [.spoofing])
    scene.reception = Reception(spoofing: .clear)
    scene.run(31)
    #expect(scene.verdict == Verdict(integrity: .trusted))
  }

  @Test("A word that is taken back within three seconds is nothing, also if it comes again and again")
  func momentary() {
    var scene = Self.trusted()
    for second in 0..<120 {
      scene.reception = Reception(spoofing: second % 4 == 0 ? .clear : .affirmed)
      scene.run(1)
      #expect(scene.verdict.reasons.isEmpty)
    }
  }

  @Test("A word that comes every four seconds counts; a session that ended, and one every minute, begin anew")
  func rare() {
    func integrity(every seconds: Int, isInterrupted: Bool = false) -> Integrity? {
      var scene = Self.trusted()
      for second in 0..<180 {
        scene.reception = second % seconds == 0 ? Reception(spoofing: .affirmed) : nil
        scene.run(1)
        if isInterrupted { scene.rest(seconds: 1) }
      }
      return scene.verdict.integrity
    }
    #expect(integrity(every: 4) == .untrusted)
    #expect(integrity(every: 60) == .trusted)
    #expect(integrity(every: 4, isInterrupted: true) == nil)
  }

  @Test("A jamming state that stays is suspect, whatever the indicator says", arguments: [true, false])
  func jamming(isCritical: Bool) {
    var scene = Self.trusted()
    scene.jamming = 20
    scene.reception = Reception(jamming: isCritical ? .critical : .warning, jammingIndicator: 20)
    #expect(scene.seconds(until: .suspect, inFirst: 10) { _ in } == 6)
    #expect(scene.verdict.reasons == [.jamming])
    scene.reception = Reception(jamming: .clear, jammingIndicator: 20)
    scene.run(31)
    #expect(scene.verdict.integrity == .trusted)
    // As gpsd's own, which only later releases report.
    scene.jamming = nil
    scene.reception = Reception(jamming: .clear, jammingIndicator: 255)
    #expect(scene.seconds(until: .suspect, inFirst: 10) { _ in } == 6)
  }

  @Test("Jamming makes the signals weaker, so both together are no more than suspect; with another reason they are")
  func together() {
    var scene = Self.trusted()
    scene.reception = Reception(jamming: .warning)
    scene.run(8)
    scene.strengths = EvidenceTests.sky.map { $0 - 12 }
    scene.run(1)
    #expect(scene.verdict == Verdict(integrity: .suspect, reasons: [.jamming, .signal]))
    scene.reception = Reception(spoofing: .indicated, jamming: .warning)
    scene.run(5)
    #expect(scene.verdict == Verdict(integrity: .untrusted, reasons: [.jamming, .spoofing, .signal]))
  }

  @Test("What one receiver says is nothing about another")
  func another() {
    var scene = Self.trusted()
    for _ in 0..<20 {
      scene.run(1)
      scene.hear(Reception(spoofing: .affirmed), from: "/dev/ttyUSB0")
    }
    #expect(scene.verdict == Verdict(integrity: .trusted))
    #expect(scene.judge.verdict(of: "/dev/ttyUSB0").integrity == .untrusted)
  }
}
