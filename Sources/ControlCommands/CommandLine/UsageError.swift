/// What is wrong with a command line, in words: which option, which value, what was expected.
struct UsageError: Error, Hashable {
  var message: String

  init(_ message: String) { self.message = message }
}
