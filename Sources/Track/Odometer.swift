import Geodesy
import Positioning

/// The way that the device has moved, and for how long it moved and rested.
///
/// The fixes of a stationary receiver wander, and the sum of their steps grows without limit. So a distance within the errors
/// of two fixes is no movement: a step counts only if it is longer than the errors of both explain in 99 of 100 cases, and
/// the next fix is that far away too.
package struct Odometer: Hashable, Sendable {
  /// A part of the way that is certain.
  struct Step: Hashable, Sendable {
    /// Metres.
    let distance: Double
    /// Seconds.
    let moving: Double
    let resting: Double
  }

  /// A fix at its place.
  private struct Spot: Hashable, Sendable {
    let place: Coordinate
    /// The 68 % radius in metres.
    let accuracy: Double
    /// Seconds.
    let time: Double
  }

  /// The assumed 68 % radius of a fix without one, in metres.
  private static let usualAccuracy = 10.0
  /// The 99 % radius of a round error divided by its 68 % radius: 3.035 and 1.515 sigma.
  private static let ratio68To99 = 2.0
  /// Who is slower rests, in metres per second.
  private static let leastSpeed = 0.3

  private var counted = 0.0
  private var moved = 0.0
  private var rested = 0.0
  /// Whether the device has moved since the way was interrupted.
  private var isUnderway = false
  /// From where the next step counts.
  private var start: Spot?
  /// The newest fix, if it is beyond the errors from the start: the next one confirms it or not.
  private var candidate: Spot?
  private var newest: Spot?
  /// When the device was within the errors of the start for the last time.
  private var lastWithin = 0.0

  package init() {}

  /// Metres. The way from the last step's end to the newest fix counts if the device was moving, or that fix is beyond the
  /// errors.
  package var length: Double { self.counted + self.rest.distance }

  /// Seconds in which it moved.
  package var moving: Double { self.moved + self.rest.moving }

  /// Seconds in which it rested.
  package var resting: Double { self.rested + self.rest.resting }

  /// Takes the next fix.
  ///
  /// - Parameters:
  ///   - accuracy: Its 68 % radius in metres; `nil`: unknown.
  ///   - time: Seconds, not before those of the previous fix.
  /// - Returns: The step that this fix confirms.
  @discardableResult
  mutating func moved(to place: Coordinate, accuracy: Double?, at time: Double) -> Step? {
    let spot = Spot(place: place, accuracy: accuracy ?? Self.usualAccuracy, time: time)
    defer { self.newest = spot }
    guard let start else {
      (self.start, self.lastWithin) = (spot, time)
      return nil
    }
    guard Self.isBeyondErrors(spot, of: start) else {
      (self.candidate, self.lastWithin) = (nil, time)
      return nil
    }
    guard let end = self.candidate else {
      self.candidate = spot
      return nil
    }
    let step = self.step(from: start, to: end)
    self.counted += step.distance
    self.moved += step.moving
    self.rested += step.resting
    self.isUnderway = true
    (self.start, self.candidate) = (end, nil)
    if Self.isBeyondErrors(spot, of: end) {
      (self.candidate, self.lastWithin) = (spot, end.time)
    } else {
      self.lastWithin = time
    }
    return step
  }

  /// The way to the next place is unknown and does not count.
  mutating func interrupted() {
    let rest = self.rest
    self.counted += rest.distance
    self.moved += rest.moving
    self.rested += rest.resting
    (self.start, self.candidate, self.newest, self.isUnderway) = (nil, nil, nil, false)
  }

  /// What the errors of two fixes explain of their distance, in metres, in 99 of 100 cases.
  static func explained(_ one: Double?, _ other: Double?) -> Double {
    let (one, other) = (one ?? self.usualAccuracy, other ?? self.usualAccuracy)
    return self.ratio68To99 * (one * one + other * other).squareRoot()
  }

  private static func isBeyondErrors(_ one: Spot, of other: Spot) -> Bool {
    Geodesy.distance(from: one.place, to: other.place) > self.explained(one.accuracy, other.accuracy)
  }

  /// A way on which the device was slower than it can be is one with a rest, up to the last fix that is within the errors.
  private func step(from start: Spot, to end: Spot) -> Step {
    let distance = Geodesy.distance(from: start.place, to: end.place)
    let time = end.time - start.time
    guard distance < Self.leastSpeed * time else { return Step(distance: distance, moving: time, resting: 0) }
    let moving = min(end.time - self.lastWithin, distance / Self.leastSpeed)
    return Step(distance: distance, moving: moving, resting: time - moving)
  }

  /// What follows the last step.
  private var rest: Step {
    guard let start, let newest else { return Step(distance: 0, moving: 0, resting: 0) }
    if self.candidate != nil { return self.step(from: start, to: newest) }
    let time = newest.time - start.time
    let isResting = !self.isUnderway || Self.leastSpeed * time > Self.explained(start.accuracy, newest.accuracy)
    return Step(
      distance: self.isUnderway ? Geodesy.distance(from: start.place, to: newest.place) : 0,
      moving: isResting ? 0 : time, resting: isResting ? time : 0)
  }
}
