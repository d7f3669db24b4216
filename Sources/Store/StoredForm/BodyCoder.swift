import FoundationEssentials

/// Writes and reads bodies.
struct BodyCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  init() {
    // Numbers that JSON has none for cannot come from a client or from gpsd; should one get here, it is no reason to
    // keep nothing.
    let (infinite, negative, none) = ("inf", "-inf", "nan")
    self.encoder = JSONEncoder()
    self.encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinite, negativeInfinity: negative, nan: none)
    self.decoder = JSONDecoder()
    self.decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinite, negativeInfinity: negative, nan: none)
  }

  func text(_ form: some Encodable) -> String {
    do {
      return String(decoding: try self.encoder.encode(form), as: UTF8.self)
    } catch {
      preconditionFailure("a form has no JSON: \(error)")
    }
  }

  /// - Throws: if the text does not have that form. The error says where, and contains no value.
  func read<Form: Decodable>(_ form: Form.Type, _ text: String) throws(UnreadableForm) -> Form {
    do {
      return try self.decoder.decode(form, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw UnreadableForm(error.inWords)
    } catch {
      throw UnreadableForm("\(form): no JSON")
    }
  }
}

extension DecodingError {
  fileprivate var inWords: String {
    switch self {
    case .typeMismatch(_, let context): "another kind of value than expected at \(context.path)"
    case .valueNotFound(_, let context): "no value at \(context.path)"
    case .keyNotFound(let key, let context): "no \(key.stringValue) at \(context.path)"
    case .dataCorrupted(let context): "an unknown value at \(context.path)"
    @unknown default: "no JSON of the right form"
    }
  }
}

extension DecodingError.Context {
  fileprivate var path: String { "/" + self.codingPath.map(\.stringValue).joined(separator: "/") }
}
