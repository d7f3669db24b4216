package import Positioning

/// chrony's own account of the time, as `chronyc tracking` asks for it (version 6 of the protocol in its candm.h).
///
/// Only the first bytes of a reply are looked at: later releases of chrony add to its end.
package enum ChronyTracking {
  /// A request is as long as its reply, so that nobody gets more bytes sent than they sent themselves.
  static let length = 104
  private static let header = 28
  private static let (version, request, reply, tracking): (UInt8, UInt8, UInt8, UInt16) = (6, 1, 2, 33)
  private static let trackingReply: UInt16 = 5
  /// chrony has no time of its own.
  private static let notSynchronised: UInt16 = 3

  /// The question, with a number that the reply repeats.
  package static func question(_ number: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: self.length)
    (bytes[0], bytes[1], bytes[5]) = (self.version, self.request, UInt8(self.tracking))
    for place in 0..<4 { bytes[8 + place] = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(place))) }
    return bytes
  }

  /// - Parameters:
  ///   - number: That of the question.
  ///   - now: When it was asked.
  ///   - wall: What the wall clock showed then.
  /// - Returns: `nil`: these bytes are no answer to it.
  package static func figure(in bytes: [UInt8], answering number: UInt32, now: Instant, wall: Duration) -> ClockFigure?
  {
    guard bytes.count >= self.length, bytes[0] == self.version, bytes[1] == self.reply,
      bytes.big16(4) == self.tracking, bytes.big16(6) == self.trackingReply, bytes.big16(8) == 0,
      bytes.big32(16) == number
    else { return nil }
    let body = self.header
    let (stratum, leap) = (bytes.big16(body + 24), bytes.big16(body + 26))
    let isKnown = leap != self.notSynchronised && stratum > 0
    let time =
      Duration.seconds(Int64(bytes.big32(body + 28)) << 32 | Int64(bytes.big32(body + 32)))
      + .nanoseconds(bytes.big32(body + 36))
    // In the order of the reply: correction, last offset, its mean square, frequency, residual, skew, delay, dispersion.
    let numbers = (0..<8).map { bytes.chronyFloat(body + 40 + 4 * $0) }
    let error = numbers[6].magnitude / 2 + numbers[7].magnitude
    let correction = Duration.bounded(seconds: numbers[0])
    return ClockFigure(
      reference: isKnown ? self.reference(bytes, body) : nil,
      isReferenceClock: isKnown && self.family(bytes, body) == 0 && self.reference(bytes, body) != nil,
      error: isKnown ? .bounded(seconds: error) : nil,
      drift: min((numbers[4].magnitude + numbers[5].magnitude) * 1e-6, 1),
      correction: correction, updated: isKnown ? now - max((wall + correction - time).bounded, .zero) : .boot,
      asked: now)
  }

  private static func family(_ bytes: [UInt8], _ body: Int) -> UInt16 { bytes.big16(body + 20) }

  /// The address of a server; else the name of a reference clock, of which only plain characters are believed.
  private static func reference(_ bytes: [UInt8], _ body: Int) -> String? {
    switch self.family(bytes, body) {
    case 1: bytes[(body + 4)..<(body + 8)].map { "\($0)" }.joined(separator: ".")
    case 2: (0..<8).map { String(bytes.big16(body + 4 + 2 * $0), radix: 16) }.joined(separator: ":")
    default: Self.name(bytes[body..<(body + 4)])
    }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let name = bytes.prefix { $0 != 0 }
    guard !name.isEmpty, name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func big16(_ place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }

  fileprivate func big32(_ place: Int) -> UInt32 { UInt32(self.big16(place)) << 16 | UInt32(self.big16(place + 2)) }

  /// chrony's numbers: 7 bits of an exponent and 25 of a coefficient, both signed. None is infinite.
  fileprivate func chronyFloat(_ place: Int) -> Double {
    let bits = Int32(bitPattern: self.big32(place))
    let (exponent, coefficient) = (bits >> 25, (bits << 7) >> 7)
    return Double(sign: .plus, exponent: Int(exponent) - 25, significand: Double(coefficient))
  }
}
