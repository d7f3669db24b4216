/// Why a value of a checked text does not match its table.
@usableFromInline
package struct CodingFailure: Error, Hashable {
  package enum Problem: Hashable, Sendable {
    case found(String, expected: String)
    /// The table has no such member.
    case unknown(suggestion: String, expected: String)
    /// Each part matches its table, but not the whole.
    case described(String)
  }

  /// The names and indices that lead to the value, joined by dots.
  package var path: String
  package var problem: Problem

  package init(path: String = "", _ problem: Problem) {
    self.path = path
    self.problem = problem
  }

  @usableFromInline
  package static func found(_ found: String, expected: String, at path: String = "") -> CodingFailure {
    CodingFailure(path: path, .found(found, expected: expected))
  }

  /// The same failure as seen from the enclosing value.
  package func under(_ step: String) -> CodingFailure {
    CodingFailure(path: self.path.isEmpty ? step : "\(step).\(self.path)", self.problem)
  }
}

extension RPCError {
  /// The error for parameters that cannot be read.
  package init(_ failure: CodingFailure) {
    let path = failure.path
    switch failure.problem {
    case .found(let found, let expected):
      self = .invalidParameter(path: path.isEmpty ? "params" : path, found: found, expected: expected)
    case .unknown(let suggestion, let expected):
      self.init(
        code: .invalidParams,
        message: "Invalid params: unknown parameter \(path.quoted)\(suggestion), expected \(expected)",
        data: ["path": .string(path), "expected": .string(expected)])
    case .described(let text):
      self.init(
        code: .invalidParams, message: "Invalid params: \(path): \(text)",
        data: ["path": .string(path), "expected": .string(text)])
    }
  }
}
