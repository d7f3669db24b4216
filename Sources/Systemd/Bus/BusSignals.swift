import CSystemd
package import EventLoop

/// A signal that a program on the bus has sent.
package struct BusSignal: Hashable, Sendable {
  package let values: [BusValue]
  /// The sender's own name on the bus, which no other program can have.
  package let sender: String?

  package init(values: [BusValue], sender: String?) {
    self.values = values
    self.sender = sender
  }
}

/// Signals of the bus that match a rule. Releasing it ends them.
@safe package final class BusSignals {
  private let connection: BusConnection
  private let handler: (BusSignal) -> Void
  private var slot: OpaquePointer?

  /// - Parameters:
  ///   - rule: In D-Bus's notation for matches.
  ///   - handler: Gets each such signal whose values are of known types. A program can send a signal straight to this one
  ///     although it does not match the rule's sender: compare it where that matters.
  package init(
    matching rule: String, over connection: BusConnection, handler: @escaping (BusSignal) -> Void
  ) throws(SystemError) {
    self.connection = connection
    self.handler = handler
    try SystemError.checkNegative(
      unsafe sd_bus_add_match_async(
        connection.bus, &self.slot, rule,
        { message, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus match without its object") }
          if let values = BusValue.all(of: unsafe BusMessage(message)) {
            let sender = unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
            unsafe Unmanaged<BusSignals>.fromOpaque(context).takeUnretainedValue()
              .handler(BusSignal(values: values, sender: sender))
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

  /// The rule for a signal of a program with a well-known name.
  package static func rule(sender: String, path: String, interface: String, member: String) -> String {
    "type='signal',sender='\(sender)',path='\(path)',interface='\(interface)',member='\(member)'"
  }

  /// The rule for each change of the owner of a well-known name: the name, the old and the new owner.
  package static func ownerChange(of name: String) -> String {
    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg0='\(name)'"
  }

  /// The rule for the ends of programs on the bus: the first value is the name of one.
  package static let ends =
    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
    + "member='NameOwnerChanged',arg2=''"
}

extension BusConnection {
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
