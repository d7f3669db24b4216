import CSystemd
package import EventLoop

/// An error of D-Bus.
package struct BusError: Error, Hashable, Sendable {
  /// Such as `org.freedesktop.DBus.Error.AccessDenied`.
  package let name: String
  /// For people.
  package let message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// One of the bus's own errors, such as `AccessDenied`.
  package init(_ standard: Standard, _ message: String) {
    self.init(name: "org.freedesktop.DBus.Error.\(standard.rawValue)", message: message)
  }

  /// The last part of the names of D-Bus's own errors.
  package enum Standard: String, Sendable {
    case accessDenied = "AccessDenied"
    case failed = "Failed"
    case invalidArgs = "InvalidArgs"
    case limitsExceeded = "LimitsExceeded"
    case notSupported = "NotSupported"
    case propertyReadOnly = "PropertyReadOnly"
    case unknownInterface = "UnknownInterface"
    case unknownMethod = "UnknownMethod"
    case unknownObject = "UnknownObject"
    case unknownProperty = "UnknownProperty"
  }
}

/// A call of a program on the bus, which is answered once, now or later.
@safe package final class BusMethodCall {
  package let sender: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [BusValue]?
  private let message: OpaquePointer

  fileprivate init?(_ message: OpaquePointer?) {
    guard let message = unsafe message, let sender = unsafe sd_bus_message_get_sender(message),
      let path = unsafe sd_bus_message_get_path(message), let member = unsafe sd_bus_message_get_member(message)
    else { return nil }
    unsafe self.message = unsafe sd_bus_message_ref(message)
    self.sender = unsafe String(cString: sender)
    self.path = unsafe String(cString: path)
    self.interface = unsafe sd_bus_message_get_interface(message).map { unsafe String(cString: $0) } ?? ""
    self.member = unsafe String(cString: member)
    self.arguments = BusValue.all(of: unsafe BusMessage(message))
  }

  deinit {
    _ = unsafe sd_bus_message_unref(self.message)
  }

  package func reply(_ values: [BusValue]) throws(SystemError) {
    guard unsafe sd_bus_message_get_expect_reply(self.message) > 0 else { return }
    var made: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_bus_message_new_method_return(self.message, &made), "answer a call")
    let answer = unsafe made
    defer { _ = unsafe sd_bus_message_unref(answer) }
    for value in values { try value.append(to: unsafe BusMessage(answer)) }
    try SystemError.checkNegative(unsafe sd_bus_send(nil, answer, nil), "answer a call")
  }

  package func fail(_ error: BusError) throws(SystemError) {
    let code = unsafe error.name.withCString { name in
      unsafe error.message.withCString { message in
        var error = unsafe sd_bus_error(name: name, message: message, _need_free: 0)
        return unsafe sd_bus_reply_method_error(self.message, &error)
      }
    }
    try SystemError.checkNegative(code, "answer a call")
  }
}

/// The calls of other programs on the bus. Releasing it leaves them to the library, which refuses them.
///
/// A filter sees them before the library looks for their objects: it looks for one at each beginning of the path, so that
/// a path of thousands of steps takes it minutes.
@safe package final class BusMethodCalls {
  private let connection: BusConnection
  private let handler: (BusMethodCall) -> Void
  private var slot: OpaquePointer?

  /// - Parameter handler: Gets the calls of all paths, and answers each of them once.
  package init(over connection: BusConnection, handler: @escaping (BusMethodCall) -> Void) throws(SystemError) {
    self.connection = connection
    self.handler = handler
    try SystemError.checkNegative(
      unsafe sd_bus_add_filter(
        connection.bus, &self.slot,
        { message, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus filter without its object") }
          // The library itself answers pings.
          guard unsafe sd_bus_message_is_method_call(message, nil, nil) > 0,
            unsafe sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Peer", nil) == 0,
            let call = unsafe BusMethodCall(message)
          else { return 0 }
          unsafe Unmanaged<BusMethodCalls>.fromOpaque(context).takeUnretainedValue().handler(call)
          return 1
        }, Unmanaged.passUnretained(self).toOpaque()), "take calls")
  }

  deinit {
    _ = unsafe sd_bus_slot_unref(self.slot)
  }
}
