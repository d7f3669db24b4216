import Printable

/// The settings while the files are read.
struct ConfigurationLoading<Root: ConfigurationRoot> {
  private typealias Part = Root.Part
  /// A place in the files, and the words that name it in a message.
  private typealias Place = (file: Int, path: String, line: Int, words: String)

  private let sections = [String: [ConfigurationKey<Root>]](grouping: Root.table, by: \.section)
  private(set) var settings = Root.defaults
  /// The errors of each file.
  private var errors: [[ConfigurationError]] = []
  /// Where each part is first named.
  private var openings: [String: Place] = [:]
  /// Where each part last sets each key.
  private var entries: [String: [String: Place]] = [:]
  /// Where each key of a section without a name is last set.
  private var keys: [KeyConflict.Key: Place] = [:]
  /// Such keys with errors, whose conflicts are not reported.
  private var faultyKeys: Set<KeyConflict.Key> = []
  /// Parts with errors, which are not checked as a whole.
  private var faultyParts: Set<String> = []

  /// Applies the contents of one file.
  mutating func apply(_ file: ConfigurationFile) {
    let reader = ConfigurationReader(file)
    var found = reader.errors
    func place(_ line: Int, _ words: String) -> Place { (self.errors.count, file.path, line, words) }
    for section in reader.sections {
      if let message = self.open(section.title) {
        found.append(ConfigurationError(file: file.path, line: section.line, message: message))
      } else if let name = section.title.name, self.openings[name] == nil {
        self.openings[name] = place(section.line, "[\(section.title)]")
      }
    }
    for entry in reader.entries {
      let key = KeyConflict.Key(entry.section.kind, entry.key)
      let words = "\(entry.key)=\(entry.value.quotable) in [\(entry.section)]"
      if let message = self.apply(entry) {
        found.append(ConfigurationError(file: file.path, line: entry.line, message: message))
        if entry.section.name == nil { self.faultyKeys.insert(key) }
      } else if let part = entry.section.name {
        self.entries[part, default: [:]][entry.key] = place(entry.line, words)
      } else {
        self.keys[key] = place(entry.line, words)
      }
    }
    self.errors.append(found)
  }

  /// The errors, in the order of the files and of the lines within each.
  mutating func finish() -> [ConfigurationError] {
    for conflict in self.settings.conflicts where self.faultyKeys.isDisjoint(with: conflict.keys) {
      guard let place = conflict.keys.compactMap({ self.keys[$0] }).first else { continue }
      self.add(conflict.message, at: place)
    }
    for part in self.settings.parts where !self.faultyParts.contains(part.name) {
      guard let error = part.error else { continue }
      let place = error.key.flatMap { self.entries[part.name]?[$0] } ?? self.openings[part.name]
      guard let place else { continue }
      self.add(error.message, at: place)
    }
    return self.errors.flatMap { $0.sorted { ($0.line ?? 0) < ($1.line ?? 0) } }
  }

  private mutating func add(_ message: String, at place: Place) {
    self.errors[place.file].append(
      ConfigurationError(file: place.path, line: place.line, message: "\(place.words) \(message)"))
  }

  /// Prepares the section's contents; returns its error, if any.
  private mutating func open(_ title: SectionTitle) -> String? {
    if title.kind == Part.section {
      if let error = Part.error(ofName: title.name) { return "[\("\(title)".quotable)] \(error)" }
      if let name = title.name, !self.settings.parts.contains(where: { $0.name == name }) {
        self.settings.parts.append(Part(name: name))
      }
      return nil
    }
    guard title.name != nil || self.sections[title.kind] == nil else { return nil }
    let known = (Root.table.map(\.section).withoutRepeats + ["\(Part.section) NAME"]).map { "[\($0)]" }
    let meant = Spelling.nearest(to: "[\(title)]", among: known).map { "did you mean \($0)? Else remove it, or" }
    return "[\("\(title)".quotable)] is not supported by this version; \(meant ?? "remove it, or") use one of"
      + " \(known.joined(separator: ", "))"
  }

  /// Returns the error of the entry, if any.
  private mutating func apply(_ entry: ConfigurationReader.Entry) -> String? {
    guard let name = entry.section.name else {
      // An unknown section is one error; its keys would only repeat it.
      return self.sections[entry.section.kind].flatMap { Self.apply(entry, of: $0, to: &self.settings) }
    }
    guard entry.section.kind == Part.section,
      let place = self.settings.parts.firstIndex(where: { $0.name == name })
    else { return nil }
    let message = Self.apply(entry, of: Part.table, to: &self.settings.parts[place])
    if message != nil { self.faultyParts.insert(name) }
    return message
  }

  private static func apply<Subject>(
    _ entry: ConfigurationReader.Entry, of section: [ConfigurationKey<Subject>], to subject: inout Subject
  ) -> String? {
    guard let setting = section.first(where: { $0.key == entry.key }) else {
      let known = section.map(\.key)
      let meant = Spelling.nearest(to: entry.key, among: known).map { "did you mean \($0)? Else remove it, or" }
      return "\(entry.key.quotable) in [\(entry.section)] is not supported by this version; \(meant ?? "remove it, or")"
        + " use one of \(known.joined(separator: ", "))"
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
    self.reduce(into: []) { kept, name in
      if !kept.contains(name) { kept.append(name) }
    }
  }
}
