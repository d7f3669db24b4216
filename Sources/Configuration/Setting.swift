/// What has keys in the configuration: the settings as a whole, or one rule among several.
package protocol Configurable: Sendable {
  /// What holds where no file says otherwise.
  static var defaults: Self { get }
}

/// When a changed value counts.
package enum SettingEffect: Hashable, Sendable {
  case onReload
  case afterRestart
}

/// A key that stands once.
package typealias Setting = ConfigurationKey<Settings>

/// One key of the configuration: where it stands, what it may be, what it means, and which of the values it sets.
package struct ConfigurationKey<Subject: Configurable>: Sendable {
  /// As it stands between the brackets; of a rule only the kind.
  package let section: String
  package let key: String
  /// One line for people, without a full stop.
  package let meaning: String
  package let effect: SettingEffect
  /// What a value may be; ends the sentence "expected ...".
  package let expectation: String

  private let readInto: @Sendable (inout Subject, String) throws(SettingRefusal) -> Void
  private let write: @Sendable (Subject) -> String
  private let copyInto: @Sendable (inout Subject, Subject) -> Void

  init<Value>(
    _ section: String, _ key: String, _ path: any WritableKeyPath<Subject, Value> & Sendable,
    _ kind: SettingKind<Value>, _ meaning: String, effect: SettingEffect = .onReload
  ) {
    self.section = section
    self.key = key
    self.meaning = meaning
    self.effect = effect
    expectation = kind.expectation
    readInto = { (subject: inout Subject, text: String) throws(SettingRefusal) in
      subject[keyPath: path] = try kind.read(text)
    }
    write = { kind.write($0[keyPath: path]) }
    copyInto = { target, source in target[keyPath: path] = source[keyPath: path] }
  }

  /// `key` in `[section]`, as messages name it.
  package var name: String { "\(key) in [\(section)]" }

  /// The value that holds where no file says otherwise; empty where that is unset.
  package var defaultText: String { text(in: Subject.defaults) }

  /// The value as a file would have it.
  package func text(in subject: Subject) -> String { write(subject) }

  /// Sets the value from a file's text.
  func read(_ text: String, into subject: inout Subject) throws(SettingRefusal) {
    try readInto(&subject, text)
  }

  /// Takes over the value of another.
  func copy(from source: Subject, into target: inout Subject) {
    copyInto(&target, source)
  }
}
