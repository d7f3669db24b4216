/// One key of the configuration: where it stands, what it may be, what it means, and which of the settings it sets.
package struct Setting: Sendable {
  /// When a changed value counts.
  package enum Effect: Hashable, Sendable {
    case onReload
    case afterRestart
  }

  package let section: String
  package let key: String
  /// One line for people, without a full stop.
  package let meaning: String
  package let effect: Effect
  /// What a value may be; ends the sentence "expected ...".
  package let expectation: String

  private let readInto: @Sendable (inout Settings, String) throws(SettingRefusal) -> Void
  private let write: @Sendable (Settings) -> String
  private let copyInto: @Sendable (inout Settings, Settings) -> Void

  init<Value>(
    _ section: String, _ key: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ kind: SettingKind<Value>, _ meaning: String, effect: Effect = .onReload
  ) {
    self.section = section
    self.key = key
    self.meaning = meaning
    self.effect = effect
    expectation = kind.expectation
    readInto = { (settings: inout Settings, text: String) throws(SettingRefusal) in
      settings[keyPath: path] = try kind.read(text)
    }
    write = { kind.write($0[keyPath: path]) }
    copyInto = { target, source in target[keyPath: path] = source[keyPath: path] }
  }

  /// `key` in `[section]`, as messages name it.
  package var name: String { "\(key) in [\(section)]" }

  /// The value that holds where no file says otherwise; empty where that is unset.
  package var defaultText: String { text(in: Settings()) }

  /// The value as a file would have it.
  package func text(in settings: Settings) -> String { write(settings) }

  /// Sets the value from a file's text.
  func read(_ text: String, into settings: inout Settings) throws(SettingRefusal) {
    try readInto(&settings, text)
  }

  /// Takes over the value of other settings.
  func copy(from source: Settings, into target: inout Settings) {
    copyInto(&target, source)
  }
}
