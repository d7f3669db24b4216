import ReceiverPorts

/// The devices that gpsd reported, and what follows for the configured one.
struct KnownDevices: Sendable {
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

  init(wanted: String?) {
    self.wanted = wanted
  }

  /// A new connection: the list must be received again.
  mutating func connectionBegan() {
    self.isListed = false
    self.list = []
  }

  mutating func listed(_ devices: [ReceiverDevice]) {
    self.isListed = true
    self.list = devices
    if let reporting, self.wanted == nil || self.wanted == reporting, !devices.contains(where: { $0.path == reporting })
    {
      // gpsd 3.25 removes a lost device from its list without a message.
      self.unplugged = reporting
      self.reporting = nil
    }
    if let unplugged, devices.contains(where: { $0.path == unplugged && $0.isActivated }) {
      self.unplugged = nil
    }
  }

  /// gpsd opened or identified it.
  mutating func noticed(_ notice: ReceiverDevice) {
    if self.unplugged == notice.path {
      self.unplugged = nil
    }
    guard let place = self.list.firstIndex(where: { $0.path == notice.path }) else {
      self.list.append(notice)
      return
    }
    let known = self.list[place]
    self.list[place] = ReceiverDevice(
      path: notice.path, driver: notice.driver ?? known.driver, subtype: notice.subtype ?? known.subtype,
      isActivated: notice.isActivated || known.isActivated, cycle: notice.cycle ?? known.cycle)
  }

  mutating func gone(_ path: String) {
    self.list.removeAll { $0.path == path }
    self.unplugged = path
  }

  mutating func reported(_ device: String?) {
    guard let device else { return }
    self.reporting = device
    if self.unplugged == device {
      self.unplugged = nil
    }
  }

  /// Whether to accept a report of this device. A report without a device is accepted if gpsd filters.
  func accepts(_ device: String?, isFiltered: Bool) -> Bool {
    guard let wanted else { return true }
    return device.map { $0 == wanted } ?? isFiltered
  }

  /// Whether the device was the only one from which reports could come.
  func isLost(_ path: String) -> Bool {
    if let wanted { return wanted == path }
    return !self.list.contains { $0.isActivated && $0.path != path }
  }

  /// Whether gpsd has this device.
  func has(_ path: String) -> Bool { self.list.contains { $0.path == path } }

  /// The device to write to: the configured one, or whichever reports; `nil` while gpsd has none.
  var target: String? {
    if let wanted { return self.has(wanted) ? wanted : nil }
    return self.reporting ?? (self.list.first { $0.isActivated } ?? self.list.first)?.path
  }

  /// Whether gpsd has a device from which reports could come.
  var hasCandidate: Bool {
    if let wanted { return self.list.contains { $0.path == wanted } }
    return !self.list.isEmpty
  }

  /// The longest cycle of the devices from which reports could come.
  var cycle: Duration? {
    self.list.filter { self.accepts($0.path, isFiltered: true) }.compactMap(\.cycle).max()
  }

  /// Why no reports arrive.
  var missingReason: SourceState.MissingReason {
    if let unplugged, self.isLost(unplugged) {
      return .unplugged(unplugged)
    }
    if let wanted {
      return self.isListed && !self.hasCandidate ? .notConfiguredDevice(wanted) : .silent(wanted)
    }
    if self.isListed && self.list.isEmpty {
      return .noDevice
    }
    return .silent(self.reporting ?? self.list.first { $0.isActivated }?.path ?? self.list.first?.path)
  }
}
