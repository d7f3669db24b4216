import EventLoop
import Glibc
import History
import Positioning

/// Measures a history of a million fixes: `make bench-history`, or `historybench COUNT FILE`, which leaves the file.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    let count = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
    let folder = try TemporaryFolder()
    let path = arguments.count > 2 ? arguments[2] : folder.file("positiond/history.db")
    let file = try HistoryFile.open(path, creates: true)
    let start = Timestamp(milliseconds: 1_780_000_000_000)
    var walk = Walk()
    let (cpu, wall) = (Self.processorTime(), Clocks.system.sinceBoot())
    for number in 0..<count {
      guard let fix = walk.next(at: start + .seconds(number)) else { continue }
      try file.record([.fix(fix)])
    }
    let (spent, passed) = (Self.processorTime() - cpu, (Clocks.system.sinceBoot() - wall).seconds)
    let bytes = try file.usedBytes()
    print("\(count) fixes, one transaction each: \(bytes) bytes, \(Self.rounded(Double(bytes) / Double(count))) a fix")
    print(
      "recording: \(Self.rounded(spent / Double(count) * 1e6)) µs of processor time a fix,"
        + " \(Self.rounded(passed / Double(count) * 1e6)) µs passed")
    let middle = start + .seconds(count / 2)
    try Self.measure("at", times: 100) { _ = try file.around(middle + .seconds($0)) }
    let range = middle...middle + .seconds(86_399)
    try Self.measure("day, of as many fixes as it has seconds", times: 10) { _ in
      let day = DayTimeline(
        range, fixes: try file.fixes(in: range), stays: try file.stays(in: range), gaps: try file.gaps(in: range),
        passages: try file.passages(), now: range.upperBound)
      precondition(day.fixes > 0)
    }
    let place = HistoryCircle(centre: Coordinate(latitude: 48.1, longitude: 11.5), radius: 200)
    try Self.measure("near", times: 3) { _ in _ = try file.nearness(to: place) }
    print("resident: \(OwnMemory.resident / 1024) KiB at the end")
  }

  private static func measure(_ name: String, times: Int, _ body: (Int) throws -> Void) throws {
    var all: [Double] = []
    for time in 0..<times {
      let begin = Clocks.system.sinceBoot()
      try body(time)
      all.append((Clocks.system.sinceBoot() - begin).seconds * 1000)
    }
    all.sort()
    print("\(name): \(Self.rounded(all[all.count / 2])) ms, at worst \(Self.rounded(all[all.count - 1])) ms")
  }

  /// Seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}

/// What the kernel says of this process.
enum OwnMemory {
  /// Bytes.
  static var resident: Int {
    let text = (try? SystemDisk().read("/proc/self/statm", limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    let words = (text ?? "").split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}

/// A walk from a seed, with the noise of a receiver.
struct Walk {
  private var random = SeededRandom(seed: 1)
  private var place = Coordinate(latitude: 48.1, longitude: 11.5)
  private var course = 90.0
  private var error = (north: 0.0, east: 0.0)

  mutating func next(at time: Timestamp) -> HistoryFix? {
    self.course = (self.course + self.noise(8)).wrappedCourse
    let speed = 1.4 + self.noise(0.4)
    self.place.latitude += speed / 111_000 * cos(self.course.radians)
    self.place.longitude = (self.place.longitude + speed / 74_000 * sin(self.course.radians)).wrappedLongitude
    self.place.latitude = min(max(self.place.latitude, 47), 49)
    // The error of a receiver wanders.
    self.error = (self.error.north * 0.99 + self.noise(0.3), self.error.east * 0.99 + self.noise(0.3))
    var fix = Fix(
      latitude: self.place.latitude + self.error.north / 111_000,
      longitude: self.place.longitude + self.error.east / 74_000, horizontalAccuracy: 3.5 + self.noise(0.5),
      altitude: 545 + self.noise(0.5), ellipsoidalAltitude: 591.9 + self.noise(0.5),
      verticalAccuracy: 6 + self.noise(0.5),
      speed: speed + self.noise(0.1), course: (self.course + self.noise(3)).wrappedCourse, arrival: .boot,
      satellitesUsed: 10 + Int(self.noise(1.9)), horizontalAccuracy95: 6.5 + self.noise(0.5),
      accuracySource: .standardDeviations)
    fix.integrity = .trusted
    return HistoryFix(fix, at: time + .milliseconds(Int(self.noise(40))))
  }

  private mutating func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &self.random) }
}
