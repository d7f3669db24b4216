import Positioning

/// Figures as text for Prometheus and its kin, by OpenMetrics 1.0.
struct OpenMetrics {
  /// What a figure is.
  enum Kind: String {
    /// It goes up and down.
    case gauge
    /// It only grows, until the process that counts begins anew.
    case counter
    /// Text, in labels.
    case info
    /// Which of some words holds.
    case stateset
  }

  /// The media type of the text.
  static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  private var written: [String] = []

  /// The whole text, a line each.
  var lines: [String] { self.written + ["# EOF"] }

  /// Adds a figure that has one value; without a value it is left out.
  mutating func add(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String, _ value: Double?) {
    if let value { self.add(name, kind, unit: unit, help, [([:], value)]) }
  }

  /// Adds a figure with a value for each set of labels; without any it is left out.
  ///
  /// - Parameters:
  ///   - name: With the unit at its end, if it has one.
  ///   - unit: In OpenMetrics' words, such as `seconds`.
  mutating func add(
    _ name: String, _ kind: Kind, unit: String? = nil, _ help: String,
    _ values: [(labels: [String: String], value: Double)]
  ) {
    guard !values.isEmpty else { return }
    self.written.append("# TYPE \(name) \(kind.rawValue)")
    if let unit { self.written.append("# UNIT \(name) \(unit)") }
    self.written.append("# HELP \(name) \(Self.escaped(help))")
    let suffix =
      switch kind {
      case .counter: "_total"
      case .info: "_info"
      case .gauge, .stateset: ""
      }
    for (labels, value) in values {
      let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      let set = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
      self.written.append("\(name)\(suffix)\(set) \(Self.number(value))")
    }
  }

  /// Adds which of all words holds.
  mutating func add<Word: RawRepresentable<String> & CaseIterable & Equatable>(
    _ name: String, _ help: String, is word: Word?
  ) {
    guard let word else { return }
    self.add(name, .stateset, help, Word.allCases.map { ([name: $0.rawValue], $0 == word ? 1 : 0) })
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
