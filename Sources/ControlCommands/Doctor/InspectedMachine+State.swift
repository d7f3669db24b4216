import Glibc

/// The clock of a machine, as it runs without power.
enum ClockChip: Hashable, Sendable {
  /// There is none.
  case missing
  /// It shows this time, in seconds since 1970.
  case shows(Int)
  /// This cannot be found out here.
  case unknown
}

/// A program that takes the time from gpsd's receiver.
struct TimeService: Hashable, Sendable {
  /// Such as `chrony`.
  let name: String
  /// The line of its configuration.
  let line: String
}

/// What is left of the disk that a folder is on.
struct FreeSpace: Hashable, Sendable {
  let folder: String
  /// Bytes that the daemon may use.
  let bytes: UInt64
  /// Whether there is room for another file's entry.
  let hasEntries: Bool
}

extension InspectedMachine {
  /// The clock that runs without power.
  var clockChip: ClockChip {
    // A kernel without the class has its time from elsewhere, as in a virtual machine.
    guard self.exists("/sys/class/rtc") else { return .unknown }
    let clocks = self.names(in: "/sys/class/rtc")
    guard let first = clocks.sorted().first else { return .missing }
    return self.line("/sys/class/rtc/\(first)/since_epoch").flatMap { Int($0) }.map { .shows($0) } ?? .unknown
  }

  /// The running program that takes the time from gpsd's receiver, by its configuration; `nil`: none does, or that cannot be
  /// read.
  var timeService: TimeService? {
    if self.runs("chronyd") {
      let files = ["/etc/chrony/chrony.conf", "/etc/chrony.conf"] + self.configurations(in: "/etc/chrony/conf.d")
      if let line = self.line(
        of: files,
        where: { words in
          words.first == "refclock" && ["SHM", "SOCK"].contains(words.dropFirst().first)
        })
      {
        return TimeService(name: "chrony", line: line)
      }
      if let socket = self.chronySocket { return TimeService(name: "chrony", line: "it waits at \(socket)") }
    }
    if self.runs("ntpd") {
      let files = ["/etc/ntpsec/ntp.conf", "/etc/ntp.conf"] + self.configurations(in: "/etc/ntpsec/ntp.d")
      if let line = self.line(
        of: files,
        where: { words in
          words.dropFirst().first.map { $0.hasPrefix("127.127.28.") } == true
            || words.first == "refclock" && words.dropFirst().first == "shm"
        })
      {
        return TimeService(name: "ntpd", line: line)
      }
    }
    return nil
  }

  /// A socket that chrony made where gpsd looks for one to send the time to, named for the receiver.
  private var chronySocket: String? {
    self.text("/proc/net/unix", limit: 1 << 20)?.split(separator: "\n").lazy
      .compactMap { $0.split(separator: " ", omittingEmptySubsequences: true).last }
      .first { path in path.hasSuffix(".sock") && ["/run/chrony.", "/var/run/chrony."].contains { path.hasPrefix($0) } }
      .map(String.init)
  }

  private func configurations(in folder: String) -> [String] {
    self.names(in: folder).filter { $0.hasSuffix(".conf") }.sorted().map { "\(folder)/\($0)" }
  }

  private func line(of files: [String], where isMeant: ([Substring]) -> Bool) -> String? {
    for file in files {
      guard let text = self.text(file, limit: 1 << 16) else { continue }
      for line in text.split(separator: "\n") where isMeant(line.split(whereSeparator: \.isWhitespace)) {
        return String(line)
      }
    }
    return nil
  }

  /// Whether SELinux enforces its rules; `nil`: the kernel has none.
  var isSELinuxEnforcing: Bool? { self.line("/sys/fs/selinux/enforce").map { $0 == "1" } }

  /// What the local additions to gpsd's profile of AppArmor allow, as they are written; empty: nothing.
  var localProfile: String { self.text("/etc/apparmor.d/local/usr.sbin.gpsd", limit: 1 << 16) ?? "" }

  /// Where the daemon stores what must outlive it.
  static let stateFolder = "/var/lib/positiond"

  /// The room for what the daemon stores; `nil` if its folder is not there.
  var freeSpace: FreeSpace? {
    var status = statvfs()
    guard unsafe statvfs(self.root + Self.stateFolder, &status) == 0 else { return nil }
    return FreeSpace(
      folder: Self.stateFolder, bytes: UInt64(status.f_bavail) * UInt64(status.f_frsize),
      // A file system without a table of its own has no limit.
      hasEntries: status.f_files == 0 || status.f_favail > 0)
  }

  /// Whether a process with that name runs.
  ///
  /// - Parameter name: The kernel's form, which is its first 15 bytes.
  func runs(_ name: String) -> Bool { self.processes.contains { $0.name == name } }

  /// All processes.
  var processes: [Holder] {
    self.names(in: "/proc").compactMap { entry in
      guard entry.allSatisfy(\.isNumber), let number = Int(entry) else { return nil }
      return self.line("/proc/\(entry)/comm").map { Holder(name: $0, number: number) }
    }
  }

  /// The names in a folder; none if it cannot be read.
  func names(in path: String) -> [String] {
    guard let folder = unsafe opendir(self.root + path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The first line of a small file; `nil` if it cannot be read or is empty.
  func line(_ path: String) -> String? {
    self.text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init).flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
