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

  /// The same for a parameter that may have no value.
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
