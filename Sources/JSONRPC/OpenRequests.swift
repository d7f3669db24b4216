/// The requests of this side that the other has not answered, which it numbers.
struct OpenRequests: Sendable {
  private var results: [Int: any (Codable & Sendable).Type] = [:]
  private var lastID = 0

  var count: Int { self.results.count }

  /// What the result of an open request is decoded to.
  func result(of id: RequestID) -> (any (Codable & Sendable).Type)? { Self.number(id).flatMap { self.results[$0] } }

  mutating func open(result: any (Codable & Sendable).Type) -> RequestID {
    self.lastID += 1
    self.results[self.lastID] = result
    return .integer(self.lastID)
  }

  /// Whether it was open.
  mutating func close(_ id: RequestID) -> Bool {
    Self.number(id).flatMap { self.results.removeValue(forKey: $0) } != nil
  }

  /// Closes all, and returns them in the order in which they were made.
  mutating func closeAll() -> [RequestID] {
    defer { self.results = [:] }
    return self.results.keys.sorted().map { .integer($0) }
  }

  /// No string was ever given out.
  private static func number(_ id: RequestID) -> Int? { if case .integer(let number) = id { number } else { nil } }
}
