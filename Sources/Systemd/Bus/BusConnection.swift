import CSystemd
import EventLoop

/// A connection to a message bus, made, greeted and served by the loop without ever waiting for it.
///
/// It closes with its last reference, and what was not sent by then is not sent.
@safe final class BusConnection {
  let bus: OpaquePointer

  /// Begins the connection; the greeting goes on in the loop, and calls wait for it.
  ///
  /// - Throws: when nothing listens at the address, or the address cannot be read.
  init(to address: String, on loop: EventLoop) throws(SystemError) {
    var made: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_bus_new(&made), "sd_bus_new")
    guard let made = unsafe made else { preconditionFailure("sd_bus_new succeeded without a bus") }
    unsafe self.bus = unsafe made
    let call = "connect to \(address)"
    try SystemError.checkNegative(unsafe sd_bus_set_address(made, address), call)
    try SystemError.checkNegative(unsafe sd_bus_set_bus_client(made, 1), call)
    try SystemError.checkNegative(unsafe sd_bus_attach_event(made, loop.event, 0), call)
    try SystemError.checkNegative(unsafe sd_bus_start(made), call)
  }

  deinit {
    _ = unsafe sd_bus_close_unref(self.bus)
  }

  /// Whether it is not broken, as far as was seen.
  var isOpen: Bool { unsafe sd_bus_is_open(self.bus) > 0 }

  /// Whether the bus has greeted, so that calls go out.
  var isReady: Bool { unsafe sd_bus_is_ready(self.bus) > 0 }
}
