/// A client's name for a request, which the reply repeats.
///
/// A reply to a request whose id could not be read has `null`, which is an absent `RequestID` here.
public enum RequestID: Hashable, Sendable {
  case string(String)
  case integer(Int)
}

extension RequestID {
  /// The limit for strings, because a server keeps each id until its request is answered.
  package static let maximumBytes = 256

  var isTooLong: Bool {
    switch self {
    case .string(let string): string.utf8.count > RequestID.maximumBytes
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
    }
  }

  init?(_ view: JSONView) {
    if let string = view.string {
      self = .string(string)
    } else if let integer = view.integer {
      self = .integer(integer)
    } else {
      return nil
    }
  }
}

extension RequestID: CustomStringConvertible {
  /// The id for people: a string in quotation marks, shortened if it is long.
  public var description: String {
    switch self {
    case .string(let string): string.quoted
    case .integer(let integer): "\(integer)"
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}
