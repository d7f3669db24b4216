public import JSONRPC
public import Positioning

extension FixRequest: WireObject {
  public static let wire = ObjectCodec<FixRequest>(blank: FixRequest()) {
    Field.optional(
      "accuracy", \.accuracy, AccuracyDemand.codec, default: "block", example: "house",
      "The desired accuracy: a level, or metres.")
    Field.optional(
      "acceptableAccuracy", \.acceptableAccuracy, AccuracyDemand.codec, example: 100,
      "The accuracy that is accepted at the timeout: a level, or metres; if absent, the desired one.")
    Field.optional(
      "maxAge", \.maximumAge, .seconds(.seconds), example: 10,
      "The greatest age of the fix in seconds; if absent, that of the accuracy's level.")
    Field.defaulted(
      "timeout", \.timeout, .seconds(.seconds), example: 20, "Seconds to wait; 0 means as long as the daemon allows.")
    Field.defaulted("activity", \.activity, Activity.codec, example: "automotive", "What moves the device.")
    Field.optional(
      "integrity", \.unusualIntegrity, IntegrityDemand.codec, default: "suspect", example: "trusted",
      "The least integrity of the fix: one for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or "
        + "`any`.")
    Field.optional(
      "delayUntilAuthorized", \.delay, .boolean, default: false, example: true,
      "Starts the timeout only once the client's permission is decided.")
  }

  /// Written only if it is not the default, which a daemon has that does not know the member.
  private var unusualIntegrity: IntegrityDemand? {
    get { self.integrity == .suspect ? nil : self.integrity }
    set { self.integrity = newValue ?? .suspect }
  }

  /// Written only if it is true.
  private var delay: Bool? {
    get { self.delaysUntilAuthorized ? true : nil }
    set { self.delaysUntilAuthorized = newValue ?? false }
  }
}

extension FixResult: WireObject {
  public static let wire = ObjectCodec<FixResult>(
    blank: FixResult(status: .fallback, isSatisfied: false, diagnostics: Diagnostics.wire.blank)
  ) {
    Field.required("status", \.status, Status.codec, example: "success", "Whether there is an acceptable fix.")
    Field.required(
      "satisfied", \.isSatisfied, .boolean, example: true,
      "Whether the fix has the desired accuracy.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The best fix; absent if none is young enough.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
      "The finest level that the fix reaches.")
    Field.required(
      "fromCache", \.isFromCache, .boolean, example: false, "Whether the fix is older than the request.")
    Field.required("elapsed", \.elapsed, .seconds(.nonNegative), example: 2.25, "Seconds that the request took.")
    Field.required(
      "diagnostics", \.diagnostics, Diagnostics.codec, example: Diagnostics.example,
      "Why there is no better answer.")
  }
}

extension LastFix: WireObject {
  public static let wire = ObjectCodec<LastFix>(blank: LastFix(availability: .fallback)) {
    Field.optional("fix", \.fix, Fix.codec, example: Fix.example, "The newest fix, however old.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "house",
      "The finest level that it reaches.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "poweredDown",
      "Why there is or is not a fresh fix.")
  }
}

/// On the wire a level is its name, and metres are a number.
extension AccuracyDemand: WireValue {
  public static var codec: Codec<AccuracyDemand> {
    .either(
      AccuracyLevel.codec.map(
        to: { (level: AccuracyLevel) in .level(level) }, from: { (demand: AccuracyDemand) in demand.level }),
      or: Codec<Double>.number(.meters).map(
        to: { (meters: Double) in .meters(meters) }, from: { (demand: AccuracyDemand) in demand.meters }),
      isFirst: { if case .level = $0 { true } else { false } })
  }
}
