import Glibc
package import Positioning
import UBX

/// What a simulated u-blox knows when it searches, and how long the search takes with that.
///
/// The figures are u-blox's. The data sheets of NEO-M8 and MAX-M8 (UBX-15031086, UBX-15031506) have 26 s for a cold start, 1 s for a
/// hot one and 2 s for an aided one, under an open sky. By the integration manual of NEO-M9N (UBX-19014286, 3.9.3) predicted
/// orbits shorten a start "typically to considerably less than 10 s", and are right at noon of their day. By the interface
/// descriptions a position or a time that is farther off than its stated error degrades a start, and a message that needs the
/// time is refused while that is unknown. GPS's orbits are valid for four hours (IS-GPS-200). How single starts differ from
/// these figures is assumed: by a quarter, one standard deviation.
package struct Knowledge: Hashable, Sendable {
  package struct Settings: Hashable, Sendable {
    package var generation = Generation.database
    /// Whether it says that it has accepted or refused a message: u-blox's default is that it does not.
    package var acknowledges = false
    /// It refuses all that it is given.
    package var refuses = false
    /// It answers a poll with entries that are empty, and longer than any.
    package var babbles = false
    /// What distinguishes it from others, whose database it does not take.
    package var identity: UInt32 = 1
    package var seed: UInt64 = 1

    package init() {}
  }

  package enum Generation: Hashable, Sendable {
    /// It has AID-EPH and AID-INI.
    case aiding
    /// It has MGA.
    case database
  }

  /// The true time and place of a moment.
  package struct Truth: Hashable, Sendable {
    package var time: Timestamp
    package var coordinate: Coordinate

    package init(time: Timestamp, coordinate: Coordinate) {
      (self.time, self.coordinate) = (time, coordinate)
    }
  }

  /// What the documents give, in seconds.
  private enum Figures {
    static let cold = 26.0
    static let hot = 1.0
    static let aided = 2.0
    static let predicted = 6.0
    /// A subframe of GPS, which has the time.
    static let subframe = 6.0
    /// How much longer the search takes if it has no place to begin from.
    static let everywhere = 3.0
    /// For each 100 km by which the place may be wrong.
    static let widening = 0.2
    static let validity = Duration.seconds(14_400)
    /// From noon.
    static let predictedValidity = Duration.seconds(86_400)
    static let leastSatellites = 4
    static let satellites = 12
    static let worstTime = Duration.seconds(10)
    static let worstPlace = 500_000.0
    static let misled = 1.5
  }

  private let settings: Settings
  /// When each satellite's orbit was received.
  private var orbits: [UInt8: Instant] = [:]
  /// The noons of predicted orbits, as moments, and for how many satellites each is.
  private var predictions: [Instant: Int] = [:]
  /// How wrong the time may be.
  private var timeError: Duration?
  /// How wrong the place may be, in metres.
  private var placeError: Double?
  /// Whether what it was given for certain is false.
  package private(set) var isMisled = false
  /// Whether its time is from satellites.
  private var hasOwnTime = false
  private var random: SeededRandom
  /// By how much this start is longer than the figures.
  private var factor = 1.0

  package init(_ settings: Settings) {
    self.settings = settings
    self.random = SeededRandom(seed: settings.seed)
  }

  // MARK: Its own life

  /// It forgets everything: there is no battery.
  mutating func losePower() {
    let random = self.random
    self = Knowledge(self.settings)
    self.random = random
  }

  /// It had a fix until then, and received the orbits again.
  mutating func tracked(until now: Instant) {
    for satellite in 1...UInt8(Figures.satellites) { self.orbits[satellite] = now }
    (self.timeError, self.placeError, self.isMisled, self.hasOwnTime) = (.zero, 0, false, true)
  }

  mutating func beginStart(at now: Instant) -> Duration {
    self.factor = Self.spread(&self.random)
    return self.timeToFirstFix(at: now)
  }

  /// e to the power of a quarter of a number with a standard deviation of one.
  private static func spread(_ random: inout SeededRandom) -> Double {
    let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } - 6
    return exp(sum / 4)
  }

  /// How long a search takes that begins now.
  func timeToFirstFix(at now: Instant) -> Duration {
    .seconds(self.factor * self.figure(at: now))
  }

  private func figure(at now: Instant) -> Double {
    guard !self.isMisled else { return Figures.cold * Figures.misled }
    let orbits = self.orbits.values.count { now - $0 <= Figures.validity }
    let isTimed = self.timeError.map { $0 <= Figures.worstTime } ?? false
    let place = self.placeError.flatMap { $0 <= Figures.worstPlace ? $0 : nil }
    let search = place.map { $0 / 100_000 * Figures.widening } ?? Figures.everywhere
    if orbits >= Figures.leastSatellites {
      if self.hasOwnTime, self.placeError == 0 { return Figures.hot }
      return Figures.aided + search + (isTimed ? 0 : Figures.subframe)
    }
    if isTimed,
      self.predictions.contains(where: {
        Self.distance($0.key, now) <= Figures.predictedValidity && $0.value >= Figures.leastSatellites
      })
    {
      return Figures.predicted + search
    }
    return Figures.cold
  }

  private static func distance(_ first: Instant, _ second: Instant) -> Duration {
    first > second ? first - second : second - first
  }

  // MARK: Messages

  /// The answer to a poll of what it knows.
  func answer(toPoll messageClass: UInt8, _ identifier: UInt8, at now: Instant, _ truth: Truth) -> [UBXFrame] {
    switch (messageClass, identifier, self.settings.generation) {
    case (UBXFrame.MessageClass.assistance, UBXFrame.Assistance.database, .database):
      if self.settings.babbles {
        return [12, 300].map { UBXFrame(messageClass, identifier, payload: [UInt8](repeating: 0xB5, count: $0)) }
      }
      let entries = self.orbits.sorted { $0.key < $1.key }.map { satellite, received in
        UBXFrame(
          messageClass, identifier,
          payload: [UInt8](repeating: 0, count: 12) + self.entry(satellite, truth.time + (received - now), length: 76))
      }
      let end = UBXAssistanceAnswer(isAccepted: true, identifier: identifier)
      let count = UInt8(clamping: entries.count)
      return entries + (self.settings.acknowledges ? [end.frame(begin: [count, 0, 0, 0])] : [])
    case (UBXFrame.MessageClass.aiding, UBXFrame.Aiding.ephemeris, .aiding):
      return (1...UInt8(32)).map { satellite in
        let head: [UInt8] = [satellite, 0, 0, 0]
        guard let received = self.orbits[satellite] else {
          return UBXFrame(messageClass, identifier, payload: head + [0, 0, 0, 0])
        }
        return UBXFrame(
          messageClass, identifier, payload: head + self.entry(satellite, truth.time + (received - now), length: 100))
      }
    case _: return []
    }
  }

  /// An orbit in a form of its own: the receiver, the satellite, and when it was received.
  private func entry(_ satellite: UInt8, _ received: Timestamp, length: Int) -> [UInt8] {
    var payload = UBXPayload()
    payload.append(self.settings.identity)
    payload.append(satellite)
    payload.append(received.milliseconds)
    return payload.bytes + [UInt8](repeating: 0xA5, count: length - payload.bytes.count)
  }

  /// Takes what it is given.
  ///
  /// - Returns: Whether it has accepted it, if it says that.
  mutating func take(_ frame: UBXFrame, at now: Instant, _ truth: Truth) -> UBXFrame? {
    let isNew = frame.messageClass == UBXFrame.MessageClass.assistance
    guard isNew == (self.settings.generation == .database) else { return nil }
    let reason = self.settings.refuses ? 4 : self.learn(frame, at: now, truth)
    guard isNew, self.settings.acknowledges else { return nil }
    return UBXAssistanceAnswer(isAccepted: reason == 0, reason: reason, identifier: frame.identifier).frame(
      begin: Array(frame.payload.prefix(4)))
  }

  /// - Returns: 0, or why it refuses it.
  private mutating func learn(_ frame: UBXFrame, at now: Instant, _ truth: Truth) -> UInt8 {
    guard frame.isAssistance else { return 3 }
    // What it has found out itself is better than what it is given.
    if let time = UBXTimeAssistance(frame) {
      guard !self.hasOwnTime else { return 0 }
      self.learn(time.time, error: time.error, truth)
    } else if let position = UBXPositionAssistance(frame) {
      guard self.placeError != 0 else { return 0 }
      self.learn(position.coordinate, error: position.error, truth)
    } else if let noon = frame.predictedNoon {
      guard self.timeError != nil else { return 1 }
      self.predictions[now + (noon - truth.time), default: 0] += 1
    } else if frame.identifier == UBXFrame.Aiding.initial, frame.messageClass == UBXFrame.MessageClass.aiding {
      self.learn(aiding: frame.payload, truth)
    } else if frame.isKnowledge {
      guard self.timeError != nil else { return 1 }
      let head = frame.messageClass == UBXFrame.MessageClass.assistance ? 12 : 4
      guard let (satellite, received) = self.read(frame.payload.dropFirst(head)) else { return 6 }
      self.orbits[satellite] = max(self.orbits[satellite] ?? .boot, now + (received - truth.time))
    }
    return 0
  }

  private mutating func learn(_ time: Timestamp, error: Duration, _ truth: Truth) {
    let distance = time < truth.time ? truth.time - time : time - truth.time
    // A message takes some time through gpsd and the line.
    self.isMisled = self.isMisled || distance > error * 3 + .milliseconds(500)
    self.timeError = max(error, distance)
  }

  private mutating func learn(_ coordinate: Coordinate, error: Double, _ truth: Truth) {
    let distance = Self.metres(from: coordinate, to: truth.coordinate)
    self.isMisled = self.isMisled || distance > error * 3 + 100
    self.placeError = max(error, distance, 1)
  }

  /// On a sphere, which is exact enough for a search.
  private static func metres(from start: Coordinate, to end: Coordinate) -> Double {
    let north = sin((end.latitude - start.latitude).radians / 2)
    let east = sin((end.longitude - start.longitude).radians / 2)
    let chord = north * north + cos(start.latitude.radians) * cos(end.latitude.radians) * east * east
    return 2 * 6_371_000 * asin(min(1, chord.squareRoot()))
  }

  /// AID-INI with a position in degrees and a time in UTC.
  private mutating func learn(aiding payload: [UInt8], _ truth: Truth) {
    func number(_ place: Int, _ bytes: Int) -> Int {
      payload[place..<(place + bytes)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func signed(_ place: Int) -> Double { Double(Int32(truncatingIfNeeded: number(place, 4))) }
    let flags = number(44, 4)
    if flags & 0x21 == 0x21, self.placeError != 0 {
      let coordinate = Coordinate(latitude: signed(0) * 1e-7, longitude: signed(4) * 1e-7)
      self.learn(coordinate, error: Double(number(12, 4)) / 100, truth)
    }
    let (date, clock) = (number(18, 2), number(20, 4))
    let calendar = CalendarTime(
      year: 2000 + date / 100, month: date % 100, day: clock / 1_000_000, hour: clock / 10_000 % 100,
      minute: clock / 100 % 100, second: clock % 100, millisecond: number(24, 4) / 1_000_000)
    if flags & 0x402 == 0x402, !self.hasOwnTime, let time = Timestamp(calendar) {
      self.learn(time, error: .milliseconds(number(28, 4)), truth)
    }
  }

  /// An entry of its own; `nil` if it is another receiver's.
  private func read(_ entry: ArraySlice<UInt8>) -> (satellite: UInt8, received: Timestamp)? {
    let entry = Array(entry)
    guard entry.count >= 13, case let identity = entry[0..<4].reversed().reduce(UInt32(0), { $0 << 8 | UInt32($1) }),
      identity == self.settings.identity
    else { return nil }
    let milliseconds = entry[5..<13].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (entry[4], Timestamp(milliseconds: Int64(bitPattern: milliseconds)))
  }
}

extension ReceiverModel.Settings {
  /// A u-blox that knows nothing after a loss of power, and is on while its device is open.
  package static func forgetfulUblox(seed: UInt64) -> ReceiverModel.Settings {
    var knowledge = Knowledge.Settings()
    knowledge.seed = seed
    return ReceiverModel.Settings(kind: .ublox, knowledge: knowledge)
  }

  /// Whether it starts by what it knows, and knows nothing after a loss of power.
  package var forgetsWithoutPower: Bool {
    get { self.knowledge != nil }
    set { self.knowledge = newValue ? self.knowledge ?? Knowledge.Settings() : nil }
  }
}
