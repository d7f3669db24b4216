import Configuration
import EventLoop
import Glibc
import PositionDaemon
import Positioning
import Testing
import WorldSupport

/// The daemon with its server, store and session with gpsd, in virtual time and over a kernel in memory.
@Suite("The whole daemon in memory") struct WholeDaemonTests {
  private static let ada = Principal(uid: 1000, gid: 1000, pid: 42, groups: [1000])
  private static let request = #"{"jsonrpc":"2.0","id":1,"method":"position.get","params":{"timeout":30}}"# + "\n"

  @Test("Two daemons of one process answer one-shots from gpsds of their own, in virtual time")
  func two() throws {
    let machine = MemoryMachine(seed: 3)
    let disks = [MemoryDisk(name: "two-a", seed: 1), MemoryDisk(name: "two-b", seed: 2)]
    let gpsds = [
      MemoryGpsd(on: machine, latitude: 48.25), MemoryGpsd(on: machine, port: 2948, latitude: -33.5),
    ]
    let sockets = ["/run/a/positiond.sock", "/run/b/positiond.sock"]
    let daemons = try (0..<2).map { place in
      try WholeDaemon(
        on: machine, disks[place], settings: WholeDaemon.settings(socket: sockets[place], gpsd: 2947 + place))
    }
    let began = machine.now
    Self.mark("begins")
    let clients = try sockets.map { try machine.connect(to: .path($0), as: Self.ada) }
    for client in clients { client.send(Self.request) }
    let isAnswered = try machine.run(until: machine.now + .seconds(60)) {
      clients.allSatisfy { Self.answer(in: $0.received) != nil }
    }
    Self.mark("has ended")
    #expect(isAnswered, "\(daemons.map(\.record.log))")
    let answers = try clients.map { try #require(Self.answer(in: $0.received)) }
    #expect(answers[0].contains(#""latitude":48.25"#), "\(answers)")
    #expect(answers[1].contains(#""latitude":-33.5"#), "\(answers)")
    #expect(machine.now > began)
    #expect(gpsds.map(\.isWatched) == [true, true])
    // Nobody needs the receivers any more, and after the linger they are released.
    try machine.run(for: .seconds(600))
    #expect(gpsds.map(\.isWatched) == [false, false])
    #expect(
      daemons.map(\.record.notices.last) == ["idle: does not use the receiver", "idle: does not use the receiver"])
  }

  @Test("The same seed gives the same bytes at the same moments")
  func repeatable() throws {
    let runs = try (0..<2).map { try Self.run(disk: "repeatable-\($0)") }
    #expect(runs[0] == runs[1])
    #expect(runs[0].contains { $0.contains("latitude") })
  }

  private static func run(disk name: String) throws -> [String] {
    let machine = MemoryMachine(seed: 11)
    let disk = MemoryDisk(name: name, seed: 5)
    let gpsd = MemoryGpsd(on: machine, latitude: 12.75)
    let daemon = try WholeDaemon(on: machine, disk)
    let client = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
    var seen: [String] = []
    client.onLine = { seen.append("\(machine.now.sinceBoot): \($0)") }
    client.send(Self.request)
    try machine.run(for: .seconds(120))
    withExtendedLifetime((gpsd, daemon)) {}
    return seen
  }

  @Test("SIGTERM ends it, and nothing of it is left")
  func ends() throws {
    let machine = MemoryMachine(seed: 4)
    let disk = MemoryDisk(name: "ends", seed: 1)
    weak var left: EventLoop?
    try {
      let daemon = try WholeDaemon(on: machine, disk)
      left = daemon.loop
      daemon.kernel.send(SIGTERM)
      let hasEnded = try machine.run(until: machine.now + .seconds(60)) { daemon.loop.isStopped }
      #expect(hasEnded)
      #expect(daemon.record.notices.last == "stopping: stopping")
      #expect(daemon.record.log.contains("all clients have disconnected"))
    }()
    try machine.run(for: .seconds(120))
    #expect(left == nil)
  }

  @Test("What was answered is there after a kill and a loss of power, at whatever moment")
  func powerCut() throws {
    for seed in UInt64(1)...12 {
      let machine = MemoryMachine(seed: seed)
      let disk = MemoryDisk(name: "power-cut-\(seed)", seed: seed)
      var answered: Set<String> = []
      let names = (0..<8).map { "name\($0)" }
      try {
        let daemon = try WholeDaemon(on: machine, disk)
        let client = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
        client.onLine = { line in
          for (number, name) in names.enumerated() where line.contains(#""id":\#(number),"result""#) {
            answered.insert(name)
          }
        }
        for (number, name) in names.enumerated() { client.send(Self.keep(name, id: number)) }
        _ = try machine.run(until: machine.now + .seconds(30)) { answered.count > Int(seed % 8) }
        disk.cutPower(seed: seed)
        daemon.kill()
      }()
      #expect(!answered.isEmpty)
      let daemon = try WholeDaemon(on: machine, disk)
      let client = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
      for name in names {
        client.send(
          #"{"jsonrpc":"2.0","id":"\#(name)","method":"region.list","params":{"durable":{"name":"\#(name)"}}}"# + "\n")
      }
      try machine.run(for: .seconds(10))
      let text = String(decoding: client.received, as: UTF8.self)
      for name in answered {
        let line = text.split(separator: "\n").first { $0.contains(#""id":"\#(name)""#) } ?? ""
        #expect(line.contains(#""id":"region-\#(name)""#), "seed \(seed): \(text)")
      }
      #expect(!daemon.record.log.contains { $0.contains("set-aside") }, "seed \(seed): \(daemon.record.log)")
    }
  }

  @Test("While the disk is full a durable registration is refused, and accepted once there is room")
  func fullDisk() throws {
    let machine = MemoryMachine(seed: 6)
    let disk = MemoryDisk(name: "full-disk", seed: 6)
    let daemon = try WholeDaemon(on: machine, disk)
    disk.fail(.full)
    let client = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
    client.send(Self.keep("home", id: 1))
    // At once if the disk has failed before, else when the disk has had its time.
    try machine.run(for: .seconds(35))
    #expect(Self.answer(in: client.received)?.contains("error") == true)
    #expect(daemon.record.log.contains { $0.hasPrefix("cannot store anything now") }, "\(daemon.record.log)")
    disk.mend()
    try machine.run(for: .seconds(60))
    #expect(daemon.record.log.contains("storing works again; the waiting changes are stored"))
    let later = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
    later.send(Self.keep("home", id: 1))
    try machine.run(for: .seconds(10))
    #expect(Self.answer(in: later.received)?.contains("result") == true)
  }

  @Test("A database that another process has open is opened once that one has gone")
  func busy() throws {
    let machine = MemoryMachine(seed: 7)
    let disk = MemoryDisk(name: "busy", seed: 7)
    disk.fail(.busy)
    let daemon = try WholeDaemon(on: machine, disk)
    #expect(daemon.record.log.contains { $0.contains("another process has it open") }, "\(daemon.record.log)")
    let client = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
    client.send(Self.keep("home", id: 1))
    try machine.run(for: .seconds(10))
    #expect(Self.answer(in: client.received)?.contains("error") == true)
    disk.mend()
    try machine.run(for: .seconds(70))
    let later = try machine.connect(to: .path(WholeDaemon.socket), as: Self.ada)
    later.send(Self.keep("home", id: 1))
    try machine.run(for: .seconds(10))
    #expect(Self.answer(in: later.received)?.contains("result") == true, "\(daemon.record.log)")
  }

  private static func keep(_ name: String, id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"region.add","params":{"id":"region-\#(name)","#
      + #""circle":{"latitude":48.0,"longitude":11.0,"radius":200},"durable":{"name":"\#(name)"}}}"# + "\n"
  }

  /// The line that answers the request.
  private static func answer(in bytes: [UInt8]) -> String? {
    // What follows the last end of a line is not whole yet.
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .first { $0.contains(#""id":1"#) }.map(String.init)
  }

  /// Shows in the output of strace where the virtual time begins and ends.
  private static func mark(_ text: String) { _ = unsafe access("virtual time \(text)", F_OK) }
}
