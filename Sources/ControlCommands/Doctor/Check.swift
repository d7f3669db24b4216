import JSONRPC

/// The result of one check.
struct Check: Hashable, WireValue {
  enum Outcome: String {
    case ok
    /// It works, but there is something to know about it.
    case warning
    /// It does not work.
    case problem
    /// It cannot be determined from here.
    case unknown
  }

  /// What was checked, in a word or two.
  var subject: String
  var outcome: Outcome
  /// The finding.
  var detail: String
  /// What to do next.
  var advice: String?

  init(_ subject: String, _ outcome: Outcome, _ detail: String, advice: String? = nil) {
    self.subject = subject
    self.outcome = outcome
    self.detail = detail
    self.advice = advice
  }

  static let codec: Codec<Check> = .written { check, writer in
    writer.key("subject")
    writer.string(check.subject)
    writer.key("outcome")
    writer.string(check.outcome.rawValue)
    writer.key("detail")
    writer.string(check.detail)
    guard let advice = check.advice else { return }
    writer.key("advice")
    writer.string(advice)
  }
}
