package import Positioning

/// What the history keeps of a fix, in the units of its file: what is stored is what was recorded.
///
/// Not kept are the receiver's own time, its path and the accuracies of speed and course.
package struct HistoryFix: Hashable, Sendable {
  /// When its report arrived, less its lag.
  package var time: Timestamp
  /// 1e-8 degrees, about a millimetre.
  var latitude: Int64
  /// 1e-8 degrees.
  var longitude: Int64
  /// The values of `Number`, each in its unit; 0 for those that are unknown.
  var numbers: SIMD8<Int32>
  /// Bits: which numbers are known, then mode, status, integrity with its reasons, the accuracy's source, and whether it is
  /// reduced.
  var facts: UInt32
  /// Whether the way from the fix before it is unknown, because fixes are missing.
  package var beginsSegment: Bool

  /// The numbers and their units. The order is the file's.
  enum Number: Int {
    /// Centimetres, rounded up.
    case accuracy
    /// Centimetres, rounded up; only if it does not follow from the 68 % radius.
    case accuracy95
    /// Centimetres above mean sea level.
    case altitude
    /// Centimetres from the altitude to the ellipsoidal one, or the ellipsoidal one if there is no altitude.
    case ellipsoid
    /// Centimetres, rounded up.
    case verticalAccuracy
    /// Centimetres per second.
    case speed
    /// Tenths of a degree.
    case course
    case satellites
  }

  static let degree = 1e8
  /// How many numbers there are: a list of all would be made for each fix.
  static let numberCount = 8
}

extension HistoryFix {
  /// The lists whose places are in `facts`. Released places never change: additions go to the end.
  private static let modes: [Fix.Mode] = [.twoDimensional, .threeDimensional]
  private static let statuses: [Fix.Status] = [
    .gnss, .dgnss, .rtkFixed, .rtkFloat, .deadReckoning, .combined, .surveyed, .simulated,
  ]
  private static let integrities: [Integrity?] = [nil, .trusted, .suspect, .untrusted]
  private static let reasons: [IntegrityReason] = [
    .jamming, .spoofing, .time, .speed, .signal, .stuck, .disagreement,
  ]
  private static let sources: [AccuracySource?] = [
    nil, .standardDeviations, .earlierDeviations, .receiver, .nominal95, .dilution, .assumed, .vague,
  ]
  private static let reducedBit: UInt32 = 1 << 27

  /// `nil` if the place is impossible.
  ///
  /// - Parameters:
  ///   - fix: A fix; its moments do not count.
  ///   - time: When its report arrived, less its lag.
  package init?(_ fix: Fix, at time: Timestamp, beginsSegment: Bool = false) {
    guard (-90...90).contains(fix.latitude), (-180...180).contains(fix.longitude) else { return nil }
    self.time = time
    self.latitude = Int64((fix.latitude * Self.degree).rounded())
    self.longitude = Int64((fix.longitude * Self.degree).rounded())
    self.numbers = .zero
    self.facts = 0
    self.beginsSegment = beginsSegment
    // A radius that was rounded down would claim more than the receiver did.
    self[.accuracy] = fix.horizontalAccuracy.map { ($0 * 100).rounded(.up) }
    if let accuracy = fix.horizontalAccuracy, let stated = fix.horizontalAccuracy95,
      abs(stated - accuracy / Fix.ratio68To95) > 0.01
    {
      self[.accuracy95] = (stated * 100).rounded(.up)
    }
    self[.altitude] = fix.altitude.map { $0 * 100 }
    self[.ellipsoid] = fix.ellipsoidalAltitude.map { $0 * 100 - (self[.altitude] ?? 0) }
    self[.verticalAccuracy] = fix.verticalAccuracy.map { ($0 * 100).rounded(.up) }
    self[.speed] = fix.speed.map { $0 * 100 }
    self[.course] = fix.course.map { ($0.wrappedCourse * 10).rounded().truncatingRemainder(dividingBy: 3600) }
    self[.satellites] = fix.satellitesUsed.map { Double($0) }
    self.facts |= Self.place(of: fix.mode, in: Self.modes) << 8
    self.facts |= Self.place(of: fix.status, in: Self.statuses) << 9
    self.facts |= Self.place(of: fix.integrity, in: Self.integrities) << 13
    for (place, reason) in Self.reasons.enumerated() where fix.integrityReasons.contains(reason) {
      self.facts |= 1 << UInt32(15 + place)
    }
    self.facts |= Self.place(of: fix.accuracySource, in: Self.sources) << 23
    if fix.isReduced { self.facts |= Self.reducedBit }
  }

  /// In the file's unit; `nil` if it is unknown.
  private(set) subscript(number: Number) -> Double? {
    get { self.knows(number) ? Double(self.numbers[number.rawValue]) : nil }
    set {
      guard let newValue, newValue.isFinite else { return }
      self.numbers[number.rawValue] = Int32(min(max(newValue.rounded(), -2e9), 2e9))
      self.facts |= 1 << UInt32(number.rawValue)
    }
  }

  private func knows(_ number: Number) -> Bool { self.knows(number.rawValue) }

  func knows(_ place: Int) -> Bool { self.facts & (1 << UInt32(place)) != 0 }

  private static func place<Value: Equatable>(of value: Value, in list: [Value]) -> UInt32 {
    UInt32(list.firstIndex(of: value) ?? 0)
  }

  private func value<Value>(of list: [Value], at bit: UInt32, width: UInt32) -> Value {
    // A later version may know more; the first claims the least.
    let place = Int(self.facts >> bit & ((1 << width) - 1))
    return place < list.count ? list[place] : list[0]
  }

  package var coordinate: Coordinate {
    Coordinate(latitude: Double(self.latitude) / Self.degree, longitude: Double(self.longitude) / Self.degree)
  }

  /// The 68 % radius in metres.
  package var accuracy: Double? { self[.accuracy].map { $0 / 100 } }
  /// Metres per second.
  package var speed: Double? { self[.speed].map { $0 / 100 } }
  package var isReduced: Bool { self.facts & Self.reducedBit != 0 }

  /// The fix, with what is known of it.
  ///
  /// - Parameter arrival: The moment that stands for its time.
  package func fix(arrival: Instant) -> Fix {
    let altitude = self[.altitude].map { $0 / 100 }
    let place = self.coordinate
    var fix = Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: self.accuracy, altitude: altitude,
      ellipsoidalAltitude: self[.ellipsoid].map { ($0 + (self[.altitude] ?? 0)) / 100 },
      verticalAccuracy: self[.verticalAccuracy].map { $0 / 100 }, speed: self.speed,
      course: self[.course].map { $0 / 10 }, arrival: arrival, mode: self.value(of: Self.modes, at: 8, width: 1),
      status: self.value(of: Self.statuses, at: 9, width: 4), satellitesUsed: self[.satellites].map { Int($0) },
      isReduced: self.isReduced, horizontalAccuracy95: self[.accuracy95].map { $0 / 100 },
      accuracySource: self.value(of: Self.sources, at: 23, width: 4))
    fix.integrity = self.value(of: Self.integrities, at: 13, width: 2)
    fix.integrityReasons.list = Self.reasons.enumerated().filter { self.facts & (1 << UInt32(15 + $0.offset)) != 0 }
      .map(\.element)
    return fix
  }
}
