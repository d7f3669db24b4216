import CSystemd
package import EventLoop

/// Signals of the bus that match a rule. Releasing it ends them.
@safe package final class BusSignals {
  private let connection: BusConnection
  private let handler: ([BusValue]) -> Void
  private var slot: OpaquePointer?

  /// - Parameters:
  ///   - rule: In D-Bus's notation for matches.
  ///   - handler: Gets the values of each such signal whose types are known.
  package init(
    matching rule: String, over connection: BusConnection, handler: @escaping ([BusValue]) -> Void
  ) throws(SystemError) {
    self.connection = connection
    self.handler = handler
    try SystemError.checkNegative(
      unsafe sd_bus_add_match_async(
        connection.bus, &self.slot, rule,
        { message, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus match without its object") }
          if let values = BusValue.all(of: unsafe BusMessage(message)) {
            unsafe Unmanaged<BusSignals>.fromOpaque(context).takeUnretainedValue().handler(values)
          }
          return 0
        }, nil, Unmanaged.passUnretained(self).toOpaque()), "watch signals of the bus")
  }

  deinit {
    _ = unsafe sd_bus_slot_unref(self.slot)
  }

  /// The rule for the end of the connection itself, which sends nothing to the bus.
  package static let disconnection =
    "type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',"
    + "interface='org.freedesktop.DBus.Local',member='Disconnected'"

  /// The rule for the end of a program on the bus.
  package static func end(of name: String) -> String {
    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg0='\(name)',arg2=''"
  }
}

extension BusConnection {
  /// Sends a signal.
  ///
  /// - Parameter destination: The program that gets it; `nil`: everybody who asked for it.
  package func signal(
    path: String, interface: String, member: String, _ values: [BusValue], to destination: String? = nil
  ) throws(SystemError) {
    let call = "send \(member)"
    var made: OpaquePointer?
    try SystemError.checkNegative(
      unsafe sd_bus_message_new_signal(self.bus, &made, path, interface, member), call)
    let message = unsafe made
    defer { _ = unsafe sd_bus_message_unref(message) }
    if let destination {
      try SystemError.checkNegative(unsafe sd_bus_message_set_destination(message, destination), call)
    }
    for value in values { try value.append(to: unsafe BusMessage(message)) }
    try SystemError.checkNegative(unsafe sd_bus_send(self.bus, message, nil), call)
  }
}
