import Glibc
import ReceiverSimulator
import Synchronization

/// Users and groups in the system's database, for the duration of a test. Only root can make them.
///
/// Their names are unique to the test, they have no home, and nothing but their numbers. All are removed with this
/// object; those of a killed test are removed by the next one.
package final class TemporaryUsers {
  private static let prefix = "positest"
  private static let count = Atomic<Int>(0)

  private var users: [String] = []
  private var groups: [String] = []

  package init() throws {
    try Self.removeLeft()
  }

  deinit {
    // A failure here leaves a user behind, whom the next test removes.
    for user in self.users { try? Self.remove(user: user) }
    for group in self.groups { try? Self.remove(group: group) }
  }

  /// Makes a user, with a group of its own as its primary one.
  ///
  /// - Parameters:
  ///   - uid: Its number; `nil`: a free one.
  ///   - groups: Its further groups.
  package func addUser(uid: UInt32? = nil, groups: [UInt32] = []) throws -> OtherUser {
    let name = Self.newName()
    let number = uid.map { ["--uid", "\($0)"] } ?? []
    let further = groups.isEmpty ? [] : ["--groups", groups.map { "\($0)" }.joined(separator: ",")]
    let plain = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", "--user-group"]
    try Self.run("useradd", plain + number + further + [name])
    self.users.append(name)
    guard let entry = unsafe getpwnam(name) else { throw TimedOut("useradd made no \(name)") }
    return OtherUser(uid: unsafe entry.pointee.pw_uid, gid: unsafe entry.pointee.pw_gid, groups: groups, name: name)
  }

  /// Makes a group.
  ///
  /// - Returns: its name and its number.
  package func addGroup() throws -> (name: String, gid: UInt32) {
    let name = Self.newName()
    try Self.run("groupadd", [name])
    self.groups.append(name)
    guard let entry = unsafe getgrnam(name) else { throw TimedOut("groupadd made no \(name)") }
    return (name, unsafe entry.pointee.gr_gid)
  }

  /// Gives a user another name, under the same number.
  package func rename(_ user: OtherUser) throws -> OtherUser {
    let name = Self.newName()
    let old = try self.known(user)
    try Self.run("usermod", ["--login", name, old])
    // userdel removes a user's own group only if it has the user's name.
    try Self.run("groupmod", ["--new-name", name, old])
    self.users = self.users.map { $0 == user.name ? name : $0 }
    return OtherUser(uid: user.uid, gid: user.gid, groups: user.groups, name: name)
  }

  /// Removes a user early, so that its number has no user, or another one.
  package func remove(_ user: OtherUser) throws {
    let name = try self.known(user)
    try Self.remove(user: name)
    self.users.removeAll { $0 == name }
  }

  /// The user's range of subordinate numbers, which useradd gives every user.
  package func subordinates(of user: OtherUser) throws -> ClosedRange<UInt32> {
    let name = try self.known(user)
    for line in String(decoding: try File.read("/etc/subuid"), as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":")
      guard fields.count == 3, fields[0] == name, let first = UInt32(fields[1]), let count = UInt32(fields[2]),
        count > 0
      else { continue }
      return first...(first + count - 1)
    }
    throw TimedOut("useradd gave \(name) no range in /etc/subuid")
  }

  private func known(_ user: OtherUser) throws -> String {
    guard let name = user.name, self.users.contains(name) else { throw TimedOut("\(user) was not made here") }
    return name
  }

  /// `positest-PROCESS-NUMBER`.
  private static func newName() -> String {
    "\(self.prefix)-\(getpid())-\(self.count.add(1, ordering: .relaxed).newValue)"
  }

  /// Removes leftovers of processes that have ended.
  private static func removeLeft() throws {
    for name in self.names(in: "/etc/passwd") { try self.remove(user: name) }
    for name in self.names(in: "/etc/group") { try self.remove(group: name) }
  }

  private static func names(in path: String) -> [String] {
    guard let file = unsafe fopen(path, "re") else { return [] }
    defer { unsafe fclose(file) }
    var names: [String] = []
    var line = [CChar](repeating: 0, count: 1024)
    while unsafe fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let name = text.prefix { $0 != ":" }
      let parts = name.split(separator: "-")
      guard parts.count == 3, parts[0] == self.prefix, let process = pid_t(parts[1]) else { continue }
      if kill(process, 0) != 0, errno == ESRCH { names.append(String(name)) }
    }
    return names
  }

  private static func remove(user: String) throws {
    // 6: it does not exist any more.
    try self.run("userdel", ["--force", user], meaning: [0, 6])
  }

  private static func remove(group: String) throws { try self.run("groupdel", [group], meaning: [0, 6]) }

  /// Runs one of the system's programs, which wait for each other only for some seconds.
  private static func run(_ program: String, _ arguments: [String], meaning success: Set<Int32> = [0]) throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      let (code, words) = try SystemProgram.run("/usr/sbin/\(program)", arguments)
      if success.contains(code) { return }
      // 1 and 10: another one has locked the files.
      guard [1, 10].contains(code), monotonicSeconds() < deadline else {
        throw TimedOut("\(program) \(arguments): \(code): \(words)")
      }
    }
  }
}
