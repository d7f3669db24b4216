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

/// What the server may still send a client, whatever is under way to it.
package struct SensitivityLimit: Hashable, Sendable {
  /// The finest that may be sent; `nil`: no position at all.
  package var precision: Precision?
  /// What a reply becomes that may not be sent any more.
  package var denial: CallFailure

  package init(precision: Precision?, denial: CallFailure) {
    self.precision = precision
    self.denial = denial
  }
}

/// How much a message reveals of where the device is.
package enum Sensitivity: Int, Hashable, Sendable {
  case open
  /// The reduced position, or what was judged by it.
  case reduced
  case precise
}
