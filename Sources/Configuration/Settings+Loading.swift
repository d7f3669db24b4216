import Broker

extension Settings {
  /// Reads the main file and its drop-ins from the disk.
  ///
  /// - Parameter path: The main file. `nil`: the installed one, which may be missing; a given one must exist.
  package static func load(path: String?) -> Result<Settings, ConfigurationErrors> {
    let found = ConfigurationFiles.read(path)
    return load(from: found.files, after: found.errors)
  }

  /// Evaluates the files. Of several values of a key the last counts, in the order of the files. All errors are
  /// reported, even in lines that a later file overrides.
  ///
  /// - Parameter errors: The errors of reading the files.
  package static func load(
    from files: [ConfigurationFile], after errors: [ConfigurationError] = []
  ) -> Result<Settings, ConfigurationErrors> {
    var loading = SettingsLoading()
    for file in files { loading.apply(file) }
    if let errors = ConfigurationErrors(errors + loading.finish()) { return .failure(errors) }
    return .success(loading.settings)
  }
}

/// The settings while the files are read.
private struct SettingsLoading {
  private static let sections = [String: [Setting]](grouping: Settings.table, by: \.section)

  private(set) var settings = Settings()
  /// The errors of each file.
  private var errors: [[ConfigurationError]] = []
  /// Where each rule first occurs: the index of the file, and the error for this place.
  private var ruleOpenings: [String: (file: Int, error: ConfigurationError)] = [:]
  /// Where each rule last sets `agent=`: the index of the file, and the error if the rule has no user.
  private var agentEntries: [String: (file: Int, error: ConfigurationError)] = [:]
  /// Rules with errors, which are not checked as a whole.
  private var faultyRules: Set<String> = []

  /// Applies the contents of one file.
  mutating func apply(_ file: ConfigurationFile) {
    let reader = ConfigurationReader(file)
    var found = reader.errors
    for section in reader.sections {
      if let message = self.open(section.title) {
        found.append(ConfigurationError(file: file.path, line: section.line, message: message))
      } else if let name = section.title.name, self.ruleOpenings[name] == nil {
        let message = "[\(section.title)] names nobody; add user=NAME, group=NAME or unit=NAME.service"
        self.ruleOpenings[name] = (
          self.errors.count, ConfigurationError(file: file.path, line: section.line, message: message)
        )
      }
    }
    for entry in reader.entries {
      if let message = self.apply(entry) {
        found.append(ConfigurationError(file: file.path, line: entry.line, message: message))
      } else if let rule = entry.section.name, entry.key == "agent" {
        let message =
          "agent=\(entry.value) in [\(entry.section)] lets answer for every user, and no user is named: add user=NAME,"
          + " or write agent=yes"
        self.agentEntries[rule] = (
          self.errors.count, ConfigurationError(file: file.path, line: entry.line, message: message)
        )
      }
    }
    self.errors.append(found)
  }

  /// The errors, in the order of the files and of the lines within each.
  mutating func finish() -> [ConfigurationError] {
    for rule in self.settings.rules where !self.faultyRules.contains(rule.name) {
      // Only a user whom the administrator names may answer for everybody, not a group that others can extend.
      let fault =
        !rule.hasSelector
        ? self.ruleOpenings[rule.name] : rule.agent == .all && rule.user == nil ? self.agentEntries[rule.name] : nil
      if let fault { self.errors[fault.file].append(fault.error) }
    }
    return self.errors.flatMap { $0.sorted { ($0.line ?? 0) < ($1.line ?? 0) } }
  }

  /// Prepares the section's contents; returns its error, if any.
  private mutating func open(_ title: SectionTitle) -> String? {
    if title.kind == AccessRule.section {
      guard let name = title.name, AccessRule.isName(name) else {
        return "[\("\(title)".quotable)] has no name that a rule can have: expected \(AccessRule.nameExpectation)"
      }
      guard name != AccessPolicy.fallbackRule else {
        return "[\(title)] is the name that clients see where default= in [authorization] decides; choose another name"
      }
      if !self.settings.rules.contains(where: { $0.name == name }) {
        self.settings.rules.append(AccessRule(name: name))
      }
      return nil
    }
    guard title.name != nil || Self.sections[title.kind] == nil else { return nil }
    let known = (Settings.table.map(\.section).withoutRepeats + ["\(AccessRule.section) NAME"]).map { "[\($0)]" }
    return "[\("\(title)".quotable)] is not supported by this version; remove it, or use one of"
      + " \(known.joined(separator: ", "))"
  }

  /// Returns the error of the entry, if any.
  private mutating func apply(_ entry: ConfigurationReader.Entry) -> String? {
    guard let name = entry.section.name else {
      // An unknown section is one error; its keys would only repeat it.
      return Self.sections[entry.section.kind].flatMap { Self.apply(entry, of: $0, to: &self.settings) }
    }
    guard entry.section.kind == AccessRule.section,
      let place = self.settings.rules.firstIndex(where: { $0.name == name })
    else { return nil }
    let message = Self.apply(entry, of: AccessRule.table, to: &self.settings.rules[place])
    if message != nil { self.faultyRules.insert(name) }
    return message
  }

  private static func apply<Subject>(
    _ entry: ConfigurationReader.Entry, of section: [ConfigurationKey<Subject>], to subject: inout Subject
  ) -> String? {
    guard let setting = section.first(where: { $0.key == entry.key }) else {
      let known = section.map(\.key).joined(separator: ", ")
      return "\(entry.key.quotable) in [\(entry.section)] is not supported by this version; remove it, or use one of"
        + " \(known)"
    }
    do throws(SettingError) {
      try setting.read(entry.value, into: &subject)
      return nil
    } catch {
      let comment = entry.value.utf8.contains(UInt8(ascii: "#")) ? "; a comment needs a line of its own" : ""
      return "\(entry.key)=\(entry.value.quotable) in [\(entry.section)] \(error.reason): expected"
        + " \(setting.expectation); the default is \(setting.key)=\(setting.defaultText)\(comment)"
    }
  }
}

extension [String] {
  /// Each once, at its first place.
  fileprivate var withoutRepeats: [String] {
    reduce(into: []) { kept, name in
      if !kept.contains(name) { kept.append(name) }
    }
  }
}
