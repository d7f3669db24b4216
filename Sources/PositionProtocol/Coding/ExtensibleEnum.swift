import JSONRPC
import Positioning

/// An enum on the wire to which a later daemon may add values.
///
/// An older client must not lose a message with such a value, so an optional member with an unknown value reads as
/// absent. The daemon is not lenient for it: what it is sent is checked against the tables before it is decoded.
protocol ExtensibleEnum: RawRepresentable<String>, CaseIterable, Sendable {}

/// Words of members that are always present: an unknown one reads as the one that claims the least.
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
extension Assistance.Part: ExtensibleEnum {}
extension Authorization.State: EnumWithFallback { static var fallback: Self { .notDetermined } }
extension AuthorizationLevel: EnumWithFallback { static var fallback: Self { .whenInUse } }
extension Availability: EnumWithFallback { static var fallback: Self { .unknown } }
extension Fix.Mode: EnumWithFallback { static var fallback: Self { .twoDimensional } }
extension Fix.Status: EnumWithFallback { static var fallback: Self { .gnss } }
extension GpsdState: EnumWithFallback { static var fallback: Self { .unknown } }
extension Heading.Source: EnumWithFallback { static var fallback: Self { .course } }
extension PowerSaving: EnumWithFallback { static var fallback: Self { .full } }
extension HeadingState: EnumWithFallback { static var fallback: Self { .invalid } }
extension InitialReport: ExtensibleEnum {}
extension FixResult.Status: EnumWithFallback { static var fallback: Self { .timedOut } }
extension SubscriptionParameters.Mode: ExtensibleEnum {}
extension SubscriptionParameters.Replay: ExtensibleEnum {}
extension Integrity: ExtensibleEnum {}
extension IntegrityReason: ExtensibleEnum {}
extension IntegrityDemand: EnumWithFallback { static var fallback: Self { .suspect } }
extension RegionEventKind: EnumWithFallback { static var fallback: Self { .unknown } }
extension RegionState: EnumWithFallback { static var fallback: Self { .unknown } }
extension ReceiverProblem: ExtensibleEnum {}
extension RequestOutcome: EnumWithFallback { static var fallback: Self { .unknown } }
extension Sky.Constellation: EnumWithFallback { static var fallback: Self { .unknown } }
extension DaemonStatus.NextStart.Reason: EnumWithFallback { static var fallback: Self { .unknown } }
extension DaemonStatus.Part: ExtensibleEnum {}
extension PowerRung: EnumWithFallback { static var fallback: Self { .watch } }
extension PowerState.State: EnumWithFallback { static var fallback: Self { .unknown } }
extension Precision: EnumWithFallback { static var fallback: Self { .reduced } }
extension SubscriptionKind: EnumWithFallback { static var fallback: Self { .status } }
extension SubscriptionState: EnumWithFallback { static var fallback: Self { .waiting } }
