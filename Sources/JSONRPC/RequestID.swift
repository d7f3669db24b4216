/// A client's name for a request, which the reply repeats.
///
/// A reply to a request whose id could not be read has `null`, which is an absent `RequestID` here.
public enum RequestID: Sendable {
  case string(String)
  case integer(Int)
  /// An integer that is not written in the shortest form, such as `7.0`: as it is written.
  case number(String)
}

/// Two ids are the same if they are written alike, byte for byte. Swift's strings would be equal as soon as Unicode calls
/// them that, and the client would get the answer of another request.
extension RequestID: Hashable {
  public static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)), (.number(let left), .number(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.string, _), (.integer, _), (.number, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text), .number(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .integer(let integer): hasher.combine(integer)
    }
  }
}

extension RequestID {
  /// The limit for strings, because a server keeps each id until its request is answered.
  package static let maximumBytes = 256

  var isTooLong: Bool {
    switch self {
    case .string(let text), .number(let text): text.utf8.count > RequestID.maximumBytes
    case .integer: false
    }
  }
}

extension RequestID: WireValue {
  public static let codec: Codec<RequestID> = Codec(
    .requestID,
    write: { $0.write(&$1) },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> RequestID in
      guard let id = RequestID(view) else { throw .found("\(view)", expected: Schema.requestID.expectation) }
      return id
    })

  func write(_ writer: inout JSONWriter) {
    switch self {
    case .string(let string): writer.string(string)
    case .integer(let integer): writer.integer(integer)
    case .number(let text): writer.raw(text.utf8.span)
    }
  }

  init?(_ view: JSONView) {
    if let string = view.string {
      self = .string(string)
    } else if let integer = view.integer {
      self = view.isPlainInteger ? .integer(integer) : .number(String(decoding: view.bytes, as: UTF8.self))
    } else {
      return nil
    }
  }
}

extension JSONView {
  /// Whether a number is written as an integer is by every writer: digits, without a fraction or exponent, and no -0.
  fileprivate var isPlainInteger: Bool {
    let bytes = self.bytes
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    guard digits.first != UInt8(ascii: "0") || bytes.count == 1 else { return false }
    return digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }
}

extension RequestID: CustomStringConvertible {
  /// The id for people: a string in quotation marks, shortened if it is long.
  public var description: String {
    switch self {
    case .string(let string): string.quoted
    case .integer(let integer): "\(integer)"
    case .number(let text): text
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}

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
