import Positioning

/// Fixes as bytes: the differences between successive ones, so that a fix of a receiver that reports each second takes about
/// 16 bytes.
///
/// A block is a byte with its version, and then for each fix: the second difference of the time in milliseconds, with a bit for
/// new facts and one for the begin of a segment; the facts, if they are new; the second differences of the place; and the
/// difference of each known number. All are variable-length integers (LEB128) of zigzag numbers.
package enum FixBlock {
  private static let version: UInt8 = 1

  /// What the bytes are not.
  package struct Damage: Error, Hashable {
    /// In bytes from 0.
    package let offset: Int
  }

  /// What a fix is predicted from.
  private struct State {
    var time: Int64 = 0
    var timeStep: Int64 = 0
    var latitude: Int64 = 0
    var latitudeStep: Int64 = 0
    var longitude: Int64 = 0
    var longitudeStep: Int64 = 0
    var numbers = SIMD8<Int32>.zero
    var facts: UInt32 = 0
    var isFirst = true

    /// After the first fix the first differences are expected to be 0, not the whole value.
    mutating func advance(to fix: HistoryFix) {
      let time = fix.time.milliseconds
      if !self.isFirst {
        self.timeStep = time &- self.time
        self.latitudeStep = fix.beginsSegment ? 0 : fix.latitude &- self.latitude
        self.longitudeStep = fix.beginsSegment ? 0 : fix.longitude &- self.longitude
      }
      (self.time, self.latitude, self.longitude) = (time, fix.latitude, fix.longitude)
      // Unknown numbers are 0 in the fix, and are predicted from the last known one.
      for place in 0..<HistoryFix.numberCount where fix.knows(place) { self.numbers[place] = fix.numbers[place] }
      (self.facts, self.isFirst) = (fix.facts, false)
    }
  }

  package static func packed(_ fixes: some Sequence<HistoryFix>) -> [UInt8] {
    var bytes = [self.version]
    var state = State()
    for fix in fixes {
      let step = fix.time.milliseconds &- state.time &- state.timeStep
      let hasNews = fix.facts != state.facts
      bytes.append(number: self.zigzag(step) << 2 | (hasNews ? 1 : 0) | (fix.beginsSegment ? 2 : 0))
      if hasNews { bytes.append(number: UInt64(fix.facts)) }
      bytes.append(number: self.zigzag(fix.latitude &- state.latitude &- state.latitudeStep))
      bytes.append(number: self.zigzag(fix.longitude &- state.longitude &- state.longitudeStep))
      for place in 0..<HistoryFix.numberCount where fix.knows(place) {
        var difference = Int64(fix.numbers[place]) - Int64(state.numbers[place])
        if place == HistoryFix.Number.course.rawValue { difference = self.turn(difference) }
        bytes.append(number: self.zigzag(difference))
      }
      state.advance(to: fix)
    }
    return bytes
  }

  /// Any bytes either are fixes or damage.
  package static func unpacked(_ bytes: [UInt8]) throws(Damage) -> [HistoryFix] {
    var reader = Reader(bytes: bytes)
    guard bytes.first == self.version else { throw Damage(offset: 0) }
    var fixes: [HistoryFix] = []
    fixes.reserveCapacity(bytes.count / 12)
    var state = State()
    while reader.offset < bytes.count {
      let begin = reader.offset
      let head = try reader.number()
      let time = state.time &+ state.timeStep &+ self.signed(head >> 2)
      let facts = head & 1 != 0 ? UInt32(truncatingIfNeeded: try reader.number()) : state.facts
      var fix = HistoryFix(
        time: Timestamp(milliseconds: time),
        latitude: state.latitude &+ state.latitudeStep &+ self.signed(try reader.number()),
        longitude: state.longitude &+ state.longitudeStep &+ self.signed(try reader.number()),
        numbers: .zero, facts: facts, beginsSegment: head & 2 != 0)
      guard fix.latitude.magnitude <= 9_000_000_000, fix.longitude.magnitude <= 18_000_000_000,
        time.magnitude < 1 << 52
      else { throw Damage(offset: begin) }
      for place in 0..<HistoryFix.numberCount where fix.knows(place) {
        var value = Int64(state.numbers[place]) &+ self.signed(try reader.number())
        if place == HistoryFix.Number.course.rawValue { value = (value % 3600 + 3600) % 3600 }
        fix.numbers[place] = Int32(truncatingIfNeeded: value)
      }
      state.advance(to: fix)
      fixes.append(fix)
    }
    return fixes
  }

  private struct Reader {
    let bytes: [UInt8]
    var offset = 1

    mutating func number() throws(Damage) -> UInt64 {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while self.offset < self.bytes.count, shift < 64 {
        let byte = self.bytes[self.offset]
        self.offset += 1
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      throw Damage(offset: self.offset)
    }
  }

  /// Small numbers of either sign are small numbers.
  private static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

  private static func signed(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// The shorter way around, in tenths of a degree.
  private static func turn(_ difference: Int64) -> Int64 { (difference % 3600 + 5400) % 3600 - 1800 }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      self.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    self.append(UInt8(truncatingIfNeeded: rest))
  }
}
