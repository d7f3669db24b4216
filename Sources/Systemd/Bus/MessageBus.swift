package import EventLoop

/// A message bus, as a program that offers objects on it uses it: a ``BusConnection``, or one in memory.
package protocol MessageBus: AnyObject {
  /// Calls a method. The handler is called once, later, from the loop.
  ///
  /// - Parameter time: The longest time until the reply; `nil`: without a limit.
  /// - Returns: What cancels the call when it is released.
  func call(
    _ method: BusMethod, _ arguments: [BusValue], within time: Duration?, handler: @escaping (BusReply) -> Void
  ) throws(SystemError) -> any BusSlot

  /// - Parameter handler: Gets the calls of all paths, and answers each of them once.
  /// - Returns: What refuses further calls when it is released.
  func takeCalls(_ handler: @escaping (any IncomingCall) -> Void) throws(SystemError) -> any BusSlot

  /// - Returns: What ends the signals when it is released.
  func watch(_ rule: String, handler: @escaping (BusSignal) -> Void) throws(SystemError) -> any BusSlot

  /// Sends a signal.
  ///
  /// - Parameter destination: The program that gets it; `nil`: everybody who asked for it.
  func signal(
    path: String, interface: String, member: String, _ values: [BusValue], to destination: String?
  ) throws(SystemError)
}

/// What lasts until it is released.
package protocol BusSlot: AnyObject {}

/// A call of a program on the bus, which is answered once, now or later.
package protocol IncomingCall: AnyObject {
  /// The caller's own name on the bus, such as `:1.7`, which no other program can have.
  var sender: String { get }
  var path: String { get }
  /// Empty: the caller did not say.
  var interface: String { get }
  var member: String { get }
  /// `nil`: some have types that are not read (`BusValue`).
  var arguments: [BusValue]? { get }

  /// - Throws: If the answer cannot be written, such as after the connection was lost.
  func reply(_ values: [BusValue]) throws(SystemError)
  func fail(_ error: BusError) throws(SystemError)
}

extension BusCall: BusSlot {}
extension BusMethodCalls: BusSlot {}
extension BusSignals: BusSlot {}
extension BusMethodCall: IncomingCall {}

extension BusConnection: MessageBus {
  package func call(
    _ method: BusMethod, _ arguments: [BusValue], within time: Duration?, handler: @escaping (BusReply) -> Void
  ) throws(SystemError) -> any BusSlot {
    try BusCall(method, arguments, over: self, within: time, handler: handler)
  }

  package func takeCalls(_ handler: @escaping (any IncomingCall) -> Void) throws(SystemError) -> any BusSlot {
    try BusMethodCalls(over: self, handler: handler)
  }

  package func watch(_ rule: String, handler: @escaping (BusSignal) -> Void) throws(SystemError) -> any BusSlot {
    try BusSignals(matching: rule, over: self, handler: handler)
  }
}
