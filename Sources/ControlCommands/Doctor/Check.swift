/// One thing that was looked at.
struct Check: Hashable, Encodable {
  enum Outcome: String, Encodable {
    case ok
    /// It works, and something about it should be known.
    case warning
    /// It does not work.
    case problem
    /// It cannot be told from here.
    case unknown
  }

  /// What was looked at, in a word or two.
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
