import Glibc
import ReceiverSimulator

/// The kernel's facts about a process.
struct ProcessFacts {
  let pid: pid_t

  /// The number of its threads.
  func threads() throws -> Int { try self.number("Threads") }

  /// How often it has waited and was woken, since it began.
  func wakeUps() throws -> Int { try self.number("voluntary_ctxt_switches") }

  /// The most memory that it had at a time, in bytes.
  func peakMemory() throws -> Int { try self.number("VmHWM") * 1024 }

  /// How much of its own program's code is mapped, in bytes.
  func residentCode() throws -> Int {
    var isCode = false
    for line in try Self.lines("/proc/\(self.pid)/smaps") {
      let words = line.split(separator: " ")
      if words.first?.hasSuffix(":") == false {
        isCode = words.count > 5 && words[1] == "r-xp" && words[5].hasSuffix("/positiond")
      } else if isCode, words.first == "Rss:", words.count > 1, let kilobytes = Int(words[1]) {
        return kilobytes * 1024
      }
    }
    throw Missing(key: "the program's code")
  }

  /// The number of its descriptors that are TCP sockets.
  func tcpSockets() throws -> Int {
    // The list has all processes; a socket's inode shows the owner.
    let inodes = try ["tcp", "tcp6"].flatMap { name in
      try Self.lines("/proc/\(self.pid)/net/\(name)").dropFirst().compactMap { line in
        let fields = line.split(separator: " ")
        return fields.count > 9 ? String(fields[9]) : nil
      }
    }
    let links = Set(inodes.map { "socket:[\($0)]" })
    return (0..<64).count { descriptor in
      var bytes = [CChar](repeating: 0, count: 64)
      let length = unsafe readlink("/proc/\(self.pid)/fd/\(descriptor)", &bytes, bytes.count)
      return length > 0
        && links.contains(
          String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }

  /// The lowest number from this one on that none of its descriptors has.
  func firstFreeDescriptor(from first: Int) -> Int {
    var number = first
    var byte: CChar = 0
    while unsafe readlink("/proc/\(self.pid)/fd/\(number)", &byte, 1) > 0 { number += 1 }
    return number
  }

  private func number(_ key: String) throws -> Int {
    for line in try Self.lines("/proc/\(self.pid)/status") where line.hasPrefix("\(key):") {
      if let number = Int(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first ?? "") { return number }
    }
    throw Missing(key: key)
  }

  private struct Missing: Error { let key: String }

  private static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try File.read(path), as: UTF8.self).split(separator: "\n")
  }
}
