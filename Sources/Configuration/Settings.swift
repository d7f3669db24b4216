package import Broker
package import Gpsd
package import Positioning
package import Receiver
package import Server

/// Everything that the configuration decides, in the types of the daemon's parts. The defaults are in these types and
/// nowhere else.
///
/// `Settings.table` has the name, the bounds and the meaning of each key; `AccessRule.table` those of a rule's keys.
package struct Settings: Hashable, Sendable {
  package var socket = Socket()
  package var doors = Doors()
  package var server = ServerLimits()
  package var broker = BrokerSettings()
  package var gpsd = GpsdSettings()
  package var power = PowerSettings()
  package var assist = AssistSettings()
  /// The database of everything that outlives a restart.
  package var store = "/var/lib/positiond/positiond.db"
  /// The least severe messages that are written.
  package var logLevel = LogLevel.info

  package static let defaults = Settings()

  package init() { self.broker.clock.port = ClockSettings.usualPort }

  /// In the order in which the files first name them, in which they are also tried.
  package var rules: [AccessRule] {
    get { self.broker.access.rules }
    set { self.broker.access.rules = newValue }
  }

  /// The socket for clients.
  package struct Socket: Hashable, Sendable {
    package var path = "/run/positiond/positiond.sock"
    /// The permission bits. They decide who may connect; what a client may know is decided per client.
    package var mode: UInt32 = 0o666
  }

  /// The sockets for programs that speak another protocol than positiond's; `nil`: none.
  package struct Doors: Hashable, Sendable {
    /// The path of a Unix socket that gives NMEA 0183.
    package var nmeaSocket: String?
    /// The port of a TCP socket at the loopback addresses that speaks gpsd's protocol.
    package var gpsdPort: Int?
    /// The path of a Unix socket that speaks gpsd's protocol.
    package var gpsdSocket: String?
  }
}

extension Settings {
  /// Enters the numbers of users and the members of groups into the rules.
  ///
  /// - Parameters:
  ///   - users: The number of the user with this name, if there is one.
  ///   - groups: The group with this name.
  package mutating func resolveRules(users: (String) -> UInt32?, groups: (String) -> AccessRule.GroupSelector) {
    for place in self.rules.indices {
      self.rules[place].uid = self.rules[place].user.flatMap(users)
      self.rules[place].group = self.rules[place].groupName.map(groups)
    }
  }
}

extension ConfigurationFiles {
  /// The main file of an installed service.
  package static let installedPath = "/etc/positiond/positiond.conf"
}

extension Settings: ConfigurationRoot {
  /// The rules, which the broker's settings hold.
  package var parts: [AccessRule] {
    get { self.rules }
    set { self.rules = newValue }
  }

  package var conflicts: [KeyConflict] {
    var conflicts: [KeyConflict] = []
    // A program that connects to its own port needs itself for ever.
    if self.gpsd.isAtLoopback, self.doors.gpsdPort == self.gpsd.port {
      conflicts.append(
        KeyConflict(
          KeyConflict.Key("gpsd-clients", "port"), KeyConflict.Key("gpsd", "port"),
          message: "is where positiond reads gpsd itself: set port= in [gpsd] to the port at which gpsd listens"))
    }
    if self.broker.clock.keep != nil, self.broker.clock.port == nil {
      conflicts.append(
        KeyConflict(
          KeyConflict.Key("time", "keep"), KeyConflict.Key("time", "chrony-port"),
          message: "needs what chrony says of the clock: add chrony-port=323"))
    }
    if self.power.lacksUnit {
      conflicts.append(
        KeyConflict(
          KeyConflict.Key("receiver", "rung"), KeyConflict.Key("receiver", "power-off-unit"),
          KeyConflict.Key("receiver", "power-on-unit"),
          message:
            "starts units, and not both are named: add power-off-unit=NAME.service and power-on-unit=NAME.service"))
    }
    return conflicts
  }

  /// Reads the main file and its drop-ins from the disk.
  ///
  /// - Parameter path: The main file. `nil`: the installed one, which may be missing; a given one must exist.
  package static func load(path: String?) -> Result<Settings, ConfigurationErrors> {
    self.load(path: path, installed: ConfigurationFiles.installedPath)
  }
}

extension AccessRule: ConfigurationPart {
  package static func error(ofName name: String?) -> String? {
    guard let name, AccessRule.isName(name) else {
      return "has no name that a rule can have: expected \(AccessRule.nameExpectation)"
    }
    guard name != AccessPolicy.fallbackRule else {
      return "is the name that clients see where default= in [authorization] decides; choose another name"
    }
    return nil
  }

  package var error: PartError? {
    guard self.hasSelector else {
      return PartError("names nobody; add user=NAME, group=NAME or unit=NAME.service")
    }
    // Only a user whom the administrator names may answer for everybody, not a group that others can extend.
    guard self.agent == .all, self.user == nil else { return nil }
    return PartError(
      key: "agent", "lets answer for every user, and no user is named: add user=NAME, or write agent=yes")
  }
}
