import JSONRPC

/// The few words with gpsd: it says who it is, and lists its receivers.
///
/// It takes bytes and events, and says what to send and what came of it; it never asks gpsd to watch, which would open
/// the receiver.
struct GpsdInterview {
  enum Action: Hashable {
    case send(String)
    /// It is over.
    case found(GpsdFinding)
  }

  private enum State {
    case banner
    case devices(version: String)
    case over
  }

  /// gpsd's own lines end far below.
  private static let maximumLine = 65536

  private var state = State.banner
  private var buffer: [UInt8] = []
  private var hasHeard = false

  mutating func received(_ bytes: some Sequence<UInt8>) -> [Action] {
    self.buffer += bytes
    if !self.buffer.isEmpty { self.hasHeard = true }
    var actions: [Action] = []
    while let end = self.buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(self.buffer[..<end])
      self.buffer.removeFirst(end + 1)
      actions += self.received(line: line)
    }
    if self.buffer.count > GpsdInterview.maximumLine { actions += self.end(.otherProgram) }
    return actions
  }

  /// gpsd closed the connection.
  mutating func ended() -> [Action] {
    switch self.state {
    case .banner: self.end(self.hasHeard ? .otherProgram : .full)
    case .devices(let version): self.end(.speaks(version: version, devices: nil))
    case .over: []
    }
  }

  mutating func timedOut() -> [Action] {
    switch self.state {
    case .banner: self.end(self.hasHeard ? .otherProgram : .silent)
    case .devices(let version): self.end(.speaks(version: version, devices: nil))
    case .over: []
    }
  }

  private mutating func end(_ finding: GpsdFinding) -> [Action] {
    self.state = .over
    return [.found(finding)]
  }

  private mutating func received(line: [UInt8]) -> [Action] {
    let message = GpsdInterview.read(line)
    switch self.state {
    case .banner:
      guard message?["class"] == "VERSION", case .string(let version)? = message?["release"] else {
        return self.end(.otherProgram)
      }
      self.state = .devices(version: version)
      return [.send("?DEVICES;\n")]
    case .devices(let version):
      guard message?["class"] == "DEVICES", case .array(let devices)? = message?["devices"] else { return [] }
      return self.end(.speaks(version: version, devices: devices.compactMap { GpsdFinding.Device($0) }))
    case .over: return []
    }
  }

  /// gpsd's errors may hold quotation marks that make them no JSON; those are passed over.
  private static func read(_ line: [UInt8]) -> JSONValue? {
    do { return try JSONText.decode(JSONValue.self, from: line) } catch { return nil }
  }
}

extension GpsdFinding.Device {
  init?(_ device: JSONValue) {
    guard case .string(let path)? = device["path"] else { return nil }
    self.path = path
    if case .string(let driver)? = device["driver"] { self.driver = driver }
    // A date once it was opened; 0 or absent while it is closed.
    if case .string(let date)? = device["activated"] { self.isOpen = !date.isEmpty } else { self.isOpen = false }
  }
}
