package import Positioning

/// The time that a receiver is given, and how wrong it may be: MGA-INI-TIME_UTC.
package struct UBXTimeAssistance: Hashable, Sendable {
  package var time: Timestamp
  /// One standard deviation.
  package var error: Duration

  package init(time: Timestamp, error: Duration) {
    (self.time, self.error) = (time, error)
  }

  private static let kind: UInt8 = 0x10

  /// The time counts from when the receiver reads it. It does not say how many leap seconds there are.
  package var frame: UBXFrame {
    let time = self.time.calendar
    let (seconds, attoseconds) = max(self.error, .zero).components
    var payload: [UInt8] = [Self.kind, 0, 0, 0x80]
    payload.append(UInt16(clamping: time.year))
    payload += [time.month, time.day, time.hour, time.minute, min(time.second, 59), 0].map { UInt8(clamping: $0) }
    payload.append(UInt32(time.millisecond * 1_000_000))
    payload.append(UInt16(clamping: seconds))
    payload.append(UInt16(0))
    payload.append(UInt32(attoseconds / 1_000_000_000))
    return UBXFrame(UBXFrame.MessageClass.assistance, UBXFrame.Assistance.initial, payload: payload)
  }

  /// `nil` if it is another message, no date, or has a second's part that is a second or more.
  package init?(_ frame: UBXFrame) {
    guard frame.isInitial(Self.kind, length: 24) else { return nil }
    let payload = frame.payload
    let nanoseconds = (time: Int(payload.unsigned(at: 12, bytes: 4)), error: Int(payload.unsigned(at: 20, bytes: 4)))
    let second = 1_000_000_000
    let calendar = CalendarTime(
      year: Int(payload.unsigned(at: 4, bytes: 2)), month: Int(payload[6]), day: Int(payload[7]), hour: Int(payload[8]),
      minute: Int(payload[9]), second: Int(payload[10]), millisecond: nanoseconds.time / 1_000_000)
    guard nanoseconds.time < second, nanoseconds.error < second, let time = Timestamp(calendar) else { return nil }
    self.time = time
    self.error = .seconds(Int64(payload.unsigned(at: 16, bytes: 2))) + .nanoseconds(Int64(nanoseconds.error))
  }
}

/// The position that a receiver is given, and how wrong it may be: MGA-INI-POS_LLH.
package struct UBXPositionAssistance: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Metres above the ellipsoid.
  package var altitude: Double
  /// Metres, one standard deviation.
  package var error: Double

  package init(coordinate: Coordinate, altitude: Double, error: Double) {
    (self.coordinate, self.altitude, self.error) = (coordinate, altitude, error)
  }

  private static let kind: UInt8 = 0x01

  package var frame: UBXFrame {
    var payload: [UInt8] = [Self.kind, 0, 0, 0]
    payload.append(Int32(clamping: self.coordinate.latitude / 1e-7))
    payload.append(Int32(clamping: self.coordinate.longitude / 1e-7))
    payload.append(Int32(clamping: self.altitude / 0.01))
    payload.append(UInt32(clamping: self.error / 0.01))
    return UBXFrame(UBXFrame.MessageClass.assistance, UBXFrame.Assistance.initial, payload: payload)
  }

  /// `nil` if it is another message, or no place.
  package init?(_ frame: UBXFrame) {
    guard frame.isInitial(Self.kind, length: 20) else { return nil }
    let payload = frame.payload
    let latitude = Double(payload.signed(at: 4)) * 1e-7
    let longitude = Double(payload.signed(at: 8)) * 1e-7
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    self.altitude = Double(payload.signed(at: 12)) * 0.01
    self.error = Double(payload.unsigned(at: 16, bytes: 4)) * 0.01
  }
}

extension UBXFrame {
  /// AID-INI: time and position for a receiver of the generations 5 to 7.
  ///
  /// - Parameters:
  ///   - time: `nil`: none.
  ///   - position: `nil`: none.
  package static func aidingInitial(time: UBXTimeAssistance?, position: UBXPositionAssistance?) -> UBXFrame {
    var payload: [UInt8] = []
    payload.append(Int32(clamping: (position?.coordinate.latitude ?? 0) / 1e-7))
    payload.append(Int32(clamping: (position?.coordinate.longitude ?? 0) / 1e-7))
    payload.append(Int32(clamping: (position?.altitude ?? 0) / 0.01))
    payload.append(UInt32(clamping: (position?.error ?? 0) / 0.01))
    // No time mark. The date and the time are written in decimal digits: YYMM, and DDHHMMSS.
    payload.append(UInt16(0))
    let calendar = (time?.time ?? .epoch).calendar
    payload.append(UInt16(clamping: time == nil ? 0 : (calendar.year - 2000) * 100 + calendar.month))
    let clock = calendar.hour * 10_000 + calendar.minute * 100 + min(calendar.second, 59)
    payload.append(UInt32(clamping: time == nil ? 0 : calendar.day * 1_000_000 + clock))
    payload.append(Int32(calendar.millisecond * 1_000_000))
    payload.append(UInt32(clamping: (time?.error ?? .zero).wholeMilliseconds))
    // Nanoseconds of the error, and the clock's drift, which is not known.
    for _ in 0..<3 { payload.append(UInt32(0)) }
    // Bit 0: the position counts, bit 1: the time, bit 5: it is in degrees, bit 10: it is UTC.
    payload.append(UInt32((position == nil ? 0 : 0x21) | (time == nil ? 0 : 0x402)))
    return UBXFrame(MessageClass.aiding, Aiding.initial, payload: payload)
  }

  fileprivate func isInitial(_ kind: UInt8, length: Int) -> Bool {
    self.messageClass == MessageClass.assistance && self.identifier == Assistance.initial
      && self.payload.count == length && self.payload[0] == kind && self.payload[1] == 0
  }
}

/// Numbers in a payload, the lowest byte first.
extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) { self.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  fileprivate func unsigned(at place: Int, bytes: Int) -> UInt32 {
    self[place..<(place + bytes)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  fileprivate func signed(at place: Int) -> Int32 { Int32(bitPattern: self.unsigned(at: place, bytes: 4)) }
}

extension FixedWidthInteger {
  /// The nearest number of this type; 0 for what is none.
  fileprivate init(clamping value: Double) {
    let rounded = value.rounded()
    guard !rounded.isNaN else {
      self = 0
      return
    }
    self = rounded >= Double(Self.max) ? .max : rounded <= Double(Self.min) ? .min : Self(rounded)
  }
}
