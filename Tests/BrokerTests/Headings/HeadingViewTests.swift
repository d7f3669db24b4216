import Positioning
import Testing

@testable import Broker

/// The source of a heading, and how long it is valid.
@Suite struct HeadingViewTests {
  @Test("A sensor's true heading is delivered unchanged", arguments: [0.0, 0.001, 90, 359.999])
  func sensor(direction: Double) {
    var view = HeadingView.empty()
    view.hear(attitude(10, direction))
    #expect(view.heading(now: at(10)) == Heading(trueHeading: direction, source: .sensor, arrival: at(10)))
    #expect(view.state(now: at(10)) == .valid)
  }

  @Test("360 is north like 0, from a sensor and from a course")
  func north() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 360))
    #expect(view.trueHeading(10) == 0)
    view.follow(moving(14, course: 360))
    #expect(view.trueHeading(14) == 0)
    #expect(view.heading(now: at(14))?.source == .course)
  }

  @Test("The newest heading is the sensor's while it is valid, even after a newer course")
  func newest() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 90))
    view.follow(moving(10.5, course: 180))
    #expect(view.newest(now: at(10.6)) == view.heading(now: at(10.6)))
    #expect(view.newest(now: at(10.6))?.source == .sensor)
    #expect(view.newest(now: at(3600))?.source == .course, "of two that are old it is the newer")
  }

  @Test("An impossible direction is no heading", arguments: [14223, -1, 360.1, .nan, .infinity])
  func noDirection(number: Double) {
    var view = HeadingView.empty()
    view.hear(attitude(10, number, magnetic: number))
    view.follow(moving(10, course: number))
    #expect(view.heading(now: at(10)) == nil)
    #expect(view.state(now: at(10)) == .invalid)
  }

  @Test("A magnetic heading gets the declination added, around the circle")
  func magneticCompass() throws {
    for (report, compass) in [
      (attitude(11, 100, isMagnetic: true), 100.0), (attitude(11, magnetic: 359), 359),
      (attitude(11, 0, isMagnetic: true, magnetic: 7), 0),
    ] {
      var view = HeadingView.empty()
      view.follow(moving(10, course: nil, speed: 0))
      view.hear(report)
      let heading = try #require(view.heading(now: at(11)))
      #expect(heading.magneticHeading == compass)
      let direction = try #require(heading.trueHeading)
      #expect(abs(direction - (compass + modelDeclination).wrappedCourse) < 0.001)
    }
  }

  @Test("A compass without any fix has its magnetic heading alone, which is a heading")
  func magneticOnly() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 0, isMagnetic: true))
    #expect(view.heading(now: at(10)) == Heading(magneticHeading: 0, source: .sensor, arrival: at(10)))
    #expect(view.state(now: at(10)) == .valid)
  }

  @Test("The magnetic heading of a true one is computed; without a place the compass's own is used")
  func magneticOfTrue() throws {
    var view = HeadingView.empty()
    view.hear(attitude(10, 2, magnetic: 355))
    #expect(view.heading(now: at(10))?.magneticHeading == 355)
    view.follow(moving(11, course: nil, speed: 0))
    view.hear(attitude(11, 2, magnetic: 355))
    let magnetic = try #require(view.heading(now: at(11))?.magneticHeading)
    #expect(abs(magnetic - (362 - modelDeclination)) < 0.001)
  }

  @Test("The course of a moving device is its heading if no sensor reports one, with its accuracy")
  func course() throws {
    var view = HeadingView.empty()
    view.follow(moving(10, course: 1, accuracy: 4, time: utc(10)))
    let heading = try #require(view.heading(now: at(10)))
    #expect(heading.trueHeading == 1)
    #expect(abs(try #require(heading.magneticHeading) - (361 - modelDeclination)) < 0.001)
    #expect(heading.accuracy == 4)
    #expect(heading.source == .course)
    #expect(heading.time == utc(10))
  }

  @Test("Below the configured speed, or at an unknown one, a course is no heading", arguments: [0, 0.999, nil])
  func slow(speed: Double?) {
    var view = HeadingView.empty()
    view.follow(moving(10, course: 90, speed: speed))
    #expect(view.state(now: at(10)) == .invalid)
    view.follow(moving(11, course: 90, speed: 1))
    #expect(view.trueHeading(11) == 90)
    var settings = HeadingSettings()
    settings.courseMinSpeed = 3
    view.change(settings)
    view.follow(moving(20, course: 90, speed: 2.9))
    #expect(view.state(now: at(20)) == .invalid)
    view.follow(moving(21, course: 90, speed: 3))
    #expect(view.state(now: at(21)) == .valid)
  }

  @Test("A sensor has precedence for 3 s, then the course counts for the rest of its 5 s")
  func staleness() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 10))
    view.follow(moving(11, course: 200))
    #expect(view.nextExpiry(now: at(11)) == at(13))
    #expect(view.trueHeading(12.999) == 10)
    #expect(view.trueHeading(13) == 200)
    #expect(view.nextExpiry(now: at(13)) == at(16))
    #expect(view.trueHeading(15.999) == 200)
    #expect(view.heading(now: at(16)) == nil)
    #expect(view.state(now: at(16)) == .invalid)
    #expect(view.nextExpiry(now: at(16)) == nil)
    #expect(view.newest(now: at(16))?.trueHeading == 200)
    view.hear(attitude(17, 20))
    #expect(view.trueHeading(17) == 20)
  }

  @Test("For a slower device, both hold for three of its cycles")
  func slowDevice() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 10), cycle: .seconds(4))
    view.follow(moving(10, course: 200), cycle: .seconds(4))
    #expect(view.trueHeading(21.9) == 10)
    #expect(view.heading(now: at(22)) == nil)
    view.follow(moving(22, course: 200), cycle: .seconds(4))
    #expect(view.trueHeading(33.9) == 200)
    #expect(view.heading(now: at(34)) == nil)
  }

  @Test("When the sensor falls silent, a course that is older than its last report is not used")
  func neverBack() {
    var view = HeadingView.empty()
    view.follow(moving(9.5, course: 200))
    view.hear(attitude(10, 10))
    #expect(view.trueHeading(12.9) == 10)
    #expect(view.heading(now: at(13)) == nil)
  }

  @Test("A compass may be a device of its own; of two, one is used until it is silent, the receiver's own first")
  func devices() {
    var view = HeadingView.empty()
    view.hear(attitude(10, 10, device: "a"))
    #expect(view.trueHeading(10) == 10)
    view.hear(attitude(10.5, 20, device: "b"))
    #expect(view.trueHeading(10.5) == 10)
    view.hear(attitude(11, 30))
    #expect(view.trueHeading(11) == 30)
    view.hear(attitude(12, 40, device: "a"))
    #expect(view.trueHeading(12) == 30)
    view.hear(attitude(14, 50, device: "b"))
    #expect(view.trueHeading(14) == 50)
  }
}
