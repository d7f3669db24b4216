import Positioning

/// What a person can choose beside yes and no. The words are those of `positionctl agent`.
enum DesktopChoice: String, Hashable, Sendable, CaseIterable {
  case reduced, once, always

  /// The choices that a prompt leaves.
  static func choices(of prompt: PermissionPrompt) -> [DesktopChoice] {
    self.allCases.filter { choice in
      switch choice {
      case .reduced: prompt.precision == .precise
      case .once: true
      case .always: prompt.level == .always
      }
    }
  }
}

extension PromptAnswer {
  /// Yes, with what was chosen of that which the prompt leaves.
  ///
  /// Without a choice it holds while a program is connected, even if more was requested.
  init(allowing prompt: PermissionPrompt, _ chosen: Set<DesktopChoice>) {
    let chosen = chosen.intersection(DesktopChoice.choices(of: prompt))
    self = .allow(
      level: chosen.contains(.always) ? .always : .whenInUse,
      precision: chosen.contains(.reduced) ? .reduced : prompt.precision, remember: !chosen.contains(.once))
  }
}
