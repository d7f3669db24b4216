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
    self.expectation = kind.expectation
    self.readInto = { (subject: inout Subject, text: String) throws(SettingError) in
      subject[keyPath: path] = try kind.read(text)
    }
    self.write = { kind.write($0[keyPath: path]) }
    self.copyInto = { target, source in target[keyPath: path] = source[keyPath: path] }
  }

  /// `key` in `[section]`, as messages name it.
  package var name: String { "\(self.key) in [\(self.section)]" }

  /// The default as text; empty if there is none.
  package var defaultText: String { self.text(in: Subject.defaults) }

  /// The value as a file would have it.
  package func text(in subject: Subject) -> String { self.write(subject) }

  /// Sets the value from a file's text.
  package func read(_ text: String, into subject: inout Subject) throws(SettingError) {
    try self.readInto(&subject, text)
  }

  /// Copies the value from other settings.
  package func copy(from source: Subject, into target: inout Subject) {
    self.copyInto(&target, source)
  }
}

/// The settings of a program as a whole: the keys of its sections `[KIND]`, and its parts, sections `[KIND NAME]` of
/// which there may be any number.
package protocol ConfigurationRoot: Configurable {
  associatedtype Part: ConfigurationPart

  /// The keys in the order of the installed file and the documentation.
  static var table: [ConfigurationKey<Self>] { get }
  /// In the order in which the files first name them.
  var parts: [Part] { get set }
  /// What is wrong with keys that are right each by itself.
  var conflicts: [KeyConflict] { get }
}

/// Keys of sections `[KIND]` whose values do not go together.
package struct KeyConflict: Hashable, Sendable {
  /// One of the keys.
  package struct Key: Hashable, Sendable {
    package let section: String
    package let key: String

    package init(_ section: String, _ key: String) {
      self.section = section
      self.key = key
    }
  }

  /// The error is reported at the first of them that a file sets, where it is last set. If a line that sets one of them
  /// is wrong by itself, only that is reported.
  package let keys: [Key]
  /// The end of a sentence that begins with the key, its value and the section's title.
  package let message: String

  package init(_ keys: Key..., message: String) {
    self.keys = keys
    self.message = message
  }
}

/// A part of the settings that has a name: the section `[KIND NAME]`.
package protocol ConfigurationPart: Configurable {
  /// The kind of section.
  static var section: String { get }
  /// The keys in the order of the installed file and the documentation.
  static var table: [ConfigurationKey<Self>] { get }
  /// What is wrong with the name, as the end of a sentence that begins with the section's title; `nil`: nothing.
  ///
  /// - Parameter name: `nil` if there is none.
  static func error(ofName name: String?) -> String?

  var name: String { get }
  /// A part for which no file sets a key.
  init(name: String)
  /// What is wrong with the part as a whole; `nil`: nothing.
  var error: PartError? { get }
}

/// What is wrong with a part as a whole.
package struct PartError: Hashable, Sendable {
  /// The key that is at fault; `nil`: the part itself, where it is first named.
  package let key: String?
  /// The end of a sentence that begins with the key, its value and the section's title.
  package let message: String

  package init(key: String? = nil, _ message: String) {
    self.key = key
    self.message = message
  }
}

extension ConfigurationRoot {
  package var conflicts: [KeyConflict] { [] }

  /// Reads the main file and its drop-ins from the disk.
  ///
  /// - Parameters:
  ///   - path: The main file, which must exist; `nil`: the installed one, which may be missing.
  ///   - installed: The main file of an installed program.
  package static func load(path: String?, installed: String) -> Result<Self, ConfigurationErrors> {
    let found = ConfigurationFiles.read(path, installed: installed)
    return self.load(from: found.files, after: found.errors)
  }

  /// Evaluates the files. Of several values of a key the last counts, in the order of the files. All errors are
  /// reported, even in lines that a later file overrides.
  ///
  /// - Parameter errors: The errors of reading the files.
  package static func load(
    from files: [ConfigurationFile], after errors: [ConfigurationError] = []
  ) -> Result<Self, ConfigurationErrors> {
    var loading = ConfigurationLoading<Self>()
    for file in files { loading.apply(file) }
    if let errors = ConfigurationErrors(errors + loading.finish()) { return .failure(errors) }
    return .success(loading.settings)
  }
}
