/// Reads the result of a request of this side, of any type.
package protocol ResultReader: Sendable {
  func readResult(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> any Sendable
}

extension Codec: ResultReader {
  package func readResult(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> any Sendable {
    let value = try self.read(view, context)
    return value
  }
}

/// The requests of this side that are not answered, by their numbers.
package struct OpenRequests: Sendable {
  private var readers: [Int: any ResultReader] = [:]
  private var lastID = 0

  var count: Int { self.readers.count }

  func reader(of id: RequestID) -> (any ResultReader)? { Self.number(id).flatMap { self.readers[$0] } }

  mutating func open<Value>(result codec: Codec<Value>) -> RequestID {
    self.lastID += 1
    self.readers[self.lastID] = codec
    return .integer(self.lastID)
  }

  /// Whether it was open.
  mutating func close(_ id: RequestID) -> Bool {
    Self.number(id).flatMap { self.readers.removeValue(forKey: $0) } != nil
  }

  /// Closes all, and returns them in the order of the requests.
  mutating func closeAll() -> [RequestID] {
    defer { self.readers = [:] }
    return self.readers.keys.sorted().map { .integer($0) }
  }

  /// This side never sends strings as ids.
  /// In whatever form the other side writes it: some languages have no integers.
  private static func number(_ id: RequestID) -> Int? {
    switch id {
    case .integer(let number): number
    case .number(let text): Double(text).flatMap { Int(exactly: $0) }
    case .string: nil
    }
  }
}
