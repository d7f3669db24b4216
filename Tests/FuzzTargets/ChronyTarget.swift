import EventLoop
import Positioning

/// Whatever answers at chrony's port, what is read of it can be computed with.
enum ChronyTarget {
  static func run(_ input: [UInt8]) {
    let now = Instant(sinceBoot: .seconds(5000))
    guard let figure = ChronyTracking.figure(in: input, answering: 0x69, now: now, wall: .seconds(1_795_884_895)) else {
      return
    }
    require((0...1).contains(figure.drift), "a drift is out of range", "\(figure)")
    require(figure.updated <= figure.asked, "it learned the time in the future", "\(figure)")
    require(figure.error.map { (.zero ... .longest).contains($0) } ?? true, "an error is out of range", "\(figure)")
    require(figure.error(at: now + .longest) ?? .zero >= .zero, "an error that grows is less than none", "\(figure)")
    require(figure.correction.seconds.isFinite, "a correction is no time", "\(figure)")
    require(figure.reference?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true, "a name is none", "\(figure)")
  }
}
