// swift-tools-version: 6.2
import PackageDescription

/// The same rules apply to every Swift target; docs/decisions and CONTRIBUTING.md give the reasons.
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Modules that only compute, and whose tests run through years, are optimised in development too: docs/decisions/0027.
/// Programs that depend on the library accept unsafe flags of a manifest of Swift 6.2: scripts/check-dependents builds one.
let optimised: [SwiftSetting] = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
let computing: Set<String> = [
  "Positioning", "Geodesy", "ReceiverPorts", "Trust", "TrustTests", "Broker", "BrokerTests",
]

func settings(of name: String) -> [SwiftSetting] { computing.contains(name) ? optimised : settings }

let cxxSettings: [CXXSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]
let cSettings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-std=c11"])]

/// Programs that read positions link libgps. The others run where it is not installed: CGPS takes it as weak symbols.
let libgps: [LinkerSetting] = [.linkedLibrary("gps")]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings(of: name))
}

func program(_ name: String, _ dependencies: [Target.Dependency], linking: [LinkerSetting] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: linking)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], data: [String] = []) -> Target {
  // SwiftPM makes one program of all tests.
  .testTarget(
    name: name, dependencies: dependencies, exclude: data, swiftSettings: settings(of: name), linkerSettings: libgps)
}

let package = Package(
  name: "positiond",
  products: [
    .executable(name: "positiond", targets: ["positiond"]),
    .executable(name: "positionctl", targets: ["positionctl"]),
    .executable(name: "positiond-geoclue", targets: ["positiond-geoclue"]),
    .executable(name: "positionsim", targets: ["positionsim"]),
    .executable(name: "positiond-mqtt", targets: ["positiond-mqtt"]),
    .executable(name: "positiond-desktop", targets: ["positiond-desktop"]),
    .executable(name: "positiond-history", targets: ["positiond-history"]),
    .library(name: "PositionClient", targets: ["PositionClient"]),
  ],
  targets: [
    // C: libraries of the system, and the calls that Swift's Glibc module lacks.
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    // Without pkgConfig, which would link it to every program.
    .systemLibrary(name: "CLibgps", providers: [.apt(["libgps-dev"])]),
    .target(name: "CGPS", dependencies: ["CLibgps"], cSettings: cSettings),
    // Also without pkgConfig: only its headers are used, and CTerminal loads it when it is needed.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .target(name: "CTerminal", dependencies: ["CNcurses"], cSettings: cSettings),
    .target(name: "CLinux", cSettings: cSettings),
    // The archive, not the shared library: positionctl starts as fast as before, and needs no other package.
    .target(
      name: "CGeographic", cxxSettings: cxxSettings, linkerSettings: [.linkedLibrary(":libGeographicLib.a")]),

    // Texts: escaping, spelling suggestions, and command lines.
    module("Printable"),
    module("ProgramArguments", ["Printable"]),

    // Values and mathematics.
    module("Positioning"),
    module("Geodesy", ["CGPS", "Positioning"]),
    // Units and notations of places, for people.
    module("Notations", ["CGeographic", "Positioning", "Printable"]),
    // What prompts say, for every agent.
    module("Prompts", ["Positioning"]),

    // The wire.
    module("NMEA", ["Positioning"]),
    module("UBX", ["Positioning"]),
    module("JSONRPC", ["Printable"]),
    module("PositionProtocol", ["Positioning", "JSONRPC"]),

    // The events of a receiver, whether they can be trusted, and the broker that decides by them.
    module("ReceiverPorts", ["Positioning"]),
    module("Trust", ["ReceiverPorts", "Positioning", "Geodesy"]),
    module("Broker", ["Trust", "ReceiverPorts", "Positioning", "Geodesy"]),

    // The world.
    module("EventLoop", ["CSystemd", "CLinux", "Positioning"]),
    module("Systemd", ["CSystemd", "EventLoop", "Positioning", "Printable", "ProgramArguments"]),
    module("Gpsd", ["CGPS", "EventLoop", "JSONRPC", "NMEA", "UBX", "ReceiverPorts", "Positioning"]),
    module("Receiver", ["EventLoop", "Gpsd", "NMEA", "UBX", "ReceiverPorts", "Positioning"]),
    module("SQLite", ["CSQLite", "EventLoop"]),
    module("Store", ["SQLite", "EventLoop", "JSONRPC", "Broker", "Geodesy", "Positioning"]),
    module(
      "Server",
      ["EventLoop", "Gpsd", "NMEA", "PositionProtocol", "JSONRPC", "Broker", "ReceiverPorts", "Positioning"]),
    module("ConfigurationTables", ["Positioning", "Printable"]),
    module(
      "Configuration", ["ConfigurationTables", "Broker", "Gpsd", "Receiver", "Server", "Positioning", "Printable"]),

    // The clients' side of the socket, and a simulated receiver.
    module("PositionClient", ["EventLoop", "PositionProtocol", "JSONRPC", "Positioning"]),
    module(
      "ReceiverSimulator",
      ["EventLoop", "NMEA", "UBX", "ReceiverPorts", "Positioning", "CLinux", "ProgramArguments"]),
    module("History", ["SQLite", "JSONRPC", "EventLoop", "Positioning"]),
    module(
      "HistoryRecorder",
      ["History", "SQLite", "ConfigurationTables", "PositionClient", "EventLoop", "Systemd", "Positioning"]),
    module("Track", ["PositionProtocol", "JSONRPC", "Geodesy", "Positioning", "EventLoop", "Printable"]),
    module(
      "ControlCommands",
      [
        "PositionClient", "Track", "History", "SQLite", "PositionProtocol", "JSONRPC", "Gpsd", "ReceiverPorts",
        "Geodesy", "Positioning",
        "EventLoop", "Printable", "ProgramArguments", "CLinux", "CTerminal", "Prompts", "Notations",
        "ConfigurationTables",
      ]),
    module(
      "GeoClue",
      ["Systemd", "PositionClient", "PositionProtocol", "JSONRPC", "Geodesy", "Positioning", "EventLoop"]),
    // The daemon: all of these connected.
    module(
      "PositionDaemon",
      [
        "Broker", "Configuration", "EventLoop", "Gpsd", "PositionProtocol", "Positioning",
        "Receiver", "ReceiverPorts", "Server", "Store", "Systemd",
      ]),
    program(
      "positiond",
      ["PositionDaemon", "Configuration", "EventLoop", "Positioning", "ProgramArguments", "Systemd"], linking: libgps),
    program("positionctl", ["ControlCommands"]),
    program(
      "positiond-geoclue",
      ["GeoClue", "Systemd", "PositionClient", "EventLoop", "Positioning", "Printable", "ProgramArguments"]),
    // The agent for desktops.
    module(
      "DesktopPrompts",
      ["Systemd", "PositionClient", "PositionProtocol", "JSONRPC", "Prompts", "Printable", "Positioning", "EventLoop"]),
    program(
      "positiond-desktop",
      ["DesktopPrompts", "Systemd", "PositionClient", "EventLoop", "Positioning", "Printable", "ProgramArguments"]),
    // The bridge to MQTT.
    module(
      "MQTTBridge",
      [
        "CMosquitto", "ConfigurationTables", "PositionClient", "PositionProtocol", "JSONRPC", "EventLoop", "Systemd",
        "Positioning", "Printable",
      ]),
    program(
      "positiond-mqtt",
      [
        "MQTTBridge", "ConfigurationTables", "EventLoop", "Systemd", "Positioning", "Printable", "ProgramArguments",
      ]),
    // What a user's device remembers of its way, and who records it.
    program(
      "positiond-history",
      [
        "HistoryRecorder", "History", "SQLite", "ConfigurationTables", "PositionClient", "EventLoop", "Systemd",
        "Positioning", "ProgramArguments",
      ]),
    program("positionsim", ["ReceiverSimulator", "EventLoop", "Positioning", "Printable", "ProgramArguments"]),

    // The README's Swift example, compiled with the compiler's defaults like any user's program.
    .executableTarget(
      name: "Example", dependencies: ["PositionClient"], path: "Examples/Example",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // A whole program, with a coming rule of the compiler: each used module must be imported.
    .executableTarget(
      name: "Follow", dependencies: ["PositionClient"], path: "Examples/Follow",
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility")]),
    // An agent, which docs/agents.md shows completely.
    .executableTarget(
      name: "Agent", dependencies: ["PositionClient"], path: "Examples/Agent",
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility")]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx17
)

// Tests: one target for each module, and integration tests. Apart from the others, because of one list of all the compiler
// says that it cannot check it in time.
package.targets += [
  .target(name: "CTestSupport", path: "Tests/CTestSupport", cSettings: cSettings),
  .target(
    name: "TestSupport",
    dependencies: [
      "ConfigurationTables", "EventLoop", "Broker", "JSONRPC", "Positioning", "ReceiverSimulator", "Systemd",
      "CLinux",
      "CTestSupport",
    ],
    path: "Tests/TestSupport", swiftSettings: settings),
  // A kernel and a disk in memory, in which programs live in virtual time.
  .target(name: "CWorldSupport", dependencies: ["CSQLite"], path: "Tests/CWorldSupport", cSettings: cSettings),
  .target(
    name: "WorldSupport", dependencies: ["CSQLite", "CWorldSupport", "EventLoop", "Positioning"],
    path: "Tests/WorldSupport", swiftSettings: settings),
  // The daemon, its programs and a device with a known truth, in one process and in virtual time: `make world`.
  .target(
    name: "SimulatedWorld",
    dependencies: [
      "PositionDaemon", "PositionClient", "PositionProtocol", "GeoClue", "MQTTBridge", "Configuration", "Broker",
      "EventLoop", "Gpsd", "Positioning", "Receiver", "ReceiverSimulator", "Server", "Systemd", "UBX", "WorldSupport",
    ], path: "Tests/SimulatedWorld", swiftSettings: settings),
  .executableTarget(
    name: "world", dependencies: ["SimulatedWorld", "Positioning"], path: "Tests/World", swiftSettings: settings,
    linkerSettings: libgps),
  tests("SimulatedWorldTests", ["SimulatedWorld", "Positioning", "ReceiverSimulator", "TestSupport"]),
  // Any bytes for what reads others' bytes. The tests feed what was kept; `make fuzz` goes on from there.
  .target(
    name: "FuzzTargets",
    dependencies: [
      "Broker", "Configuration", "ConfigurationTables", "EventLoop", "Geodesy", "Gpsd", "JSONRPC", "NMEA", "Notations",
      "PositionProtocol", "Positioning", "ProgramArguments", "Receiver", "ReceiverPorts", "ReceiverSimulator", "Store",
      "UBX", "WorldSupport",
    ], path: "Tests/FuzzTargets", swiftSettings: settings),
  tests("FuzzTests", ["FuzzTargets", "Positioning", "ReceiverSimulator", "TestSupport"], data: ["Corpus"]),
  tests("WorldSupportTests", ["WorldSupport", "EventLoop", "Positioning", "TestSupport"]),
  tests(
    "TrustTests",
    ["Trust", "Gpsd", "ReceiverPorts", "ReceiverSimulator", "Geodesy", "Positioning", "TestSupport"]),
  tests(
    "BrokerTests", ["Broker", "ReceiverPorts", "Positioning", "Geodesy", "ReceiverSimulator", "TestSupport"]),
  // Measures the cost of one turn of the broker: `make bench-turns`.
  .executableTarget(
    name: "turnbench", dependencies: ["Broker", "CTestSupport", "Positioning", "ReceiverPorts"],
    path: "Tests/TurnBench",
    swiftSettings: settings, linkerSettings: libgps),
  // How long the receiver is on, by the broker and by other strategies: `make bench-energy`.
  .executableTarget(
    name: "energybench", dependencies: ["Broker", "Positioning", "ReceiverPorts", "ReceiverSimulator"],
    path: "Tests/EnergyBench",
    swiftSettings: settings, linkerSettings: libgps),
  tests("CGPSTests", ["CGPS", "Gpsd", "Positioning", "CTestSupport", "TestSupport"]),
  tests(
    "ConfigurationTests", ["Configuration", "Broker", "Gpsd", "Positioning", "Receiver", "TestSupport"],
    data: ["Fixtures"]),
  tests(
    "DesktopPromptsTests",
    ["DesktopPrompts", "Systemd", "JSONRPC", "Positioning", "EventLoop", "ReceiverSimulator", "TestSupport"]),
  tests("EventLoopTests", ["EventLoop", "CLinux", "CSystemd", "Positioning", "TestSupport"]),
  tests("GeoClueTests", ["GeoClue", "Systemd", "Positioning", "ReceiverSimulator", "TestSupport"]),
  tests("GeodesyTests", ["Geodesy", "Positioning"]),
  tests(
    "GpsdTests",
    ["Gpsd", "Broker", "UBX", "ReceiverPorts", "EventLoop", "Positioning", "ReceiverSimulator", "TestSupport"],
    data: ["Recordings"]),
  tests("NotationsTests", ["Notations", "Geodesy", "Positioning"]),
  // Places in every notation, for judges that are written in Python: scripts/check-notations.
  .executableTarget(
    name: "notationlist", dependencies: ["Notations", "Positioning"], path: "Tests/NotationList",
    swiftSettings: settings),
  tests("NMEATests", ["NMEA", "EventLoop", "Positioning", "TestSupport"]),
  // Measures a history of a million fixes: `make bench-history`.
  .executableTarget(
    name: "historybench", dependencies: ["History", "EventLoop", "Positioning"], path: "Tests/HistoryBench",
    swiftSettings: settings),
  tests(
    "HistoryTests",
    [
      "History", "HistoryRecorder", "SQLite", "ConfigurationTables", "PositionClient", "EventLoop", "Positioning",
      "TestSupport",
    ]),
  tests("JSONRPCTests", ["JSONRPC", "EventLoop", "TestSupport"]),
  tests("PositionProtocolTests", ["PositionProtocol", "JSONRPC", "Positioning", "TestSupport"]),
  tests("PositioningTests", ["Positioning"]),
  tests(
    "ReceiverTests",
    ["Receiver", "ReceiverPorts", "ReceiverSimulator", "EventLoop", "UBX", "Positioning", "WorldSupport"]),
  tests(
    "ReceiverSimulatorTests",
    [
      "ReceiverSimulator", "EventLoop", "NMEA", "UBX", "ReceiverPorts", "Positioning", "ProgramArguments",
      "TestSupport",
    ]),
  tests(
    "ServerTests",
    ["Server", "Broker", "ReceiverPorts", "PositionProtocol", "JSONRPC", "EventLoop", "Positioning", "TestSupport"]),
  // The program that a test of the store kills while it stores events.
  .executableTarget(
    name: "storekeeper", dependencies: ["Store", "Broker", "EventLoop", "Positioning"], path: "Tests/Storekeeper",
    swiftSettings: settings),
  tests(
    "StoreTests",
    [
      "Store", "storekeeper", "Broker", "EventLoop", "Geodesy", "JSONRPC", "PositionProtocol", "Positioning",
      "ReceiverSimulator", "TestSupport",
    ], data: ["Fixtures"]),
  .executableTarget(
    name: "startunit", dependencies: ["Systemd", "EventLoop"], path: "Tests/StartUnit", swiftSettings: settings),
  tests(
    "PositionDaemonTests",
    ["PositionDaemon", "Broker", "Configuration", "EventLoop", "Gpsd", "Positioning", "Systemd", "WorldSupport"]),
  tests("PrintableTests", ["Printable"]),
  tests("TestSupportTests", ["TestSupport", "EventLoop", "Positioning"]),
  tests("SystemdTests", ["Systemd", "CSystemd", "EventLoop", "Positioning", "TestSupport"]),
  tests(
    "ControlCommandsTests",
    [
      "ControlCommands", "ConfigurationTables", "Notations", "Track", "Printable", "PositionClient",
      "PositionProtocol", "JSONRPC", "Gpsd", "History",
      "ReceiverPorts", "EventLoop", "Positioning", "ProgramArguments", "TestSupport",
    ], data: ["Captures"]),
  tests(
    "PositionClientTests",
    ["PositionClient", "PositionProtocol", "JSONRPC", "EventLoop", "Positioning", "TestSupport"]),
  tests(
    "MQTTBridgeTests",
    ["MQTTBridge", "ConfigurationTables", "PositionClient", "JSONRPC", "Positioning", "TestSupport"]),
  tests(
    "IntegrationTests",
    [
      "PositionClient", "PositionProtocol", "JSONRPC", "ReceiverSimulator", "EventLoop", "Positioning", "TestSupport",
      "Geodesy", "History", "SimulatedWorld", "UBX",
    ], data: ["Programs"]),
]

// It links only with libFuzzer, so it is only there when it is asked for.
if Context.environment["POSITIOND_FUZZING"] != nil {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/CFuzzer", cSettings: cSettings),
    .executableTarget(
      name: "fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tests/Fuzz", swiftSettings: settings,
      linkerSettings: libgps),
  ]
}
