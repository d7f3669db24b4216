import CLinux
import Glibc
import Positioning

extension PeerUnit {
  /// The unit of the process that connected, as it is now.
  ///
  /// - Parameter read: a process's control groups, by its number.
  init(ofPeerOf socket: FileDescriptor, read: (pid_t) -> String? = Self.controlGroups) {
    // After a process has ended, its number may be given to another. The kernel's handle refers to the process that
    // connected: while it lives, the number is its own. Before Linux 6.5 there is no handle, and none for an ended
    // process.
    let number = clinux_peer_process(socket.rawValue)
    guard number >= 0 else {
      self = .unknown
      return
    }
    defer { close(number) }
    let pid = clinux_process_number(number)
    guard pid > 0, let text = read(pid), clinux_process_lives(number) == 1 else {
      self = .unknown
      return
    }
    self.init(controlGroups: text)
  }

  /// `nil` if it cannot be read: the process has ended, or is hidden from this one.
  private static func controlGroups(of pid: pid_t) -> String? {
    // Larger than the deepest path.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let file = unsafe open("/proc/\(pid)/cgroup", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var count = 0
    while count < bytes.count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { return nil }
      guard more > 0 else { return String(validating: bytes[..<count], as: UTF8.self) }
      count += more
    }
    return nil
  }
}

/// A unit is read from control groups: the service manager gives each one a folder of its own among them, below those of
/// its slices, and no process leaves it without privilege. Only services count: sessions, what users start in them or
/// in their own managers, and processes that no unit holds are of none.
extension PeerUnit {
  /// - Parameter text: what `/proc/PID/cgroup` holds: a line `NUMBER:CONTROLLERS:PATH` for each hierarchy.
  init(controlGroups text: String) {
    var paths: [Substring] = []
    // Bytes, not characters: a combining mark after a separator makes another character of it.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        .map { Substring($0) }
      guard fields.count == 3, fields[2].utf8.first == UInt8(ascii: "/") else {
        self = .unknown
        return
      }
      // The one hierarchy of version 2, and the named one that the manager keeps beside it, or instead.
      if (fields[0] == "0" && fields[1].isEmpty) || fields[1] == "name=systemd" { paths.append(fields[2]) }
    }
    // In a hierarchy that the manager does not use, every process is at the top.
    let units = Set(paths.filter { $0 != "/" }.map { PeerUnit(path: $0) })
    if units.count > 1 || paths.isEmpty {
      self = .unknown
    } else {
      self = units.first ?? .none
    }
  }

  /// - Parameter path: within a hierarchy, from its top.
  private init(path: Substring) {
    // The kernel appends this to a removed group, which has no living process. Units have ASCII names.
    guard path.utf8.allSatisfy({ $0 < 0x80 }), !path.utf8.ends(with: " (deleted)") else {
      self = .unknown
      return
    }
    let folders = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { Self.unescaped($0) }
    guard folders.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      self = .unknown
      return
    }
    guard folders.first != "user.slice", let unit = folders.first(where: { !Self.isSlice($0) }) else {
      self = .none
      return
    }
    switch Self.kind(of: unit) {
    // The groups of a user's manager are below this service; a user may choose their names.
    case "service": self = unit.utf8.starts(with: "user@".utf8) ? .none : .named(String(unit))
    // Sessions and containers; and the helpers that the manager runs for its own units.
    case "scope", "socket", "mount", "swap": self = .none
    default: self = .unknown
    }
  }

  /// A folder's name could be taken for a file of the kernel's: the manager puts `_` before such a name, and before one
  /// that begins with `_`.
  private static func unescaped(_ folder: Substring) -> Substring {
    folder.utf8.first == UInt8(ascii: "_") ? folder[folder.utf8.index(after: folder.startIndex)...] : folder
  }

  private static func isSlice(_ folder: Substring) -> Bool { self.kind(of: folder) == "slice" }

  /// The suffix after the last dot of a valid unit name; `nil` for an invalid one.
  private static func kind(of name: Substring) -> String? {
    guard name.utf8.count <= UnitName.longest, name.utf8.allSatisfy({ UnitName.isAllowed($0) }),
      let point = name.utf8.lastIndex(of: UInt8(ascii: ".")), point != name.startIndex
    else { return nil }
    return String(name[name.utf8.index(after: point)...])
  }
}
