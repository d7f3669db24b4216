import Positioning

extension PromptAnswer {
  /// Grants all that is requested, or nothing.
  init(_ isAllowed: Bool, to prompt: PermissionPrompt) {
    self = isAllowed ? .allow(level: prompt.level, precision: prompt.precision) : .deny()
  }

  /// Why a line is not an answer, for people.
  struct Unclear: Error, Hashable {
    let reason: String
  }

  private enum Word: String, CaseIterable {
    case yes, no, once, always, reduced
  }

  /// Reads a typed line: words or their first letters, separated by spaces or commas.
  ///
  /// Yes holds while the program is connected, even if it requested always.
  init(reading line: String, to prompt: PermissionPrompt) throws(Unclear) {
    let typed = line.split { $0 == " " || $0 == "," || $0 == "\t" }.map { $0.lowercased() }
    var words: Set<Word> = []
    for text in typed {
      guard let word = Word.allCases.first(where: { $0.rawValue == text || String($0.rawValue.prefix(1)) == text })
      else { throw Unclear(reason: "\"\(text)\" is not an answer") }
      words.insert(word)
    }
    guard !words.isEmpty else { throw Unclear(reason: "an answer is needed") }
    if words.contains(.no), !words.isSubset(of: [.no, .once]) {
      throw Unclear(reason: "no goes with once only")
    }
    if words.contains(.always), prompt.level != .always {
      throw Unclear(reason: "always was not requested")
    }
    self.init(!words.contains(.no), to: prompt)
    if self.isAllowed {
      self.level = words.contains(.always) ? .always : .whenInUse
      if words.contains(.reduced) { self.precision = .reduced }
    }
    self.isRemembered = !words.contains(.once)
  }
}
