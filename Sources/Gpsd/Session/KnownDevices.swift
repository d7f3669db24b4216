import ReceiverPorts

/// The devices that gpsd reported, and what follows for the configured one.
struct KnownDevices: Sendable {
  /// gpsd has at most six devices. What lists more is not gpsd, and must not fill the memory.
  static let limit = 16

  /// The configured device.
  let wanted: String?
  /// gpsd's newest list; empty until it arrives.
  private(set) var list: [ReceiverDevice] = []
  /// Whether the list arrived on this connection.
  private(set) var isListed = false
  /// The device of the last report.
  private(set) var reporting: String?
  /// The device that was unplugged, until it is back.
  private(set) var unplugged: String?
  /// The devices of the list that have reported whether there is a fix. One that never did may be no receiver of positions.
  private var receivers: Set<String> = []
  /// The devices without a driver for which gpsd was asked, on this connection.
  private var asked: Set<String> = []

  init(wanted: String?) {
    self.wanted = wanted
  }

  /// A new connection: the list must be received again.
  mutating func connectionBegan() {
    self.isListed = false
    self.list = []
    self.receivers = []
    self.asked = []
  }

  mutating func listed(_ devices: [ReceiverDevice]) {
    self.isListed = true
    // The configured one is kept, wherever it stands in the list.
    let configured = devices.filter { $0.path == self.wanted }.prefix(1)
    let others = devices.filter { $0.path != self.wanted }.prefix(Self.limit - configured.count)
    self.list = Array(configured + others)
    self.receivers = self.receivers.filter { self.has($0) }
    if let reporting, self.wanted == nil || self.wanted == reporting, !self.has(reporting) {
      // gpsd 3.25 removes a lost device from its list without a message.
      self.unplugged = reporting
      self.reporting = nil
    }
    if let unplugged, self.list.contains(where: { $0.path == unplugged && $0.isActivated }) {
      self.unplugged = nil
    }
  }

  /// gpsd opened or identified it.
  mutating func noticed(_ notice: ReceiverDevice) {
    if self.unplugged == notice.path {
      self.unplugged = nil
    }
    guard let place = self.list.firstIndex(where: { $0.path == notice.path }) else {
      if self.list.count < Self.limit || notice.path == self.wanted { self.list.append(notice) }
      return
    }
    let known = self.list[place]
    self.list[place] = ReceiverDevice(
      path: notice.path, driver: notice.driver ?? known.driver, subtype: notice.subtype ?? known.subtype,
      isActivated: notice.isActivated || known.isActivated, cycle: notice.cycle ?? known.cycle)
  }

  /// - Returns: Whether no other device is left from which positions come.
  mutating func gone(_ path: String) -> Bool {
    let isLast = self.isLast(path)
    self.list.removeAll { $0.path == path }
    self.receivers.remove(path)
    // What comes back under this path may be another receiver.
    self.asked.remove(path)
    if isLast { self.unplugged = path }
    return isLast
  }

  /// - Parameter hasMode: Whether the report says if there is a fix, as only a receiver of positions does.
  mutating func reported(_ device: String?, hasMode: Bool) {
    guard let device else { return }
    self.reporting = device
    if hasMode, self.has(device) { self.receivers.insert(device) }
    // It is back, or another has taken its place.
    self.unplugged = nil
  }

  /// Whether to ask gpsd for its list because a device reports whose driver it did not say: 3.22 says only the path of a
  /// receiver that comes back under another name. It is asked once for each device.
  mutating func takeQuestion(about device: String?) -> Bool {
    guard let device, self.list.first(where: { $0.path == device })?.driver == nil else { return false }
    return self.asked.count < Self.limit && self.asked.insert(device).inserted
  }

  /// Whether to accept a report of this device. A report without a device is accepted if gpsd filters.
  func accepts(_ device: String?, isFiltered: Bool) -> Bool {
    guard let wanted else { return true }
    return device.map { $0 == wanted } ?? isFiltered
  }

  /// Whether the device was the only one from which positions could come.
  private func isLast(_ path: String) -> Bool {
    if let wanted { return wanted == path }
    let others = self.list.filter { $0.isActivated && $0.path != path }
    // A device that was a receiver is replaced only by another: a compass or an AIS beside it gives no position.
    return self.receivers.contains(path) ? !others.contains { self.receivers.contains($0.path) } : others.isEmpty
  }

  /// Whether gpsd has this device.
  func has(_ path: String) -> Bool { self.list.contains { $0.path == path } }

  /// The device to write to: the configured one, or whichever reports; `nil` while gpsd has none.
  var target: String? {
    if let wanted { return self.has(wanted) ? wanted : nil }
    return self.reporting ?? (self.list.first { $0.isActivated } ?? self.list.first)?.path
  }

  /// The u-blox whose messages gpsd passes on; `nil`: none, or nobody knows which. gpsd does not say of which device a message
  /// is, so either gpsd filters by the device, or there is no other u-blox.
  func packetSource(isFiltered: Bool) -> String? {
    let sources = self.list.filter { $0.driver == Self.packetDriver && $0.isActivated }
    if let wanted, isFiltered { return sources.contains { $0.path == wanted } ? wanted : nil }
    guard let source = sources.first, sources.count == 1, self.wanted ?? source.path == source.path else { return nil }
    return source.path
  }

  /// gpsd's name of the driver whose messages are read.
  private static let packetDriver = "u-blox"

  /// Whether gpsd has a device from which reports could come.
  var hasCandidate: Bool {
    if let wanted { return self.has(wanted) }
    return !self.list.isEmpty
  }

  /// The longest cycle of the devices from which reports could come.
  var cycle: Duration? {
    self.list.filter { self.accepts($0.path, isFiltered: true) }.compactMap(\.cycle).max()
  }

  /// Why no reports arrive.
  var missingReason: SourceState.MissingReason {
    if let wanted, self.isListed, !self.has(wanted), !self.list.isEmpty {
      // Also after it was unplugged: the receiver may have come back under another name.
      return .notConfiguredDevice(wanted, present: self.list.map(\.path).sorted())
    }
    if let unplugged { return .unplugged(unplugged) }
    if let wanted {
      return self.isListed && !self.hasCandidate ? .notConfiguredDevice(wanted, present: []) : .silent(wanted)
    }
    if self.isListed && self.list.isEmpty {
      return .noDevice
    }
    return .silent(self.reporting ?? self.list.first { $0.isActivated }?.path ?? self.list.first?.path)
  }
}
