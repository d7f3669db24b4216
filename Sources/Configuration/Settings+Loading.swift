import Broker

extension Settings {
  /// Reads the main file and its drop-ins from the disk.
  ///
  /// - Parameter path: the main file. `nil` is the installed one, which may be missing; one that is named must be there.
  package static func load(path: String?) -> Result<Settings, ConfigurationErrors> {
    let found = ConfigurationFiles.read(path)
    return load(from: found.files, after: found.errors)
  }

  /// Judges what the files say. A key's last word counts, in the order of the files; every error is told, those in lines
  /// that a later file overrides too.
  ///
  /// - Parameter errors: what went wrong before, in reading the files.
  package static func load(
    from files: [ConfigurationFile], after errors: [ConfigurationError] = []
  ) -> Result<Settings, ConfigurationErrors> {
    var loading = SettingsLoading()
    for file in files { loading.apply(file) }
    if let errors = ConfigurationErrors(errors + loading.finish()) { return .failure(errors) }
    return .success(loading.settings)
  }
}

/// Settings on their way out of the files.
private struct SettingsLoading {
  private static let sections = [String: [Setting]](grouping: Settings.table, by: \.section)

  private(set) var settings = Settings()
  /// For each file what is wrong with it.
  private var errors: [[ConfigurationError]] = []
  /// Where each rule first stood: the file's place among the files, and the error that it would be.
  private var ruleOpenings: [String: (file: Int, error: ConfigurationError)] = [:]
  /// Where each rule last said `agent=`: the file's place, and the error that it would be without a user.
  private var agentEntries: [String: (file: Int, error: ConfigurationError)] = [:]
  /// Rules that an error has been told of, and that are not judged as a whole.
  private var faultyRules: Set<String> = []

  /// Takes over what one file says.
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

  /// What is wrong, in the order of the files, and of the lines within each.
  mutating func finish() -> [ConfigurationError] {
    for rule in self.settings.rules where !self.faultyRules.contains(rule.name) {
      // Who may answer for everybody is a user whom the administrator means, and no group that others can grow.
      let fault =
        !rule.hasSelector
        ? self.ruleOpenings[rule.name] : rule.agent == .all && rule.user == nil ? self.agentEntries[rule.name] : nil
      if let fault { self.errors[fault.file].append(fault.error) }
    }
    return self.errors.flatMap { $0.sorted { ($0.line ?? 0) < ($1.line ?? 0) } }
  }

  /// Makes room for what the section will hold; returns what is wrong with it, if anything.
  private mutating func open(_ title: SectionTitle) -> String? {
    if title.kind == AccessRule.section {
      guard let name = title.name, AccessRule.isName(name) else {
        return "[\("\(title)".quotable)] has no name that a rule can have: expected \(AccessRule.nameExpectation)"
      }
      guard name != AccessPolicy.fallbackRule else {
        return "[\(title)] is what clients are told where default= in [authorization] decides; call the rule otherwise"
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

  /// Returns what is wrong with the entry, if anything.
  private mutating func apply(_ entry: ConfigurationReader.Entry) -> String? {
    guard let name = entry.section.name else {
      // A section that is not known has been told; its keys would only repeat it.
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
    do throws(SettingRefusal) {
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
  /// Each once, where it first stood.
  fileprivate var withoutRepeats: [String] {
    reduce(into: []) { kept, name in
      if !kept.contains(name) { kept.append(name) }
    }
  }
}
