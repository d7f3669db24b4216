import Glibc
import Positioning
import ReceiverPorts
package import UBX

/// Encodes an epoch as u-blox's binary messages: NAV-PVT, NAV-TIMEGPS, NAV-DOP, NAV-SAT, NAV-STATUS, NAV-EOE at its end, and
/// MON-HW with every fourth second. gpsd turns all of them on but NAV-STATUS, which an administrator would.
package enum UBXEncoder {
  package static func frames(for epoch: Epoch) -> [UBXFrame] {
    var frames = [Self.positionVelocityTime(epoch), Self.gpsTime(epoch), Self.dilutions(epoch)]
    if epoch.includesSky { frames.append(Self.satellites(epoch)) }
    frames += [Self.status(epoch), Self.endOfEpoch(epoch)]
    if epoch.includesSky, epoch.time.milliseconds / 1000 % 4 == 0 { frames.append(Self.hardware(epoch)) }
    return frames
  }

  private static func positionVelocityTime(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    Self.appendTime(epoch.time, to: &payload)
    let solution = epoch.solution
    let (fixType, flags) = Self.fix(solution?.quality)
    payload.append(fixType)
    payload.append(flags)
    // flags2: whether date and time are confirmed.
    payload.append(UInt8(0xE0))
    payload.append(UInt8(min(epoch.satellitesUsed, 255)))
    let motion = solution?.motion ?? Motion(coordinate: Coordinate(latitude: 0, longitude: 0), altitude: 0)
    let accuracyWithoutFix = 4_294_967.295
    payload.append(motion.coordinate.longitude, unit: 1e-7, as: Int32.self)
    payload.append(motion.coordinate.latitude, unit: 1e-7, as: Int32.self)
    payload.append(motion.altitude + Motion.geoidSeparation, unit: 0.001, as: Int32.self)
    payload.append(motion.altitude, unit: 0.001, as: Int32.self)
    payload.append(solution?.horizontalAccuracy ?? accuracyWithoutFix, unit: 0.001, as: UInt32.self)
    payload.append(solution?.verticalAccuracy ?? accuracyWithoutFix, unit: 0.001, as: UInt32.self)
    payload.append(motion.speed * cos(motion.course.radians), unit: 0.001, as: Int32.self)
    payload.append(motion.speed * sin(motion.course.radians), unit: 0.001, as: Int32.self)
    payload.append(Int32(0))
    payload.append(motion.speed, unit: 0.001, as: Int32.self)
    payload.append(motion.course, unit: 1e-5, as: Int32.self)
    payload.append(solution?.speedAccuracy ?? 20, unit: 0.001, as: UInt32.self)
    payload.append(solution == nil ? 180 : 1, unit: 1e-5, as: UInt32.self)
    payload.append(solution?.dilution.position ?? 99.99, unit: 0.01, as: UInt16.self)
    // Reserved; the heading of the vehicle, which is unknown without inertial sensors; declination.
    payload.append(UInt16(0))
    payload.append(UInt32(0))
    payload.append(Int32(0))
    payload.append(Int16(0))
    payload.append(UInt16(0))
    return UBXFrame(UBXFrame.MessageClass.navigation, 0x07, payload: payload.bytes)
  }

  /// The first 20 bytes of NAV-PVT: time of week, UTC, its validity and its accuracy (20 ns).
  private static func appendTime(_ time: Timestamp, to payload: inout UBXPayload) {
    let calendar = time.calendar
    payload.append(UInt32(time.gps.timeOfWeek))
    payload.append(UInt16(calendar.year))
    payload.append(UInt8(calendar.month))
    payload.append(UInt8(calendar.day))
    payload.append(UInt8(calendar.hour))
    payload.append(UInt8(calendar.minute))
    payload.append(UInt8(calendar.second))
    payload.append(UInt8(0x07))
    payload.append(UInt32(20))
    payload.append(Int32(calendar.millisecond) * 1_000_000)
  }

  /// NAV-PVT's type of fix and its flags: bit 0 a good fix, bit 1 corrected, bits 6 and 7 the carrier solution.
  private static func fix(_ quality: FixQuality?) -> (type: UInt8, flags: UInt8) {
    switch quality {
    case nil: (0, 0x00)
    case .gnss: (3, 0x01)
    case .differential: (3, 0x03)
    case .rtkFloat: (3, 0x43)
    case .rtkFixed: (3, 0x83)
    case .deadReckoning: (4, 0x01)
    }
  }

  /// Week, time of week and leap seconds. Without this message gpsd gives satellites a time that is 1024 weeks old.
  private static func gpsTime(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    let time = epoch.time.gps
    payload.append(UInt32(time.timeOfWeek))
    payload.append(Int32(0))
    payload.append(Int16(time.week))
    payload.append(Int8(Timestamp.leapSeconds))
    payload.append(UInt8(0x07))
    payload.append(UInt32(20))
    return UBXFrame(UBXFrame.MessageClass.navigation, 0x20, payload: payload.bytes)
  }

  /// Geometric, position, time, vertical, horizontal, north and east dilution.
  private static func dilutions(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    payload.append(UInt32(epoch.time.gps.timeOfWeek))
    let dilution = epoch.solution?.dilution ?? Dilution(horizontal: 99.99, vertical: 99.99)
    let axis = dilution.horizontal / 2.0.squareRoot()
    let time = dilution.vertical * 0.7
    let geometric = (dilution.position * dilution.position + time * time).squareRoot()
    for value in [geometric, dilution.position, time, dilution.vertical, dilution.horizontal, axis, axis] {
      payload.append(min(value, 99.99), unit: 0.01, as: UInt16.self)
    }
    return UBXFrame(UBXFrame.MessageClass.navigation, 0x04, payload: payload.bytes)
  }

  private static func satellites(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    payload.append(UInt32(epoch.time.gps.timeOfWeek))
    payload.append(UInt8(1))
    payload.append(UInt8(min(epoch.satellites.count, 255)))
    payload.append(UInt16(0))
    for satellite in epoch.satellites.prefix(255) {
      payload.append(Self.system(satellite.constellation))
      payload.append(UInt8(satellite.svid))
      payload.append(satellite.snr ?? 0, unit: 1, as: UInt8.self)
      // u-blox sends an elevation outside of -90 to 90 if it is unknown.
      payload.append(satellite.elevation ?? -91, unit: 1, as: Int8.self)
      payload.append(satellite.azimuth ?? 0, unit: 1, as: Int16.self)
      payload.append(Int16(0))
      // Quality of the signal (7 is carrier lock, 1 searching), bit 3 used, health 1, orbit from the ephemeris.
      payload.append(UInt32(satellite.snr == nil ? 1 : 7) | (satellite.isUsed ? 0x8 : 0) | 0x10 | 0x100)
    }
    return UBXFrame(UBXFrame.MessageClass.navigation, 0x35, payload: payload.bytes)
  }

  /// u-blox's number of a system.
  private static func system(_ constellation: Sky.Constellation) -> UInt8 {
    switch constellation {
    case .gps: 0
    case .sbas: 1
    case .galileo: 2
    case .beidou: 3
    case .imes: 4
    case .qzss: 5
    case .glonass: 6
    case .navic: 7
    case .unknown: 255
    }
  }

  /// The kind of fix, and what the receiver believes of its signals.
  private static func status(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    payload.append(UInt32(epoch.time.gps.timeOfWeek))
    let (fixType, flags) = Self.fix(epoch.solution?.quality)
    payload.append(fixType)
    // Bit 0 a good fix, bit 1 corrected, as in NAV-PVT; bits 2 and 3: week and time of week are known.
    payload.append(flags & 0x03 | 0x0C)
    // Bit 0: corrections are available, bit 1: the carrier solution counts. flags2 has the spoofing state in bits 3 and 4, the carrier solution in 6 and 7.
    payload.append(flags >> 1 & 0x01 | (flags & 0xC0 == 0 ? 0 : 0x02))
    payload.append((epoch.reception.spoofing?.rawValue ?? 0) << 3 | flags & 0xC0)
    payload.append(UInt32(0))
    payload.append(UInt32(0))
    return UBXFrame(UBXFrame.MessageClass.navigation, UBXFrame.statusIdentifier, payload: payload.bytes)
  }

  /// The form of u-blox 7 and 8: noise, the antenna, and what disturbs the reception.
  private static func hardware(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    // Pins: selected, bank, direction, values.
    for _ in 0..<4 { payload.append(UInt32(0)) }
    // Noise and gain, of typical sizes.
    payload.append(UInt16(80))
    payload.append(UInt16(3500))
    // The antenna's state and its supply (on).
    payload.append(epoch.reception.antenna?.rawValue ?? 1)
    payload.append(UInt8(1))
    // Flags: bit 0 the clock is calibrated, bits 2 and 3 the jamming state.
    payload.append((epoch.reception.jamming?.rawValue ?? 0) << 2 | 0x01)
    payload.append(UInt8(0))
    // The pins in use, and which pin has which function.
    payload.append(UInt32(0))
    for _ in 0..<17 { payload.append(UInt8(0)) }
    payload.append(UInt8(clamping: epoch.reception.jammingIndicator ?? 0))
    payload.append(UInt16(0))
    for _ in 0..<3 { payload.append(UInt32(0)) }
    return UBXFrame(UBXFrame.MessageClass.monitor, UBXFrame.hardwareIdentifier, payload: payload.bytes)
  }

  private static func endOfEpoch(_ epoch: Epoch) -> UBXFrame {
    var payload = UBXPayload()
    payload.append(UInt32(epoch.time.gps.timeOfWeek))
    return UBXFrame(UBXFrame.MessageClass.navigation, 0x61, payload: payload.bytes)
  }
}

extension UBXFrame {
  /// UBX-ACK-ACK for a message.
  package static func acknowledgement(of messageClass: UInt8, _ identifier: UInt8) -> UBXFrame {
    UBXFrame(MessageClass.acknowledgement, 0x01, payload: [messageClass, identifier])
  }

  /// UBX-MON-VER of a u-blox 8 with protocol version 18.
  package static let version: UBXFrame = {
    let extensions = ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
    let payload =
      Self.text("ROM CORE 3.01 (107888)", length: 30) + Self.text("00080000", length: 10)
      + extensions.flatMap { Self.text($0, length: 30) }
    return UBXFrame(MessageClass.monitor, Self.versionIdentifier, payload: payload)
  }()

  /// Text in a field of `length` bytes, filled with zeros.
  private static func text(_ text: String, length: Int) -> [UInt8] {
    text.utf8 + Array(repeating: 0, count: length - text.utf8.count)
  }
}

/// A payload under construction: little-endian integers one after the other.
struct UBXPayload {
  private(set) var bytes: [UInt8] = []

  mutating func append<Field: FixedWidthInteger>(_ value: Field) {
    for shift in stride(from: 0, to: Field.bitWidth, by: 8) {
      self.bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// A value in units of `unit`, clamped to the range of the field.
  mutating func append<Field: FixedWidthInteger>(_ value: Double, unit: Double, as type: Field.Type) {
    let scaled = (value / unit).rounded()
    self.append(Field(exactly: min(max(scaled, Double(Field.min)), Double(Field.max).nextDown)) ?? Field.max)
  }
}
