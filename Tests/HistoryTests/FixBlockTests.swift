import Positioning
import Testing

@testable import History

/// Fixes as bytes.
@Suite struct FixBlockTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what is packed is what was recorded, in at most 24 bytes a fix`(seed: UInt64) throws {
    let fixes = Sample.fixes(256, seed: seed)
    let bytes = FixBlock.packed(fixes)
    #expect(try FixBlock.unpacked(bytes) == fixes)
    #expect(bytes.count <= 24 * fixes.count, "\(bytes.count)")
  }

  @Test func `a fix keeps what its receiver said of it, and claims no more`() throws {
    var fix = Fix(
      latitude: -90, longitude: 180, horizontalAccuracy: 3.1401, altitude: -12.34, ellipsoidalAltitude: 30.5,
      verticalAccuracy: 6.4, speed: 1.42, course: 359.96, arrival: .boot, mode: .twoDimensional, status: .rtkFloat,
      satellitesUsed: 9, isReduced: true, horizontalAccuracy95: 9.5, accuracySource: .dilution)
    fix.integrity = .suspect
    fix.integrityReasons = [.jamming, .disagreement]
    let kept = try #require(HistoryFix(fix, at: Sample.start)).fix(arrival: .boot)
    #expect(kept.horizontalAccuracy == 3.15 && kept.horizontalAccuracy95 == 9.5)
    #expect(kept.course == 0)
    var expected = fix
    (expected.horizontalAccuracy, expected.course) = (3.15, 0)
    expected.horizontalAccuracy95 = 9.5
    #expect(kept == expected)
    #expect(HistoryFix(Fix(latitude: 90.1, longitude: 0, arrival: .boot), at: Sample.start) == nil)
  }

  @Test func `what a receiver did not say stays unknown`() throws {
    let fix = Fix(latitude: 1, longitude: 2, arrival: .boot)
    #expect(try #require(HistoryFix(fix, at: Sample.start)).fix(arrival: .boot) == fix)
  }

  @Test func `any bytes are fixes or damage`() {
    var random = SeededRandom(seed: 7)
    let good = FixBlock.packed(Sample.fixes(20, seed: 3))
    for _ in 0..<5000 {
      var bytes = good
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<8, using: &random))
      // The result does not count: it must not trap.
      do throws(FixBlock.Damage) { _ = try FixBlock.unpacked(bytes) } catch { #expect(error.offset <= bytes.count) }
    }
  }
}
