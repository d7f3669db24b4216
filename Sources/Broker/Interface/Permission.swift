package import Positioning

/// The number of a question to a person; never reused while the daemon lives.
package struct PromptID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  package static func < (left: PromptID, right: PromptID) -> Bool { left.value < right.value }
}

/// A question to a person, and its number.
package struct Prompt: Hashable, Sendable {
  package var id: PromptID
  package var question: PermissionPrompt
}

/// What the server may still send a client, including messages that already wait.
package struct SensitivityLimit: Hashable, Sendable {
  /// The finest precision that may be sent; `nil`: no position at all.
  package var precision: Precision?
  /// The failure that replaces a reply that may not be sent any more.
  package var denial: CallFailure

  package init(precision: Precision?, denial: CallFailure) {
    self.precision = precision
    self.denial = denial
  }
}

/// How much a message reveals of the position.
package enum Sensitivity: Int, Hashable, Sendable {
  case open
  /// The reduced position, or results that were judged by it.
  case reduced
  case precise

  /// Of what only clients with this precision may know.
  package init(_ precision: Precision) {
    switch precision {
    case .precise: self = .precise
    case .reduced: self = .reduced
    }
  }
}
