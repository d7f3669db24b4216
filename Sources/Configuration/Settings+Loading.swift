package import Broker
import Gpsd
import Receiver

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
