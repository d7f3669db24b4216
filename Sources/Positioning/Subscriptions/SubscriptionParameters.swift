/// The parameters of a position subscription.
public struct SubscriptionParameters: Hashable, Sendable {
  /// How fixes are delivered, and what is needed of the receiver.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each fix as it arrives; keeps the receiver on.
    case continuous
    /// A fix after enough distance and time since the last delivery; lets the receiver sleep.
    case significant
    /// Each fix that others need; never turns the receiver on.
    case passive
    /// Collects fixes and delivers them together.
    case deferred
  }

  /// Whether a cached fix is delivered first: a fresh one, any, or none.
  public enum Replay: String, Hashable, Sendable, CaseIterable {
    /// A fix that reaches the level.
    case fresh
    /// Any fix.
    case any
    case none
  }

  public var mode: Mode
  /// A demand on the receiver and the measure of `achievedAccuracy`. It does not filter fixes.
  public var accuracy: AccuracyDemand
  /// The least time between two deliveries.
  public var minInterval: Duration
  /// Metres from the last delivered fix.
  public var minDistance: Double
  /// After this time without a delivery the newest fix is delivered again, marked as a repetition.
  public var maxInterval: Duration?
  /// Metres. Fixes with a larger or unknown accuracy are not delivered.
  public var onlyBetterThan: Double?
  /// The least integrity of the fixes that are delivered.
  public var integrity: IntegrityDemand
  /// The subscription ends after so many updates with a fix.
  public var maxUpdates: Int?
  /// The subscription ends after this time.
  public var duration: Duration?
  /// Metres along the path after which a batch is delivered; mode deferred.
  public var deferredDistance: Double?
  /// How long after its first fix a batch is delivered; mode deferred.
  public var deferredTimeout: Duration?
  /// Metres from the last delivery that make a change significant; mode significant.
  public var significantDistance: Double
  /// The least time between two significant changes; mode significant.
  public var significantInterval: Duration
  /// The search for a good fix after each significant change; `nil`: none. Mode significant.
  public var acquire: Acquisition?
  public var activity: Activity
  /// Whether delivery pauses while the device rests.
  public var autoPause: Bool
  public var replay: Replay

  public init(
    mode: Mode = .continuous, accuracy: AccuracyDemand = .level(.room), minInterval: Duration = .seconds(1),
    minDistance: Double = 0, maxInterval: Duration? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil,
    duration: Duration? = nil, deferredDistance: Double? = nil, deferredTimeout: Duration? = nil,
    significantDistance: Double = 500, significantInterval: Duration = .seconds(300), acquire: Acquisition? = nil,
    activity: Activity = .other, autoPause: Bool = false, replay: Replay = .fresh, integrity: IntegrityDemand = .suspect
  ) {
    self.mode = mode
    self.accuracy = accuracy
    self.minInterval = minInterval
    self.minDistance = minDistance
    self.maxInterval = maxInterval
    self.onlyBetterThan = onlyBetterThan
    self.integrity = integrity
    self.maxUpdates = maxUpdates
    self.duration = duration
    self.deferredDistance = deferredDistance
    self.deferredTimeout = deferredTimeout
    self.significantDistance = significantDistance
    self.significantInterval = significantInterval
    self.acquire = acquire
    self.activity = activity
    self.autoPause = autoPause
    self.replay = replay
  }
}

/// One parameter of a position subscription: its name, its property, and the mode to which it belongs. What is done with
/// each parameter follows from these.
public struct SubscriptionParameter: Sendable {
  public let name: String
  /// The only mode to which it belongs; `nil`: any.
  public let mode: SubscriptionParameters.Mode?
  package let property: SubscriptionProperty
  let path: any PartialKeyPath<SubscriptionParameters> & Sendable
  private let copy: @Sendable (SubscriptionParameters, inout SubscriptionParameters) -> Void
  private let isAbsent: @Sendable (SubscriptionParameters) -> Bool

  private init<Value>(
    _ name: String, _ property: (SubscriptionPath<Value>) -> SubscriptionProperty, _ path: SubscriptionPath<Value>,
    mode: SubscriptionParameters.Mode? = nil
  ) {
    self.init(name, property, path, mode: mode, isAbsent: { _ in false })
  }

  /// A parameter that need not have a value.
  private init<Value>(
    _ name: String, _ property: (SubscriptionPath<Value?>) -> SubscriptionProperty, _ path: SubscriptionPath<Value?>,
    mode: SubscriptionParameters.Mode? = nil
  ) {
    self.init(name, property, path, mode: mode, isAbsent: { $0[keyPath: path] == nil })
  }

  private init<Value>(
    _ name: String, _ property: (SubscriptionPath<Value>) -> SubscriptionProperty, _ path: SubscriptionPath<Value>,
    mode: SubscriptionParameters.Mode?, isAbsent: @escaping @Sendable (SubscriptionParameters) -> Bool
  ) {
    self.name = name
    self.mode = mode
    self.property = property(path)
    self.path = path
    self.copy = { $1[keyPath: path] = $0[keyPath: path] }
    self.isAbsent = isAbsent
  }

  func copy(from source: SubscriptionParameters, to target: inout SubscriptionParameters) { self.copy(source, &target) }

  /// Whether it has a value there, and goes with the mode.
  func applies(to parameters: SubscriptionParameters) -> Bool {
    self.mode ?? parameters.mode == parameters.mode && !self.isAbsent(parameters)
  }

  private typealias Property = SubscriptionProperty

  public static let mode = Self("mode", Property.mode, \.mode)
  public static let accuracy = Self("accuracy", Property.accuracy, \.accuracy)
  public static let minInterval = Self("minInterval", Property.duration, \.minInterval)
  public static let minDistance = Self("minDistance", Property.number, \.minDistance)
  public static let maxInterval = Self("maxInterval", Property.optionalDuration, \.maxInterval)
  public static let onlyBetterThan = Self("onlyBetterThan", Property.optionalNumber, \.onlyBetterThan)
  public static let integrity = Self("integrity", Property.integrity, \.integrity)
  public static let maxUpdates = Self("maxUpdates", Property.optionalCount, \.maxUpdates)
  public static let duration = Self("duration", Property.optionalDuration, \.duration)
  public static let deferredDistance = Self(
    "deferredDistance", Property.optionalNumber, \.deferredDistance, mode: .deferred)
  public static let deferredTimeout = Self(
    "deferredTimeout", Property.optionalDuration, \.deferredTimeout, mode: .deferred)
  public static let significantDistance = Self(
    "significantDistance", Property.number, \.significantDistance, mode: .significant)
  public static let significantInterval = Self(
    "significantInterval", Property.duration, \.significantInterval, mode: .significant)
  public static let acquire = Self("acquire", Property.acquisition, \.acquire, mode: .significant)
  public static let activity = Self("activity", Property.activity, \.activity)
  public static let autoPause = Self("autoPause", Property.flag, \.autoPause)
  public static let replay = Self("replay", Property.replay, \.replay)

  /// Those that can be changed in an existing subscription: all except `replay`, which has its effect only at the
  /// beginning.
  public static let allCases: [SubscriptionParameter] = [
    .mode, .accuracy, .minInterval, .minDistance, .maxInterval, .onlyBetterThan, .integrity, .maxUpdates, .duration,
    .deferredDistance, .deferredTimeout, .significantDistance, .significantInterval, .acquire, .activity, .autoPause,
  ]

  /// The parameters of a new subscription.
  package static let asked = Self.allCases + [.replay]
}

extension SubscriptionParameter: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(self.name) }
}

/// The search for a good fix after a significant change.
public struct Acquisition: Hashable, Sendable {
  /// How long the search may take, counted from the receiver's first fix.
  public var budget: Duration
  /// Metres: a fix of this accuracy ends the search at once.
  public var desiredAccuracy: Double
  /// Metres within which the best fix is delivered when the budget ends; `nil`: whatever its accuracy.
  public var acceptableAccuracy: Double?

  /// An acquisition; omitted values are the daemon's defaults.
  public init(
    budget: Duration = .seconds(15), desiredAccuracy: Double = 10, acceptableAccuracy: Double? = 100
  ) {
    self.budget = budget
    self.desiredAccuracy = desiredAccuracy
    self.acceptableAccuracy = acceptableAccuracy
  }
}

/// Some parameters of a position subscription: those that its creation or a later change names.
///
/// The others stay as they are. To name a parameter is to assign it:
///
/// ```swift
/// var change = SubscriptionChange()
/// change.minInterval = .seconds(5)
/// change.reset.insert(.duration)
/// ```
@dynamicMemberLookup
public struct SubscriptionChange: Hashable, Sendable {
  /// The parameters that get a value.
  public private(set) var named: Set<SubscriptionParameter> = []
  /// The parameters that go back to their default.
  public var reset: Set<SubscriptionParameter> = []
  /// The values of the named parameters; the others have the defaults.
  private var values = SubscriptionParameters()

  public init() {}

  /// A subscription's parameters with the defaults filled in: those that go with its mode and have a
  /// value.
  public init(stating parameters: SubscriptionParameters) {
    self.values = parameters
    self.named = Set(SubscriptionParameter.asked.filter { $0.applies(to: parameters) })
  }

  /// The parameter's value; `nil` if the change does not name it.
  public subscript<Value>(dynamicMember path: WritableKeyPath<SubscriptionParameters, Value>) -> Value? {
    get { self.names(path) ? self.values[keyPath: path] : nil }
    set {
      let parameter = Self.parameter(path)
      if let newValue {
        self.values[keyPath: path] = newValue
        self.named.insert(parameter)
      } else if self.named.remove(parameter) != nil {
        parameter.copy(from: SubscriptionParameters(), to: &self.values)
      }
    }
  }

  /// The value of a parameter that may have none; `nil` also if the change does not name it.
  public subscript<Value>(dynamicMember path: WritableKeyPath<SubscriptionParameters, Value?>) -> Value? {
    get { self.names(path) ? self.values[keyPath: path] : nil }
    set {
      let parameter = Self.parameter(path)
      self.values[keyPath: path] = newValue
      if newValue == nil { self.named.remove(parameter) } else { self.named.insert(parameter) }
    }
  }

  /// The defaults with the named values, whether or not they go together.
  package var parameters: SubscriptionParameters {
    var parameters = SubscriptionParameters()
    self.apply(to: &parameters)
    return parameters
  }

  private func names(_ path: PartialKeyPath<SubscriptionParameters>) -> Bool { self.named.contains { $0.path == path } }

  private static func parameter(_ path: PartialKeyPath<SubscriptionParameters>) -> SubscriptionParameter {
    guard let parameter = SubscriptionParameter.asked.first(where: { $0.path == path }) else {
      preconditionFailure("No parameter has the property \(path)")
    }
    return parameter
  }

  fileprivate func apply(to parameters: inout SubscriptionParameters) {
    for parameter in self.named { parameter.copy(from: self.values, to: &parameters) }
  }
}

extension SubscriptionParameters {
  /// The parameters after the change. Parameters of a mode that is left are removed.
  package func changed(by change: SubscriptionChange) throws(InvalidParameter) -> SubscriptionParameters {
    let usual = SubscriptionParameters()
    let mode = change.mode ?? (change.reset.contains(.mode) ? usual.mode : self.mode)
    let misplaced = SubscriptionParameter.allCases.first {
      change.named.contains($0) && $0.mode ?? mode != mode
    }
    if let misplaced {
      throw InvalidParameter(
        parameter: misplaced.name, found: "set with mode \(mode.rawValue)",
        expected: "mode \(misplaced.mode?.rawValue ?? "") with it")
    }
    var reset = change.reset
    if mode != self.mode { reset.formUnion(SubscriptionParameter.allCases.filter { $0.mode == self.mode }) }
    var changed = self
    for parameter in reset { parameter.copy(from: usual, to: &changed) }
    changed.mode = mode
    change.apply(to: &changed)
    try changed.check()
    return changed
  }

  /// Checks which parameters go together, for every way in which they come. `positionctl` refuses some before, with the names
  /// of its options.
  package func check() throws(InvalidParameter) {
    if self.mode == .deferred, self.deferredDistance == nil, self.deferredTimeout == nil {
      throw InvalidParameter(
        parameter: "deferredDistance", found: "missing",
        expected: "deferredDistance or deferredTimeout with mode deferred")
    }
    if self.acquire != nil, self.mode != .significant {
      throw InvalidParameter(
        parameter: "acquire", found: "set with mode \(self.mode.rawValue)", expected: "mode significant with it")
    }
    if let acquire, let acceptable = acquire.acceptableAccuracy, acceptable < acquire.desiredAccuracy {
      throw InvalidParameter(
        parameter: "acquire.acceptableAccuracy", found: "finer than acquire.desiredAccuracy",
        expected: "no finer than acquire.desiredAccuracy")
    }
  }
}

/// An invalid parameter, or one that does not go with the others.
package struct InvalidParameter: Error, Hashable {
  /// By its name on the wire.
  package var parameter: String
  /// The given value, in words.
  package var found: String
  package var expected: String

  package init(parameter: String, found: String, expected: String) {
    self.parameter = parameter
    self.found = found
    self.expected = expected
  }
}

/// The property of a parameter with values of that type.
package typealias SubscriptionPath<Value> = any WritableKeyPath<SubscriptionParameters, Value> & Sendable

/// The property of a parameter, by the type of its value: what can store these types can store every parameter.
package enum SubscriptionProperty: Sendable {
  case accuracy(SubscriptionPath<AccuracyDemand>)
  case acquisition(SubscriptionPath<Acquisition?>)
  case activity(SubscriptionPath<Activity>)
  case duration(SubscriptionPath<Duration>)
  case flag(SubscriptionPath<Bool>)
  case integrity(SubscriptionPath<IntegrityDemand>)
  case mode(SubscriptionPath<SubscriptionParameters.Mode>)
  case number(SubscriptionPath<Double>)
  case optionalCount(SubscriptionPath<Int?>)
  case optionalDuration(SubscriptionPath<Duration?>)
  case optionalNumber(SubscriptionPath<Double?>)
  case replay(SubscriptionPath<SubscriptionParameters.Replay>)
}
