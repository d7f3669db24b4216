import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The course of a device whose speed may be none.
@Suite struct CourseTests {
  private func course(speed: Double?, error: Double?) -> (course: Double?, accuracy: Double?) {
    var filter = WatchedFilter.knowing()
    var report = position(1, time: 1)
    (report.speed, report.eps, report.track, report.epd) = (speed, error, 123, 10)
    let fix = filter.run([report]).fixes.first
    return (fix?.course, fix?.courseAccuracy)
  }

  @Test(
    "A course is absent up to the speed that the receiver's own error explains, and reported beyond it",
    arguments: [
      (0.05, 0.4, nil), (0.7, 0.4, nil), (0.9, 0.4, 123), (1.4, 1.0, nil), (30, 1.0, 123), (0, nil, 123),
      (0.1, nil, 123),
      (nil, nil, 123),
    ] as [(Double?, Double?, Double?)])
  func explained(speed: Double?, error: Double?, expected: Double?) {
    let result = self.course(speed: speed, error: error)
    #expect(result.course == expected)
    #expect((result.accuracy == nil) == (expected == nil))
  }

  @Test("A receiver whose courses at rest are left out still has headings once the device moves")
  func headings() {
    var view = HeadingView(settings: HeadingSettings())
    for second in 0..<120 {
      var fix = Fix(latitude: 50, longitude: 8, arrival: at(Double(second)))
      (fix.speed, fix.speedAccuracy) = (1.5, 1)
      view.fixed(fix, cycle: .seconds(1))
    }
    #expect(view.state(now: at(120)) == .invalid)
    var moving = Fix(latitude: 50, longitude: 8, arrival: at(121))
    (moving.speed, moving.speedAccuracy, moving.course) = (10, 1, 90)
    view.fixed(moving, cycle: .seconds(1))
    #expect(view.heading(now: at(121))?.trueHeading == 90)
  }
}
