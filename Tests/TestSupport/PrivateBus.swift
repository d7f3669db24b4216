package import EventLoop
import Glibc
import ReceiverSimulator
package import Systemd

/// A message bus of the test's own, of which nothing on the machine knows.
package final class PrivateBus {
  package let address: String
  private let loop: EventLoop
  private let folder: TemporaryFolder
  private let program: RunningProgram

  /// - Parameter services: What the bus can start: a program for each name.
  package init(on loop: EventLoop, services: [String: String] = [:]) throws {
    self.loop = loop
    let folder = try TemporaryFolder()
    self.folder = folder
    try folder.openToEverybody()
    let socket = folder.file("bus")
    self.address = "unix:path=\(socket)"
    try File.write(Array(Self.configuration(socket, services: folder.path).utf8), to: folder.file("bus.conf"))
    for (name, program) in services {
      let text = "[D-BUS Service]\nName=\(name)\nExec=\(program)\n"
      try File.write(Array(text.utf8), to: folder.file("\(name).service"))
    }
    self.program = try RunningProgram(
      "/usr/bin/dbus-daemon", ["--config-file=\(folder.file("bus.conf"))", "--nofork", "--print-address=1"], on: loop)
    try self.program.waitToSay("unix:path=")
  }

  /// As the machine's buses, without their users and services.
  private static func configuration(_ socket: String, services: String) -> String {
    """
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(services)</servicedir>
      <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
      </policy>
    </busconfig>

    """
  }

  /// Ends the bus, and with it every connection.
  package func end() { self.program.send(SIGTERM) }

  /// A connection that has these names.
  package func connect(as names: String...) throws -> BusConnection {
    let connection = try BusConnection(to: self.address, on: self.loop)
    var calls: [BusCall] = []
    var owned = 0
    for name in names {
      calls.append(
        try BusCall(.ofBus("RequestName"), [.string(name), .uint32(0)], over: connection) { reply in
          if case .returned(let answer) = reply, answer.values == [.uint32(1)] { owned += 1 }
        })
    }
    try self.loop.drive(until: "the names \(names)") { owned == names.count }
    return withExtendedLifetime(calls) { connection }
  }
}
