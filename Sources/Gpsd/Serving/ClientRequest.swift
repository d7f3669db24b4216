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

  /// Why a text is no request.
  struct Mistake: Error, Hashable {
    let reason: String
    /// Whether it is of another protocol.
    var isForeign = false
  }

  /// - Parameter text: Without its end.
  init(_ text: [UInt8]) throws(Mistake) {
    guard text.first == UInt8(ascii: "?") else {
      throw Self.isForeign(text)
        ? Mistake(reason: "this is gpsd's protocol, and no other is spoken here", isForeign: true)
        : Mistake(reason: "a request begins with ?, such as ?WATCH={\"enable\":true,\"json\":true};")
    }
    let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    let argument = text[end...].dropFirst()
    switch String(decoding: text[1..<end], as: UTF8.self) {
    case "VERSION": self = .version
    case "DEVICES": self = .devices
    case "DEVICE": self = argument.isEmpty ? .device : .configureDevice
    case "POLL": self = .poll
    case "WATCH" where argument.isEmpty: self = .watchState
    case "WATCH":
      guard let change = WatchChange(Array(argument)) else {
        throw Mistake(reason: "?WATCH needs a JSON object with true, false or numbers, and a text as device")
      }
      self = .watch(change)
    default: throw Mistake(reason: "unknown request; known are ?VERSION, ?DEVICES, ?DEVICE, ?WATCH and ?POLL")
    }
  }

  /// Whether it is HTTP, which any web page can have a browser send to this port, or no text at all, such as TLS.
  private static func isForeign(_ text: [UInt8]) -> Bool {
    if text.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 >= 0x7f }) { return true }
    let name = text.prefix { byte in
      byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard !name.isEmpty, name.count < text.count else { return false }
    // A method and what follows it; or a field, such as Host.
    let isMethod = text[name.count] == UInt8(ascii: " ") && name.allSatisfy { $0 & 0x20 == 0 }
    return isMethod || text[name.count] == UInt8(ascii: ":")
  }
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
