import Positioning

/// A straight line between two places in space, metres from the earth's centre, which may be the same.
struct Segment: Sendable {
  let start: Vector
  private let step: Vector

  init(from start: Vector, to end: Vector) {
    self.start = start
    self.step = end - start
  }

  /// The greatest depth of the line below the ground.
  var sagitta: Double { self.step.squaredLength / (8 * 6_335_000) }

  func distance(to point: Vector) -> Double {
    let length = self.step.squaredLength
    let share = length > 0 ? min(max((point - self.start).dot(self.step) / length, 0), 1) : 0
    return (point - self.start - self.step * share).length
  }

  /// Whether it meets the cube around a point with that half side.
  func meets(cubeAround middle: Vector, half: Double) -> Bool {
    var from = 0.0
    var to = 1.0
    for (start, step, center) in [
      (self.start.x, self.step.x, middle.x), (self.start.y, self.step.y, middle.y),
      (self.start.z, self.step.z, middle.z),
    ] {
      let offset = center - start
      if step == 0 {
        if abs(offset) > half { return false }
      } else {
        let one = (offset - half) / step
        let other = (offset + half) / step
        from = max(from, min(one, other))
        to = min(to, max(one, other))
        if from > to { return false }
      }
    }
    return true
  }
}
