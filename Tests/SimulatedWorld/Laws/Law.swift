package import Positioning

/// What somebody was promised, held against what can be seen from outside.
///
/// A law reads bytes on sockets, what the receiver does, what is logged, and the truth; never what the daemon calls a
/// need, a search or a pause.
package protocol Law {
  /// The sentence that it holds, and the document in which it stands.
  static var promise: Promise { get }
  var breaches: [Breach] { get }

  mutating func observe(_ observation: Observation, in world: World)
  /// The script is over.
  mutating func end(in world: World)
}

extension Law {
  package mutating func end(in world: World) {}

  func breach(_ text: String, in world: World) -> Breach {
    Breach(law: "\(Self.self)", at: world.elapsed, text: text)
  }
}

package struct Promise: Hashable, Sendable {
  package let document: String
  package let sentence: String

  init(_ document: String, _ sentence: String) {
    self.document = document
    self.sentence = sentence
  }
}

/// Something that was not as it was promised.
package struct Breach: Hashable, Sendable {
  package let law: String
  package let at: Duration
  package let text: String
}

package enum Laws {
  /// All of them, before anything has happened.
  package static func all() -> [any Law] {
    [
      OneAnswer(), AgesRise(), FixesAreTrue(), ReceiverIsAsReported(), OnWhileNeeded(), OffWhenUnneeded(),
      RegionsAreTrue(), DwellIsTrue(), VisitsAreTrue(), EventsAreKept(), EverythingRecovers(), RestIsQuiet(),
      DenialHides(), ReductionHides(), NothingIsLost(), DoorsAreTrue(), DoorsHide(), DoorsDeliver(), OneUnit(),
      OffAtRest(), NobodyInheritsADeadReceiver(), SearchesAreRare(), RungIsKept(),
      IntervalsAreKept(), AnswersAreYoung(), SubscriptionsEnd(), LossIsReported(), ChangesAreSignificant(),
      BatchesCome(), OnePrompt(), PersonsDecide(), DecisionsAreKept(), GrantsAreStored(), RelaysSpeak(),
      UpgradesKeep(), RequestsGetTheirTime(), LossesHaveCauses(), PollsAreCurrent(), StaysAreVisits(),
      LibraryAnswers(), LibraryGoesOn(), BridgeLosesNothing(), BridgeForgets(), BridgeConnectsAgain(),
      EpochsComeOnce(), AltitudesCome(), FixesWereReported(), DatesAreTrue(), FixesKeepComing(), LagsCount(),
      OnMeansReports(), SilenceIsTrue(), ReconnectsSoon(), SkiesAreWhole(), ReceiversStay(), SleepIsNoLoss(),
      HeartbeatsHaveFixes(),
      UnitsAreStarted(), PlacesAreGiven(), HalfClosedAreAnswered(), NumbersHaveOwners(), RequestsAreSearchedFor(),
      AcquisitionsEnd(), InboxesAreLimited(), QueuesAreLimited(), OnTimeIsBounded(),
      DecisionsFitTheirFixes(), DecisionsHold(), EdgesAreWatched(), InitialStatesAreReported(), RegionsKeepTheirState(),
      RegionsExpire(), AbsencesMakeNoDwell(), PassagesAreTrue(), VisitsEndByLeaving(), VisitTimesAreKnown(),
      VisitsRarelyLook(), MistakesAreNamed(), OnlyTheClientNotices(),
      SubordinatesAreTheirOwners(),
      StartsAreNoSlower(), StartsAreAssisted(),
      DesktopsAreLocated(), DesktopsAreAnswered(), DesktopsRelease(), DesktopThresholdsHold(),
      DesktopLocationsAreTrue(),
      DesktopDenialHides(), DesktopReductionHides(), DesktopObjectsArePrivate(), DesktopClientsAreLimited(),
    ]
  }

  /// Those of two worlds that differ in one thing.
  package static var pairs: [any Pair.Type] { [NonInterference.self, Twin.self] }
}

extension JSON {
  /// A time such as 2026-01-31T12:00:00.000Z.
  package var time: Timestamp? {
    guard let text = self.string, text.utf8.count == 24 else { return nil }
    var numbers: [Int] = []
    var isInNumber = false
    for byte in text.utf8 {
      let digit = Int(byte) - 48
      guard (0...9).contains(digit) else {
        isInNumber = false
        continue
      }
      if isInNumber {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
      } else {
        numbers.append(digit)
      }
      isInNumber = true
    }
    guard numbers.count == 7 else { return nil }
    // Days since 1970 of the proleptic Gregorian calendar, whose years begin with March here.
    let year = numbers[0] - (numbers[1] <= 2 ? 1 : 0)
    let month = (numbers[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 1 - 719_468
    let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
    return Timestamp(milliseconds: Int64(seconds * 1000 + numbers[6]))
  }

  /// The fixes of an update.
  var fixes: [JSON] { (self["fix"].map { [$0] } ?? []) + (self["fixes"]?.elements ?? []) }

  /// Where a fix says the device is.
  var place: Track.Place? {
    guard let latitude = self["latitude"]?.number, let longitude = self["longitude"]?.number else { return nil }
    return Track.place(latitude: latitude, longitude: longitude)
  }
}
