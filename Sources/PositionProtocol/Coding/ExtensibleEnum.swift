import JSONRPC
import Positioning

/// A list of words on the wire that a later daemon may have more of.
///
/// A message with such a word must not be lost to an older client, so an optional member with a word that is not known
/// reads as absent. The daemon is not lenient for it: what it is sent is checked against the tables before it is decoded.
protocol ExtensibleEnum: RawRepresentable<String>, CaseIterable, Sendable {}

/// Words of members that are always there: one that is not known reads as the one that claims the least.
protocol EnumWithFallback: ExtensibleEnum {
  static var fallback: Self { get }
}

extension ExtensibleEnum {
  static var codec: Codec<Self> { .word }
}

extension EnumWithFallback {
  static var codec: Codec<Self> { .word(fallback: self.fallback) }
}

extension AccuracyLevel: ExtensibleEnum {}
extension AccuracySource: ExtensibleEnum {}
extension Activity: EnumWithFallback { static var fallback: Self { .other } }
extension AuthorizationObject.Level: EnumWithFallback { static var fallback: Self { .whenInUse } }
extension AuthorizationObject.Precision: EnumWithFallback { static var fallback: Self { .reduced } }
extension AuthorizationObject.State: EnumWithFallback { static var fallback: Self { .notDetermined } }
extension Availability: EnumWithFallback { static var fallback: Self { .unknown } }
extension Fix.Mode: EnumWithFallback { static var fallback: Self { .twoDimensional } }
extension Fix.Status: EnumWithFallback { static var fallback: Self { .gnss } }
extension GrantObject.Level: EnumWithFallback { static var fallback: Self { .deny } }
extension Heading.Source: EnumWithFallback { static var fallback: Self { .course } }
extension HeadingGetRequest.Status: EnumWithFallback { static var fallback: Self { .timedOut } }
extension HeadingUpdateNotification.State: EnumWithFallback { static var fallback: Self { .invalid } }
extension InitialReport: ExtensibleEnum {}
extension PositionGetRequest.Status: EnumWithFallback { static var fallback: Self { .timedOut } }
extension PositionSubscribeRequest.Mode: ExtensibleEnum {}
extension PositionSubscribeRequest.Replay: ExtensibleEnum {}
extension RegionEventKind: EnumWithFallback { static var fallback: Self { .unknown } }
extension RegionState: EnumWithFallback { static var fallback: Self { .unknown } }
extension RequestOutcomeResult.Outcome: EnumWithFallback { static var fallback: Self { .unknown } }
extension Sky.Constellation: EnumWithFallback { static var fallback: Self { .unknown } }
extension StatusObject.Gpsd.State: EnumWithFallback { static var fallback: Self { .unknown } }
extension StatusObject.Part: ExtensibleEnum {}
extension StatusObject.Power.State: EnumWithFallback { static var fallback: Self { .unknown } }
extension SubscriptionObject.Kind: EnumWithFallback { static var fallback: Self { .status } }
extension SubscriptionObject.State: EnumWithFallback { static var fallback: Self { .waiting } }
