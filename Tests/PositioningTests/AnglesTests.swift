import Testing

@testable import Positioning

/// Directions around the circle.
@Suite struct AnglesTests {
  @Test(
    "Two directions differ by the shorter way around the circle",
    arguments: [
      (359.0, 1.0, 2.0), (1, 359, 2), (0, 360, 0), (0, 180, 180), (90, 271, 179), (10, 10, 0), (350, 9.5, 19.5),
    ])
  func turn(from start: Double, to end: Double, turn: Double) {
    #expect(abs(start.turn(to: end) - turn) < 1e-9)
  }

  @Test(
    "A direction is within 0..<360, and north is 0",
    arguments: [(360.0, 0.0), (-1, 359), (725, 5), (-1e-20, 0), (359.5, 359.5), (0, 0)])
  func wrapped(angle: Double, course: Double) {
    #expect(angle.wrappedCourse == course)
  }
}
