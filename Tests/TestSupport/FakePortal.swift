package import Systemd

/// A portal's backend with Access dialogs, and the person in front of them.
package final class FakePortal {
  package struct Dialog {
    package let handle: String
    package let title: String
    package let subtitle: String
    package let body: String
    package let options: [String: BusValue]
    fileprivate let call: BusMethodCall
  }

  /// The dialogs that are open, in the order in which they were opened.
  package private(set) var open: [Dialog] = []
  /// The types of the last call's arguments.
  package private(set) var signature: String?
  /// How many dialogs were closed by the caller.
  package private(set) var closed = 0
  private var connection: BusConnection?
  private var calls: BusMethodCalls?

  package init(on bus: PrivateBus, as name: String = "org.freedesktop.impl.portal.desktop.gtk") throws {
    let connection = try bus.connect(as: name)
    self.connection = connection
    self.calls = try BusMethodCalls(over: connection) { [unowned self] call in
      do { try self.called(call) } catch { preconditionFailure("the portal of a test: \(error)") }
    }
  }

  private func called(_ call: BusMethodCall) throws {
    switch (call.interface, call.member) {
    case ("org.freedesktop.impl.portal.Access", "AccessDialog"):
      let values = call.arguments ?? []
      self.signature = values.map(\.signature).joined()
      guard values.count == 7, case .objectPath(let handle) = values[0], case .properties(let options) = values[6]
      else {
        return try call.fail(BusError(.invalidArgs, "\(values)"))
      }
      self.open.append(
        Dialog(
          handle: handle, title: values[3].text ?? "", subtitle: values[4].text ?? "", body: values[5].text ?? "",
          options: options, call: call))
    case ("org.freedesktop.impl.portal.Request", "Close"):
      guard let place = self.open.firstIndex(where: { $0.handle == call.path }) else {
        return try call.fail(BusError(.unknownObject, "there is no dialog at \(call.path)"))
      }
      try self.open.remove(at: place).call.reply([.uint32(2), .properties([:])])
      self.closed += 1
      try call.reply([])
    default: try call.fail(BusError(.unknownMethod, "\(call.interface).\(call.member)"))
    }
  }

  /// The person answers the oldest dialog.
  package func respond(_ response: UInt32, _ results: [String: BusValue] = [:]) throws {
    try self.open.removeFirst().call.reply([.uint32(response), .properties(results)])
  }

  /// The backend refuses to show the oldest one.
  package func refuse() throws {
    try self.open.removeFirst().call.fail(BusError(.accessDenied, "not for you"))
  }

  /// Leaves the bus, as if it had died.
  package func die() {
    self.open = []
    self.calls = nil
    self.connection = nil
  }
}
