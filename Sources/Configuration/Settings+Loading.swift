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
    var settings = Settings()
    var errors = errors
    for file in files {
      errors += settings.apply(file)
    }
    if let errors = ConfigurationErrors(errors) { return .failure(errors) }
    return .success(settings)
  }

  /// Takes over what one file says, and returns what is wrong with it, in the order of its lines.
  private mutating func apply(_ file: ConfigurationFile) -> [ConfigurationError] {
    let reader = ConfigurationReader(file)
    var errors = reader.errors
    for section in reader.sections where Self.sections[section.name] == nil {
      let known = Self.table.map(\.section).withoutRepeats.map { "[\($0)]" }.joined(separator: ", ")
      let message = "[\(section.name.printable)] is not supported by this version; remove it, or use one of \(known)"
      errors.append(ConfigurationError(file: file.path, line: section.line, message: message))
    }
    for entry in reader.entries {
      // A section that is not known has been told; its keys would only repeat it.
      guard let section = Self.sections[entry.section] else { continue }
      if let message = apply(entry, of: section) {
        errors.append(ConfigurationError(file: file.path, line: entry.line, message: message))
      }
    }
    return errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Returns what is wrong with the entry, if anything.
  private mutating func apply(_ entry: ConfigurationReader.Entry, of section: [Setting]) -> String? {
    guard let setting = section.first(where: { $0.key == entry.key }) else {
      let known = section.map(\.key).joined(separator: ", ")
      return "\(entry.key.printable) in [\(entry.section)] is not supported by this version; remove it, or use one of"
        + " \(known)"
    }
    do throws(SettingRefusal) {
      try setting.read(entry.value, into: &self)
      return nil
    } catch {
      let comment = entry.value.utf8.contains(UInt8(ascii: "#")) ? "; a comment needs a line of its own" : ""
      return "\(entry.key)=\(entry.value.printable) in [\(entry.section)] \(error.reason): expected"
        + " \(setting.expectation); the default is \(setting.key)=\(setting.defaultText)\(comment)"
    }
  }

  private static let sections = [String: [Setting]](grouping: table, by: \.section)
}

extension [String] {
  /// Each once, where it first stood.
  fileprivate var withoutRepeats: [String] {
    reduce(into: []) { kept, name in
      if !kept.contains(name) { kept.append(name) }
    }
  }
}
