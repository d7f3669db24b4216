import Positioning
import Systemd

/// A prompt as a notification with buttons: the calls that show and close it, and what the buttons mean.
enum PromptNotification {
  static let service = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  static func method(_ member: String) -> BusMethod {
    BusMethod(self.service, self.path, self.service, member)
  }

  /// The rule for one of the service's signals.
  static func rule(_ member: String) -> String {
    BusSignals.rule(sender: self.service, path: self.path, interface: self.service, member: member)
  }

  /// Without buttons a notification is no prompt.
  static func hasButtons(_ capabilities: [BusValue]) -> Bool {
    guard case .strings(let names)? = capabilities.first else { return false }
    return names.contains("actions")
  }

  /// Services cut a longer one.
  static let summary = "A program asks for the position"

  static func arguments(_ prompt: PermissionPrompt) -> [BusValue] {
    let text = DesktopText(prompt)
    let body = [text.question, text.facts, text.ownWords].filter { !$0.isEmpty }.joined(separator: "\n")
    return [
      .string("positiond"),
      // Replaces none.
      .uint32(0), .string("find-location-symbolic"), .string(Self.summary), .string(body),
      .strings(Button.buttons(of: prompt).flatMap { [$0.key, $0.label] }),
      // Critical: it stays until the person decides.
      .properties(["urgency": .byte(2), "category": .string("device")]),
      .int32(0),
    ]
  }

  enum Button: Hashable, Sendable {
    case allow
    case allowWith(DesktopChoice)
    case deny

    static func buttons(of prompt: PermissionPrompt) -> [Button] {
      [.allow] + DesktopChoice.choices(of: prompt).map { .allowWith($0) } + [.deny]
    }

    var key: String {
      switch self {
      case .allow: "allow"
      case .allowWith(let choice): choice.rawValue
      case .deny: "deny"
      }
    }

    var label: String {
      switch self {
      case .allow: "Allow"
      case .allowWith(.reduced): "Allow to a few kilometres"
      case .allowWith(.once): "Allow this time"
      case .allowWith(.always): "Allow always, even when not connected"
      case .deny: "Deny"
      }
    }
  }

  /// The answer of a button; `nil`: the prompt has no such button.
  static func answer(_ key: String, to prompt: PermissionPrompt) -> PromptAnswer? {
    switch Button.buttons(of: prompt).first(where: { $0.key == key }) {
    case .allow: PromptAnswer(allowing: prompt, [])
    case .allowWith(let choice): PromptAnswer(allowing: prompt, [choice])
    case .deny: .deny()
    case nil: nil
    }
  }
}
