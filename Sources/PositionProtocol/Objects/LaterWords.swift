import JSONRPC
import Positioning

/// A list of words on the wire that a later daemon may have more of.
///
/// A message with such a word must not be lost to an older client, so an optional member with a word that is not known
/// reads as absent. The daemon is not lenient for it: what it is sent is checked against the tables before it is decoded.
protocol GrowingWords: RawRepresentable<String>, CaseIterable, Sendable {}

/// Words of members that are always there: one that is not known reads as the one that claims the least.
protocol FallbackWords: GrowingWords {
  static var fallback: Self { get }
}

extension GrowingWords {
  static var codec: Codec<Self> { .word }
}

extension FallbackWords {
  static var codec: Codec<Self> { .word(fallback: self.fallback) }
}

extension AccuracyLevel: GrowingWords {}
extension AccuracySource: GrowingWords {}
extension Activity: FallbackWords { static var fallback: Self { .other } }
extension AuthorizationObject.Level: FallbackWords { static var fallback: Self { .whenInUse } }
extension AuthorizationObject.Precision: FallbackWords { static var fallback: Self { .reduced } }
extension AuthorizationObject.State: FallbackWords { static var fallback: Self { .notDetermined } }
extension Availability: FallbackWords { static var fallback: Self { .unknown } }
extension Fix.Mode: FallbackWords { static var fallback: Self { .twoDimensional } }
extension Fix.Status: FallbackWords { static var fallback: Self { .gnss } }
extension GrantObject.Level: FallbackWords { static var fallback: Self { .deny } }
extension Heading.Source: FallbackWords { static var fallback: Self { .course } }
extension HeadingGetRequest.Status: FallbackWords { static var fallback: Self { .timedOut } }
extension HeadingUpdateNotification.State: FallbackWords { static var fallback: Self { .invalid } }
extension InitialReport: GrowingWords {}
extension PositionGetRequest.Status: FallbackWords { static var fallback: Self { .timedOut } }
extension PositionSubscribeRequest.Mode: GrowingWords {}
extension PositionSubscribeRequest.Replay: GrowingWords {}
extension RegionEventKind: FallbackWords { static var fallback: Self { .unknown } }
extension RegionState: FallbackWords { static var fallback: Self { .unknown } }
extension RequestOutcomeResult.Outcome: FallbackWords { static var fallback: Self { .unknown } }
extension Sky.Constellation: FallbackWords { static var fallback: Self { .unknown } }
extension StatusObject.Gpsd.State: FallbackWords { static var fallback: Self { .unknown } }
extension StatusObject.Part: GrowingWords {}
extension StatusObject.Power.State: FallbackWords { static var fallback: Self { .unknown } }
extension SubscriptionObject.Kind: FallbackWords { static var fallback: Self { .status } }
extension SubscriptionObject.State: FallbackWords { static var fallback: Self { .waiting } }
