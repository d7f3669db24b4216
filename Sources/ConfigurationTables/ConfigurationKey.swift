/// A type with keys in a configuration: the settings as a whole, or a part of them with a name, such as a rule.
package protocol Configurable: Sendable {
  /// The values for keys that no file sets.
  static var defaults: Self { get }
}

/// When a changed value takes effect.
package enum SettingEffect: Hashable, Sendable {
  case onReload
  case afterRestart
}

/// One key of the configuration: its place, its kind of value, its meaning, and the property that it sets.
package struct ConfigurationKey<Subject: Configurable>: Sendable {
  /// The section's title; of a rule only the kind.
  package let section: String
  package let key: String
  /// One line for people, without a full stop.
  package let meaning: String
  package let effect: SettingEffect
  /// The accepted values, as the end of a sentence that begins with "expected".
  package let expectation: String

  private let readInto: @Sendable (inout Subject, String) throws(SettingError) -> Void
  private let write: @Sendable (Subject) -> String
  private let copyInto: @Sendable (inout Subject, Subject) -> Void

  package init<Value>(
    _ section: String, _ key: String, _ path: any WritableKeyPath<Subject, Value> & Sendable,
    _ kind: SettingKind<Value>, _ meaning: String, effect: SettingEffect = .onReload
  ) {
    self.section = section
    self.key = key
    self.meaning = meaning
    self.effect = effect
    expectation = kind.expectation
    readInto = { (subject: inout Subject, text: String) throws(SettingError) in
      subject[keyPath: path] = try kind.read(text)
    }
    write = { kind.write($0[keyPath: path]) }
    copyInto = { target, source in target[keyPath: path] = source[keyPath: path] }
  }

  /// `key` in `[section]`, as messages name it.
  package var name: String { "\(key) in [\(section)]" }

  /// The default as text; empty if there is none.
  package var defaultText: String { text(in: Subject.defaults) }

  /// The value as a file would have it.
  package func text(in subject: Subject) -> String { write(subject) }

  /// Sets the value from a file's text.
  package func read(_ text: String, into subject: inout Subject) throws(SettingError) {
    try readInto(&subject, text)
  }

  /// Copies the value from other settings.
  package func copy(from source: Subject, into target: inout Subject) {
    copyInto(&target, source)
  }
}
