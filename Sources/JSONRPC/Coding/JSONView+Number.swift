extension JSONView {
  /// The number, as an integer if an `Int` holds it, in whatever form it is written.
  var number: Scalar {
    let bytes = self.bytes
    var decimal = Decimal()
    for byte in bytes where !decimal.take(byte) { return JSONView.number(slowly: bytes) }
    if let number = decimal.exact { return number }
    return JSONView.number(slowly: bytes)
  }

  /// Reads any number, correctly rounded.
  private static func number(slowly bytes: ArraySlice<UInt8>) -> Scalar {
    let text = String(decoding: bytes, as: UTF8.self)
    if let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { return .outOfRange }
    return Int(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// A number of few digits without an exponent; nearly all numbers are.
  private struct Decimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var count = 0
    private var decimals: Int?

    /// Takes the next byte; false if it is one of the other numbers.
    mutating func take(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "-"): self.isNegative = true
      case UInt8(ascii: "."): self.decimals = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard self.count < 15 else { return false }
        self.digits = self.digits * 10 + UInt64(byte - UInt8(ascii: "0"))
        self.count += 1
        self.decimals? += 1
      default: return false
      }
      return true
    }

    /// Both parts are exact as `Double`s, so their quotient is rounded once, as it should be.
    var exact: Scalar? {
      guard let decimals else { return .integer(self.isNegative ? -Int(self.digits) : Int(self.digits)) }
      let magnitude = Double(self.digits) / JSONWriter.powersOfTen[decimals]
      let number = self.isNegative ? -magnitude : magnitude
      return Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
  }
}

extension JSONView: CustomStringConvertible {
  /// The value as an error message shows it; long strings are cut.
  @usableFromInline
  package var description: String {
    switch self.scalar {
    case .null: "null"
    case .boolean(let boolean): "\(boolean)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .outOfRange: "a number out of range"
    case .string: (self.string ?? "").quoted
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONView {
  /// A number as in documents: without an exponent or a zero fraction, if possible.
  static func text(of number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
