import Positioning
import Testing

@testable import Broker

/// Moves that no device can make.
@Suite struct JumpTests {
  /// One report a second from 1 s on, at these latitudes.
  private func run(_ latitudes: [Double], maxSpeed: Double = 500) -> [WatchedFilter.Event] {
    var settings = FixSettings()
    settings.maxSpeed = maxSpeed
    var filter = WatchedFilter.knowing(settings)
    return filter.run(
      latitudes.enumerated().map { index, latitude in
        position(Double(index + 1), time: Double(index + 1), latitude: latitude)
      })
  }

  @Test("A jump is set aside, and the old place continues without delay")
  func setAside() {
    let events = self.run([50, 51, 50, 50])
    #expect(events.fixes.map(\.latitude) == [50, 50, 50])
    #expect(events.rejections == [.jump])
  }

  @Test("A jump that waited for the daemon is set aside, as by the receiver's clock no time has passed for it")
  func waited() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([
      position(1, time: 1, latitude: 50), position(222, time: 2, latitude: 50.5),
      position(222.1, time: 3, latitude: 50),
    ])
    #expect(events.fixes.map(\.latitude) == [50, 50])
    #expect(events.rejections == [.jump])
  }

  @Test("A jump that the next two epochs confirm is accepted with the second of them")
  func confirmed() {
    let events = self.run([50, 51, 51.001, 51.002, 51.003])
    #expect(events.fixes.map(\.latitude) == [50, 51.002, 51.003])
    #expect(events.rejections == [.jump, .jump])
  }

  @Test("A jump that only one epoch confirms is dropped")
  func confirmedOnce() {
    #expect(self.run([50, 51, 51, 50, 51, 51, 50]).fixes.map(\.latitude) == [50, 50, 50])
  }

  @Test("Two far places in turn confirm neither")
  func twoPlaces() {
    #expect(self.run([50, 51, 52, 51, 52, 50]).fixes.map(\.latitude) == [50, 50])
  }

  @Test("A receiver that jumps at random still delivers fixes", arguments: 1...20 as ClosedRange<UInt64>)
  func teleporting(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let latitudes = (0..<200).map { _ in Double.random(in: -80...80, using: &random) }
    let arrivals = self.run(latitudes).fixes.map(\.arrival.sinceBoot.seconds) + [200]
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $1 - $0 <= 12 })
  }

  /// One report a second from 1 s on, at these latitudes; those at 51 degrees have no accuracy.
  private func runUnknown(_ latitudes: [Double]) -> [Double] {
    var filter = WatchedFilter.knowing()
    let reports = latitudes.enumerated().map { index, latitude in
      position(
        Double(index + 1), time: Double(index + 1), accuracy: latitude == 51 ? nil : 4, latitude: latitude)
    }
    return filter.run(reports).fixes.map(\.latitude)
  }

  @Test("A fix of unknown accuracy confirms no jump, but is accepted in the end")
  func unknownConfirms() {
    #expect(self.runUnknown([50, 50, 51, 51, 51, 51, 50, 50]) == [50, 50, 50, 50])
    #expect(self.runUnknown([50, 50] + Array(repeating: 51, count: 20)).contains(51))
  }

  @Test("A fix of unknown accuracy nearby holds back no good one, and one far away only until two more confirm it")
  func unknownHeld() {
    var filter = WatchedFilter.knowing()
    let near = filter.run([
      position(1, time: 1, accuracy: nil, latitude: 50.02), position(2, time: 2), position(3, time: 3),
    ])
    #expect(near.fixes.map(\.latitude) == [50.02, 50, 50])
    #expect(self.runUnknown([51, 50, 50, 50, 50]) == [51, 50, 50])
  }

  @Test("After a fix of unknown accuracy a good one is compared with the last of known accuracy")
  func lastKnown() {
    // A line that loses characters: 4 in place of 50.
    #expect(self.runLossy([50, 50.0001, 4, 50, 50]) == [50, 50.0001, 50, 50])
    // 1.7 km in two seconds.
    #expect(self.runLossy([50, 50.0001, 50.015, 50, 50]) == [50, 50.0001, 50, 50])
    // It stays at the place of the last known one.
    #expect(self.runLossy([50, 50.0001, 50, 50]) == [50, 50.0001, 50, 50])
  }

  /// One report a second; that of the second second has no accuracy.
  private func runLossy(_ latitudes: [Double]) -> [Double] {
    var filter = WatchedFilter.knowing()
    return filter.run(
      latitudes.enumerated().map { index, latitude in
        position(
          Double(index + 1), time: Double(index + 1), accuracy: index == 1 ? nil : 4, latitude: latitude)
      }
    ).fixes.map(\.latitude)
  }

  @Test("A fast device below the speed limit is followed in every epoch")
  func airplane() {
    // 0.0025 degrees of latitude are 278 m.
    #expect(self.run((0..<20).map { 50 + Double($0) * 0.0025 }).fixes.count == 20)
  }

  @Test("The limit is configurable")
  func configured() {
    #expect(self.run([50, 50.0025, 50, 50.0025], maxSpeed: 50).rejections == [.jump, .jump])
  }

  @Test("A distance within the fixes' own errors is no jump")
  func uncertain() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([
      position(1, time: 1, accuracy: 800), position(2, time: 2, accuracy: 800, latitude: 50.02),
    ])
    #expect(events.fixes.count == 2)
  }

  @Test("After a silence in which the device could have moved there, the new place is believed")
  func afterSilence() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([position(1, time: 1), position(1000, time: 1000, latitude: 51)])
    #expect(events.fixes.map(\.latitude) == [50, 51])
  }

  @Test("Several reports of one epoch confirm no jump")
  func oneEpoch() {
    var filter = WatchedFilter.knowing()
    let far = (0..<6).map { position(2 + Double($0) / 100, time: 2, accuracy: 4 - Double($0) / 10, latitude: 51) }
    #expect(filter.run([position(1, time: 1)] + far).fixes.map(\.latitude) == [50])
  }

  /// With the shortest time until a loss: three epochs after the last fix.
  private static func impatient() -> WatchedFilter {
    var settings = FixSettings()
    settings.lossAfter = .seconds(1)
    return WatchedFilter.knowing(settings)
  }

  @Test("While a jump is being confirmed the fix is not lost, because the receiver reports", arguments: [1.0, 1.4, 2])
  func noLoss(cycle: Double) {
    var filter = Self.impatient()
    let steps = (0..<10).map { Double($0) * cycle }
    let reports = steps.enumerated().map { index, step in
      position(1 + step, time: step, latitude: index < 5 ? 50 : 51)
    }
    let events = filter.run(reports)
    #expect(events.losses == 0)
    #expect(events.rejections == [.jump, .jump])
  }

  @Test("A receiver that jumps is not silent: its fix is lost only when it really falls silent")
  func noLossWhileJumping() {
    var filter = Self.impatient()
    let latitudes = [50.0, 51, 52, 53, 54, 55, 56, 57]
    let events = filter.run(
      latitudes.enumerated().map { index, latitude in
        position(Double(index + 1), time: Double(index + 1), latitude: latitude)
      })
    #expect(events.rejections == Array(repeating: .jump, count: 7))
    #expect(events.losses == 0)
    #expect(filter.advance(to: at(30)).losses == 1)
  }

  @Test("While a step of the receiver's clock is being confirmed the fix is not lost", arguments: [1.0, 1.4, 2])
  func noLossByClock(cycle: Double) {
    var filter = Self.impatient()
    let reports = (0..<10).map { index in
      position(1 + Double(index) * cycle, time: Double(index < 5 ? 5000 + index : index) * cycle)
    }
    let events = filter.run(reports)
    #expect(events.losses == 0)
    #expect(events.rejections == [.duplicate, .duplicate])
  }

  @Test("An inaccurate fix far away is no jump, and neither is the good one after it")
  func vague() {
    var filter = WatchedFilter.knowing()
    let events = filter.run([
      position(1, time: 1), position(2, time: 2, accuracy: 1899.81, latitude: 50.0072), position(3, time: 3),
    ])
    #expect(events.fixes.map(\.isVague) == [false, true, false])
  }
}
