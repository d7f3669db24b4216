import Positioning
import Systemd

/// The Access dialog of a portal's backend: the call that shows it, and what its answer means.
struct AccessDialog: Hashable, Sendable {
  /// The backend's name on the bus.
  let service: String
  /// The path at which the backend offers to close the dialog.
  let handle: String

  static let path = "/org/freedesktop/portal/desktop"
  static let interface = "org.freedesktop.impl.portal.Access"
  static let requestInterface = "org.freedesktop.impl.portal.Request"

  var opening: BusMethod { BusMethod(self.service, Self.path, Self.interface, "AccessDialog") }

  /// Started like the opening, so that one follows the other if the backend has yet to start.
  var closing: BusMethod { BusMethod(self.service, self.handle, Self.requestInterface, "Close") }

  func arguments(_ prompt: PermissionPrompt) -> [BusValue] {
    let text = DesktopText(prompt)
    let choices = DesktopChoice.choices(of: prompt).map { choice in
      // A choice without options is a box to tick: GNOME shows no others.
      BusValue.structure([
        .string(choice.rawValue), .string(choice.label), .array(of: "(ss)", []), .string("false"),
      ])
    }
    return [
      .objectPath(self.handle),
      // No application of the desktop's, and no window of one.
      .string(""), .string(""),
      .string(text.question), .string(text.facts), .string(text.ownWords),
      .properties([
        "grant_label": .string("Allow"), "deny_label": .string("Deny"), "icon": .string("find-location-symbolic"),
        "choices": .array(of: "(ssa(ss)s)", choices),
      ]),
    ]
  }

  enum Outcome: Hashable, Sendable {
    case answered(PromptAnswer)
    /// Closed without a decision.
    case dismissed
    /// No answer of a portal.
    case nonsense
  }

  static func outcome(_ values: [BusValue], to prompt: PermissionPrompt) -> Outcome {
    guard values.count == 2, case .uint32(let response) = values[0], case .properties(let results) = values[1] else {
      return .nonsense
    }
    switch response {
    case 0: return .answered(PromptAnswer(allowing: prompt, self.chosen(results)))
    case 1: return .answered(.deny())
    default: return .dismissed
    }
  }

  /// The ticked choices. The interface has them as pairs in `choices`; xdg-desktop-portal-gtk sends a dictionary there, and
  /// GNOME sends them beside it.
  private static func chosen(_ results: [String: BusValue]) -> Set<DesktopChoice> {
    var values = results
    switch results["choices"] {
    case .properties(let inner): values.merge(inner) { $1 }
    case .array(_, let pairs):
      for case .structure(let pair) in pairs where pair.count == 2 {
        if let name = pair[0].text { values[name] = pair[1] }
      }
    default: break
    }
    return Set(DesktopChoice.allCases.filter { values[$0.rawValue] == .string("true") })
  }
}

extension DesktopChoice {
  /// Beside the box.
  fileprivate var label: String {
    switch self {
    case .reduced: "Only to a few kilometres, every ten minutes"
    case .once: "Only this time"
    case .always: "Also for events while no program is connected"
    }
  }
}
