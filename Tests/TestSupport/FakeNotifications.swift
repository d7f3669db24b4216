package import Systemd

/// A notification service, and the person in front of it.
package final class FakeNotifications {
  package struct Notification {
    package let id: UInt32
    package let summary: String
    package let body: String
    /// The labels of the buttons by their keys.
    package let buttons: [String: String]
    package let hints: [String: BusValue]
    package let timeout: BusValue
    /// Who has sent it.
    package let sender: String
  }

  package static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  /// The notifications that are shown.
  package private(set) var shown: [Notification] = []
  /// The types of the last call's arguments.
  package private(set) var signature: String?
  /// Whether it keeps calls of Notify, and shows nothing yet.
  package var delays = false
  private var delayed: [BusMethodCall] = []
  private let capabilities: [String]
  private var connection: BusConnection?
  private var calls: BusMethodCalls?
  private var lastID: UInt32 = 40

  package init(on bus: PrivateBus, capabilities: [String] = ["actions", "body", "body-markup"]) throws {
    self.capabilities = capabilities
    let connection = try bus.connect(as: Self.name)
    self.connection = connection
    self.calls = try BusMethodCalls(over: connection) { [unowned self] call in
      do { try self.called(call) } catch { preconditionFailure("the notifications of a test: \(error)") }
    }
  }

  private func called(_ call: BusMethodCall) throws {
    switch call.member {
    case "GetCapabilities": try call.reply([.strings(self.capabilities)])
    case "Notify":
      if self.delays { self.delayed.append(call) } else { try self.show(call) }
    case "CloseNotification":
      try call.reply([])
      if case .uint32(let id)? = call.arguments?.first, self.shown.contains(where: { $0.id == id }) {
        try self.close(id, reason: 3)
      }
    default: try call.fail(BusError(.unknownMethod, call.member))
    }
  }

  private func show(_ call: BusMethodCall) throws {
    let values = call.arguments ?? []
    self.signature = values.map(\.signature).joined()
    guard values.count == 8, case .strings(let actions) = values[5], case .properties(let hints) = values[6] else {
      return try call.fail(BusError(.invalidArgs, "\(values)"))
    }
    self.lastID += 1
    var buttons: [String: String] = [:]
    for place in stride(from: 0, to: actions.count - 1, by: 2) { buttons[actions[place]] = actions[place + 1] }
    self.shown.append(
      Notification(
        id: self.lastID, summary: values[3].text ?? "", body: values[4].text ?? "", buttons: buttons, hints: hints,
        timeout: values[7], sender: call.sender))
    try call.reply([.uint32(self.lastID)])
  }

  /// How many calls of Notify are kept.
  package var kept: Int { self.delayed.count }

  /// Shows what was kept.
  package func showDelayed() throws {
    let calls = self.delayed
    self.delayed = []
    for call in calls { try self.show(call) }
  }

  /// The person presses a button of the oldest notification, which is closed then.
  package func press(_ key: String) throws {
    guard let first = self.shown.first else { preconditionFailure("there is no notification") }
    try self.signal("ActionInvoked", [.uint32(first.id), .string(key)])
    try self.close(first.id, reason: 2)
  }

  /// The person closes the oldest notification.
  package func dismiss() throws {
    guard let first = self.shown.first else { preconditionFailure("there is no notification") }
    try self.close(first.id, reason: 2)
  }

  private func close(_ id: UInt32, reason: UInt32) throws {
    self.shown.removeAll { $0.id == id }
    try self.signal("NotificationClosed", [.uint32(id), .uint32(reason)])
  }

  private func signal(_ member: String, _ values: [BusValue]) throws {
    try self.connection?.signal(path: Self.path, interface: Self.name, member: member, values)
  }

  /// Leaves the bus, as if it had died.
  package func die() {
    self.shown = []
    self.delayed = []
    self.calls = nil
    self.connection = nil
  }
}
