import EventLoop
import Positioning
import Testing
import UBX
import WorldSupport

@testable import Receiver

@Suite("The files of assisted starts") struct AssistFilesTests {
  private static let time = AssistRun.begin
  private static let kept = KeptAssistance(
    source: .init(driver: "u-blox", firmware: "SW ROM CORE 3.01\n=x"), taken: Self.time,
    place: LastPlace(
      coordinate: Coordinate(latitude: -0.5, longitude: 179.25), altitude: -3.5, accuracy: 2.5, time: Self.time),
    frames: [UBXFrame(0x13, 0x80, payload: [UInt8](repeating: 10, count: 60))])

  private static func disk() throws -> MemoryDisk {
    let disk = MemoryDisk(name: "assist", seed: 1)
    try disk.makeFolder("/var")
    try disk.makeFolder("/var/orbits")
    return disk
  }

  private static func files(_ disk: MemoryDisk, folder: String? = nil) -> AssistFiles {
    AssistFiles(beside: "/var/positiond.db", folder: folder, on: disk)
  }

  @Test func `what is kept is read again, and no text ends its line`() throws {
    let read = try KeptAssistance(parsing: Self.kept.bytes)
    #expect(read.frames == Self.kept.frames && read.place == Self.kept.place && read.taken == Self.kept.taken)
    #expect(read.source.firmware == "SW ROM CORE 3.01?=x")
    let bare = KeptAssistance(source: .init(driver: "MTK-3301"), taken: Self.time, place: nil, frames: [])
    #expect(try KeptAssistance(parsing: bare.bytes) == bare)
  }

  @Test func `no file that is cut or changed anywhere is read`() {
    let bytes = Self.kept.bytes
    for length in bytes.indices {
      #expect(throws: UnreadableAssistance.self) { try KeptAssistance(parsing: Array(bytes[..<length])) }
    }
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x01
      #expect(throws: UnreadableAssistance.self, "byte \(place)") { try KeptAssistance(parsing: changed) }
    }
  }

  @Test func `a file with a command in it is not read`() {
    var kept = Self.kept
    kept.frames.append(UBXFrame(0x06, 0x04, payload: [0xFF, 0xFF, 0, 0]))
    #expect(throws: UnreadableAssistance("has messages that no receiver may be sent")) {
      try KeptAssistance(parsing: kept.bytes)
    }
  }

  @Test func `the longest is not longer than a file may be`() throws {
    var kept = Self.kept
    kept.source = .init(driver: String(repeating: "d", count: 500), firmware: String(repeating: "f", count: 500))
    let frame = UBXFrame(0x13, 0x80, payload: [UInt8](repeating: 10, count: 164))
    kept.frames = [UBXFrame](repeating: frame, count: KeptAssistance.mostMessageBytes / 172)
    #expect(kept.bytes.count <= KeptAssistance.mostBytes)
    #expect(try KeptAssistance(parsing: kept.bytes).frames == kept.frames)
  }

  @Test func `it is kept beside the database, and set aside once it cannot be read`() throws {
    let disk = try Self.disk()
    let files = Self.files(disk)
    #expect(files.load(for: .ublox, at: Self.time) == LoadedAssistance())
    try files.keep(Self.kept)
    #expect(files.path == "/var/positiond.db.assist")
    #expect(files.load(for: .ublox, at: Self.time).kept?.frames == Self.kept.frames)
    let cut = Array(Self.kept.bytes.dropLast(5))
    try disk.write(cut, to: files.path, mode: 0o600, isDurable: true)
    let loaded = files.load(for: .ublox, at: Self.time)
    #expect(loaded.kept == nil)
    #expect(
      loaded.problems == [
        "/var/positiond.db.assist is cut: it has 63 of 68 bytes of messages, and was moved to "
          + "/var/positiond.db.assist.set-aside"
      ])
    #expect(try disk.read("/var/positiond.db.assist.set-aside", limit: 1000) == cut)
    #expect(!disk.exists(files.path))
  }

  @Test func `on this machine's disk it is closed to other users`() throws {
    let folder = try TemporaryFolder()
    let files = AssistFiles(beside: "\(folder.path)/positiond.db", folder: folder.path, on: SystemDisk())
    try files.keep(Self.kept)
    #expect(try SystemDisk().status(of: files.path).get().mode == 0o600)
    #expect(files.load(for: .ublox, at: Self.time).kept?.taken == Self.time)
    #expect(try SystemDisk().names(in: folder.path, limit: 5) == ["positiond.db.assist"])
    #expect(throws: SystemError.self) { try SystemDisk().names(in: "\(folder.path)/none", limit: 5) }
  }

  @Test func `a loss of power leaves the old file or the new one`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let disk = try Self.disk()
      try Self.files(disk).keep(Self.kept)
      var later = Self.kept
      later.taken = Self.time + .seconds(3600)
      try Self.files(disk).keep(later)
      disk.cutPower(seed: seed)
      #expect(Self.files(disk).load(for: .ublox, at: Self.time).kept?.taken == later.taken)
    }
  }

  // MARK: Predicted orbits

  private static func predicted(
    _ bytes: [UInt8], dialect: AssistDialect = .ublox, after age: Duration = .zero
  ) -> PredictedOrbits {
    var orbits = PredictedOrbits()
    orbits.add(bytes, name: "file", for: dialect, at: Self.time + age)
    return orbits
  }

  @Test func `of a file of two weeks the day is given`() {
    let file = AssistRun.predictions(days: 14)
    let fifth = Self.predicted(file, after: .seconds(5 * 86_400))
    #expect(fifth.messages.count == 12 && fifth.problems.isEmpty)
    // 2026-02-05.
    for case .ublox(let frame) in fifth.messages { #expect(frame.payload[4...6] == [26, 2, 5]) }
    #expect(Self.predicted(file, after: .seconds(20 * 86_400)).messages.isEmpty)
  }

  @Test(
    "a file that is something else gives nothing, and is named",
    arguments: [
      (Array("hello".utf8), "is no file of UBX messages"), ([], "is no file of UBX messages"),
      (AssistRun.predictions(days: 1).dropLast(1) + [], "has no UBX message at byte 924"),
      (UBXFrame(0x06, 0x04, payload: [0, 0, 0, 0]).bytes, "has messages that are no orbits"),
      (Self.kept.frames[0].bytes, "has messages that are no orbits"),
      (UBXTimeAssistance(time: Self.time, error: .zero).frame.bytes, "has messages that are no orbits"),
      (UBXFrame(0x13, 0x00, payload: [UInt8](repeating: 2, count: 36)).bytes, "has no predicted orbits"),
    ] as [([UInt8], String)])
  func foreign(bytes: [UInt8], problem: String) {
    let orbits = Self.predicted(bytes)
    #expect(orbits.messages.isEmpty && orbits.problems == ["file \(problem)"])
  }

  @Test func `a file of other days is named with its nearest`() {
    let orbits = Self.predicted(AssistRun.predictions(days: 2), after: .seconds(30 * 86_400))
    #expect(orbits.problems == ["file is for other days: the nearest is 2026-02-01"])
  }

  private static func sentence(hour: Int, satellite: Int = 1) -> [UInt8] {
    let words = ["\(String(hour | satellite << 24, radix: 16, uppercase: true))"] + [String](repeating: "1F", count: 17)
    let body = "PMTK721,\(String(satellite, radix: 16))," + words.joined(separator: ",")
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(body)*\(sum.utf8.count < 2 ? "0" : "")\(sum)\r\n".utf8)
  }

  @Test func `a MediaTek is given the six hours of now`() {
    let hour = Int((Self.time.milliseconds - 315_964_800_000) / 3_600_000)
    let file = [-12, -6, -3, 0, 3].flatMap { Self.sentence(hour: hour + $0) }
    let orbits = Self.predicted(file, dialect: .mediaTek)
    #expect(orbits.messages.count == 2 && orbits.problems.isEmpty)
    #expect(Self.predicted(file, dialect: .mediaTek, after: .seconds(86_400)).problems == ["file is for another time"])
    // The other kind of file is no mistake.
    #expect(Self.predicted(file).problems.isEmpty)
    var wrong = file
    wrong[20] ^= 1
    #expect(Self.predicted(wrong, dialect: .mediaTek).messages.isEmpty)
    let command = Array("$PMTK225,4*2F\r\n".utf8)
    #expect(
      Self.predicted(file + command, dialect: .mediaTek).problems
        == ["file has a line that is no PMTK721 sentence with a right sum"])
  }

  @Test func `a MediaTek gets its time and a near position as sentences`() throws {
    var loaded = LoadedAssistance()
    loaded.kept = Self.kept
    loaded.kept?.source = .init(driver: "MTK-3301")
    func sentences(after age: Duration) -> [String] {
      AssistPlan(
        for: .init(driver: "MTK-3301"), .mediaTek, place: nil, loaded: loaded, time: Self.time + age,
        error: .milliseconds(50)
      ).messages.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(sentences(after: .seconds(60)) == ["$PMTK741,-0.500000,179.250000,-4,2026,1,31,12,1,0*12\r\n"])
    #expect(sentences(after: .seconds(86_400)).first?.hasPrefix("$PMTK740,2026,2,1,12,0,0*") == true)
  }

  // MARK: The error of a position

  @Test func `the error of a place grows with time`() {
    let place = LastPlace(coordinate: AssistRun.place, altitude: 0, accuracy: 5, time: Self.time)
    #expect(place.error(after: .seconds(-10)) == 5)
    #expect(abs(place.error(after: .seconds(600)) - 18_699) < 1)
    #expect(abs(place.error(after: .seconds(7200)) - 108_338) < 1)
    #expect(abs(place.error(after: .seconds(86_400)) - 200_005) < 1)
    let errors = (0..<1000).map { place.error(after: .seconds($0 * 600)) }
    #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 < $1 })
  }
}
