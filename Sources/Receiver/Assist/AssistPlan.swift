import Positioning
import UBX

/// What a receiver is given at one start.
struct AssistPlan: Hashable, Sendable {
  private(set) var messages: [AssistMessage] = []
  private(set) var given: [Assistance.Part] = []
  /// What is not given, and why.
  private(set) var problems: [String] = []
  /// What was kept is from another receiver, or too old to be of use.
  private(set) var isKeptUseless = false

  /// Almanacs are of use for some weeks.
  static let longestUse: Duration = .seconds(28 * 86_400)
  /// After this time predicted orbits are better than those that were kept.
  static let freshness: Duration = .seconds(3 * 3600)
  /// How late a message may be through gpsd and the line.
  static let delay: Duration = .milliseconds(100)

  /// - Parameters:
  ///   - place: The place that this daemon has seen; `nil`: what was kept has it.
  ///   - clock: Its error is known, and small enough.
  init(
    for source: KeptAssistance.Source, _ dialect: AssistDialect, place: LastPlace?, loaded: LoadedAssistance,
    time: Timestamp, error: Duration
  ) {
    self.problems = loaded.problems
    var kept = loaded.kept
    if let found = kept, !found.source.canBe(source) {
      self.problems.append("what was kept is from another receiver (\(found.source.words))")
      self.isKeptUseless = true
      kept = nil
    }
    if let found = kept, found.taken > time + (error + .seconds(60)) {
      self.problems.append("what was kept is from a time that the system clock has not reached")
      kept = nil
    }
    if let found = kept, time - found.taken > Self.longestUse {
      self.problems.append("what was kept is \(Int((time - found.taken).seconds / 86_400)) days old")
      self.isKeptUseless = true
      kept = nil
    }
    let isAiding = kept?.frames.contains { $0.messageClass == UBXFrame.MessageClass.aiding } ?? false
    self.addTime(time, error, place: place ?? kept?.place, dialect, isAiding: isAiding)
    let frames = dialect == .ublox ? kept?.frames ?? [] : []
    if !frames.isEmpty {
      self.messages += frames.map { .ublox($0) }
      self.given.append(.orbits)
    }
    let isFresh = kept.map { !frames.isEmpty && time - $0.taken < Self.freshness } ?? false
    if !isFresh, !loaded.predicted.messages.isEmpty {
      self.messages += loaded.predicted.messages
      self.given.append(.predictedOrbits)
    }
    if !isFresh { self.problems += loaded.predicted.problems }
  }

  /// The time first: a receiver refuses orbits before it knows that.
  private mutating func addTime(
    _ time: Timestamp, _ error: Duration, place: LastPlace?, _ dialect: AssistDialect, isAiding: Bool
  ) {
    let limit = dialect.worstPlace
    let position = place.flatMap { place -> (place: LastPlace, error: Double)? in
      // A place of the future shows that the clock is wrong, or was.
      guard place.time <= time + (error + .seconds(60)) else { return nil }
      let error = place.error(after: time - place.time)
      return error <= limit ? (place, error) : nil
    }
    self.given.append(.time)
    if position != nil { self.given.append(.position) }
    switch dialect {
    case .ublox:
      let timeFrame = UBXTimeAssistance(time: time, error: error + Self.delay)
      let positionFrame = position.map {
        UBXPositionAssistance(coordinate: $0.place.coordinate, altitude: $0.place.altitude, error: $0.error)
      }
      if isAiding {
        self.messages.append(.ublox(.aidingInitial(time: timeFrame, position: positionFrame)))
      } else {
        self.messages += [timeFrame.frame, positionFrame?.frame].compactMap { $0.map { .ublox($0) } }
      }
    case .mediaTek:
      let sentence = position.map {
        MediaTekAssistance(place: $0.place.coordinate, altitude: $0.place.altitude, time: time)
      }
      self.messages.append(.mediaTek(sentence ?? MediaTekAssistance(time: time)))
    }
  }
}

/// What the disk has for a start.
struct LoadedAssistance: Hashable, Sendable {
  /// `nil`: nothing, or it cannot be used.
  var kept: KeptAssistance?
  var predicted = PredictedOrbits()
  /// What is wrong with the kept file, and where it is now.
  var problems: [String] = []
}
