import Systemd

/// An interface of an object: what introspection shows, and what is checked of each call.
struct Interface: Hashable, Sendable {
  struct Argument: Hashable, Sendable {
    let name: String
    let type: String
  }

  struct Method: Hashable, Sendable {
    let name: String
    var takes: [Argument] = []
    var returns: [Argument] = []
  }

  struct Signal: Hashable, Sendable {
    let name: String
    let carries: [Argument]
  }

  struct Property: Hashable, Sendable {
    let name: String
    let type: String
    var isWritable = false
  }

  let name: String
  var methods: [Method] = []
  var signals: [Signal] = []
  var properties: [Property] = []

  func method(_ name: String) -> Method? { self.methods.first { $0.name == name } }
  func property(_ name: String) -> Property? { self.properties.first { $0.name == name } }
}

extension Interface {
  static let manager = Interface(
    name: "org.freedesktop.GeoClue2.Manager",
    methods: [
      Method(name: "GetClient", returns: [Argument(name: "client", type: "o")]),
      Method(name: "CreateClient", returns: [Argument(name: "client", type: "o")]),
      Method(name: "DeleteClient", takes: [Argument(name: "client", type: "o")]),
      Method(name: "AddAgent", takes: [Argument(name: "id", type: "s")]),
    ],
    properties: [
      Property(name: "InUse", type: "b"), Property(name: "AvailableAccuracyLevel", type: "u"),
    ])

  static let client = Interface(
    name: "org.freedesktop.GeoClue2.Client",
    methods: [Method(name: "Start"), Method(name: "Stop")],
    signals: [
      Signal(name: "LocationUpdated", carries: [Argument(name: "old", type: "o"), Argument(name: "new", type: "o")])
    ],
    properties: [
      Property(name: "Location", type: "o"),
      Property(name: "DistanceThreshold", type: "u", isWritable: true),
      Property(name: "TimeThreshold", type: "u", isWritable: true),
      Property(name: "DesktopId", type: "s", isWritable: true),
      Property(name: "RequestedAccuracyLevel", type: "u", isWritable: true),
      Property(name: "Active", type: "b"),
    ])

  static let location = Interface(
    name: "org.freedesktop.GeoClue2.Location",
    properties: [
      Property(name: "Latitude", type: "d"), Property(name: "Longitude", type: "d"),
      Property(name: "Accuracy", type: "d"), Property(name: "Altitude", type: "d"),
      Property(name: "Speed", type: "d"), Property(name: "Heading", type: "d"),
      Property(name: "Description", type: "s"), Property(name: "Timestamp", type: "(tt)"),
    ])

  static let properties = Interface(
    name: "org.freedesktop.DBus.Properties",
    methods: [
      Method(
        name: "Get", takes: [Argument(name: "interface", type: "s"), Argument(name: "property", type: "s")],
        returns: [Argument(name: "value", type: "v")]),
      Method(
        name: "GetAll", takes: [Argument(name: "interface", type: "s")],
        returns: [Argument(name: "values", type: "a{sv}")]),
      Method(
        name: "Set",
        takes: [
          Argument(name: "interface", type: "s"), Argument(name: "property", type: "s"),
          Argument(name: "value", type: "v"),
        ]),
    ],
    signals: [
      Signal(
        name: "PropertiesChanged",
        carries: [
          Argument(name: "interface", type: "s"), Argument(name: "changed", type: "a{sv}"),
          Argument(name: "invalidated", type: "as"),
        ])
    ])

  static let introspectable = Interface(
    name: "org.freedesktop.DBus.Introspectable",
    methods: [Method(name: "Introspect", returns: [Argument(name: "xml", type: "s")])])
}

// MARK: Introspection

extension Interface {
  /// The document that describes an object with these interfaces. All names are our own.
  static func document(_ interfaces: [Interface]) -> String {
    (["<node>"] + interfaces.flatMap(\.lines) + ["</node>", ""]).joined(separator: "\n")
  }

  private var lines: [String] {
    var lines = ["  <interface name=\"\(self.name)\">"]
    for property in self.properties {
      lines.append(
        "    <property name=\"\(property.name)\" type=\"\(property.type)\""
          + " access=\"\(property.isWritable ? "readwrite" : "read")\"/>")
    }
    for method in self.methods {
      lines += ["    <method name=\"\(method.name)\">"]
      lines += method.takes.map { "      <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"in\"/>" }
      lines += method.returns.map { "      <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"out\"/>" }
      lines += ["    </method>"]
    }
    for signal in self.signals {
      lines += ["    <signal name=\"\(signal.name)\">"]
      lines += signal.carries.map { "      <arg name=\"\($0.name)\" type=\"\($0.type)\"/>" }
      lines += ["    </signal>"]
    }
    return lines + ["  </interface>"]
  }
}
