/// The result of one check.
struct Check: Hashable, Encodable {
  enum Outcome: String, Encodable {
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
  /// What was found.
  var detail: String
  /// What to do next.
  var advice: String?

  init(_ subject: String, _ outcome: Outcome, _ detail: String, advice: String? = nil) {
    self.subject = subject
    self.outcome = outcome
    self.detail = detail
    self.advice = advice
  }
}
