import JSONRPC

/// What a client of gpsd may ask: `?NAME;`, or `?NAME=JSON;`.
enum ClientRequest: Hashable, Sendable {
  case version
  case devices
  case device
  /// Changes the device, which positiond's clients may not.
  case configureDevice
  case poll
  /// What the client watches now.
  case watchState
  case watch(WatchChange)
  /// Not understood; with the reason.
  case invalid(String)

  /// - Parameter text: Without its end.
  init(_ text: [UInt8]) {
    guard text.first == UInt8(ascii: "?") else {
      self = .invalid("a request begins with ?, such as ?WATCH={\"enable\":true,\"json\":true};")
      return
    }
    let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    let argument = text[end...].dropFirst()
    switch String(decoding: text[1..<end], as: UTF8.self) {
    case "VERSION": self = .version
    case "DEVICES": self = .devices
    case "DEVICE": self = argument.isEmpty ? .device : .configureDevice
    case "POLL": self = .poll
    case "WATCH": self = argument.isEmpty ? .watchState : WatchChange(Array(argument)).map { .watch($0) } ?? .malformed
    default: self = .invalid("unknown request; known are ?VERSION, ?DEVICES, ?DEVICE, ?WATCH and ?POLL")
    }
  }

  private static let malformed = Self.invalid(
    "?WATCH needs a JSON object with true, false or numbers, and a text as device")
}

/// The members of a `?WATCH` that positiond knows; `nil`: as before.
struct WatchChange: Hashable, Sendable {
  var isEnabled: Bool
  var sendsReports: Bool?
  var sendsSentences: Bool?
  /// Whether the receiver's own bytes are requested.
  var wantsBytes: Bool
  var device: String?

  /// `nil` if the text is no such object.
  init?(_ argument: [UInt8]) {
    let document: JSONDocument
    do throws(RPCError) {
      document = try JSONDocument(argument)
    } catch {
      // gpsd says no more than that it is malformed, either.
      return nil
    }
    let root = document.root
    guard root.isObject, root["device"].map({ $0.string != nil }) ?? true else { return nil }
    self.isEnabled = root["enable"]?.boolean ?? true
    self.sendsReports = root["json"]?.boolean
    self.sendsSentences = root["nmea"]?.boolean
    self.wantsBytes = (root["raw"]?.integer ?? 0) > 0
    self.device = root["device"]?.string
  }
}

/// What a client watches.
struct WatchPolicy: Hashable, Sendable {
  var isEnabled = false
  /// Reports as JSON.
  var sendsReports = false
  /// NMEA 0183.
  var sendsSentences = false
  /// The device as the client named it. positiond has one, whatever its name is.
  var device: String?
}

/// Cuts what a client sends into requests, which end in a semicolon or with the line.
struct RequestSplitter: Sendable {
  /// The longest request, as of gpsd.
  static let limit = 8191

  private var bytes: [UInt8] = []
  /// Where the unfinished request begins, and up to where it was examined.
  private var start = 0
  private var scanned = 0
  private var isInText = false
  private var isEscaped = false

  mutating func append(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }

  enum Piece: Hashable {
    case request([UInt8])
    /// Longer than the limit; nothing more is cut.
    case tooLong
  }

  /// The next request; `nil`: none is complete.
  mutating func next() -> Piece? {
    while self.scanned < self.bytes.count {
      let byte = self.bytes[self.scanned]
      let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";") && !self.isInText
      guard isEnd else {
        guard self.scanned - self.start < Self.limit else { return .tooLong }
        self.note(byte)
        self.scanned += 1
        continue
      }
      let request = Array(self.bytes[self.start..<self.scanned].trimmed)
      self.scanned += 1
      (self.start, self.isInText, self.isEscaped) = (self.scanned, false, false)
      if !request.isEmpty { return .request(request) }
    }
    // Once for all requests that arrived together.
    self.bytes.removeFirst(self.start)
    (self.start, self.scanned) = (0, self.scanned - self.start)
    return nil
  }

  private mutating func note(_ byte: UInt8) {
    if self.isEscaped {
      self.isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      self.isEscaped = self.isInText
    } else if byte == UInt8(ascii: "\"") {
      self.isInText.toggle()
    }
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks and carriage returns at both ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    var rest = self.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return rest
  }
}
