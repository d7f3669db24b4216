import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// Checks that the tables cannot express: parameters that cannot be combined, and names, as far as no state is needed.
///
/// A parameter that would have no effect is an error that says so: a typing mistake is never a silent default.
enum ParameterCombinations {
  // MARK: Modes

  /// The broker checks which modes can be combined with which parameters.
  static func check(_ request: PositionSubscribeRequest) throws(RPCError) {
    let mode = request.mode ?? .continuous
    guard let durable = request.durable else { return }
    guard mode == .significant || mode == .deferred else {
      throw .invalidParameter(
        path: "durable", found: "set with mode \(mode.rawValue)", expected: "mode significant or deferred with it")
    }
    try self.check(durable)
  }

  // MARK: Decisions

  static func check(_ request: AdminGrantRequest) throws(RPCError) {
    guard request.level == .deny, request.precision != nil else { return }
    throw .invalidParameter(
      path: "precision", found: "set with level deny", expected: "level whenInUse or always with it")
  }

  // MARK: Durable names

  static func check(_ durable: DurableParameter?) throws(RPCError) {
    guard let durable else { return }
    try self.check(name: durable.name, path: "durable.name")
    if let wake = durable.wake, !WakeUnit.isValid(wake) {
      throw .invalidParameter(
        path: "durable.wake", found: wake.quoted, expected: "the name of a system service, such as tracker.service")
    }
  }

  static func check(_ durable: DurableNameParameter?) throws(RPCError) {
    guard let durable else { return }
    try self.check(name: durable.name, path: "durable.name")
  }

  static func check(name: String, path: String = "name") throws(RPCError) {
    let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !name.isEmpty, name.utf8.count <= DurableParameter.maximumBytes, !hasControl else {
      throw .invalidParameter(
        path: path, found: name.quoted,
        expected: "a name of 1 to \(DurableParameter.maximumBytes) bytes without control characters")
    }
  }

  // MARK: Subscriptions

  enum Target {
    case subscription(number: Int)
    case durable(name: String)
  }

  /// The target that is given.
  static func target(subscription: Int?, durable: DurableNameParameter?) throws(RPCError) -> Target {
    switch (subscription, durable) {
    case (let number?, nil): return .subscription(number: number)
    case (nil, let durable?):
      try self.check(durable)
      return .durable(name: durable.name)
    case (nil, nil):
      throw .invalidParameter(path: "subscription", found: "missing", expected: "subscription or durable")
    case (.some, .some):
      throw .invalidParameter(path: "durable", found: "set beside subscription", expected: "one of them")
    }
  }

  // MARK: Regions

  static func region(_ object: RegionObject) throws(RPCError) -> Region {
    guard let region = object.region else {
      throw object.circle == nil
        ? .invalidParameter(path: "circle", found: "missing", expected: "circle or polygon")
        : .invalidParameter(path: "polygon", found: "set beside circle", expected: "one of them")
    }
    // The broker checks the region itself, once it is known that the client may have regions.
    return region
  }
}
