import EventLoop
import TestSupport

/// Three users of a daemon: one may know the precise position, one the reduced one, and one is denied.
struct ThreeUsers {
  let accounts: TemporaryUsers
  let precise: OtherUser
  let reduced: OtherUser
  let denied: OtherUser

  init() throws {
    let accounts = try TemporaryUsers()
    self.accounts = accounts
    self.precise = try accounts.addUser()
    self.reduced = try accounts.addUser()
    self.denied = try accounts.addUser()
  }

  /// The daemon's rules for them.
  var rules: [String] {
    [
      "rule precise.user=\(self.precise.name ?? "")", "rule precise.grant=whenInUse",
      "rule reduced.user=\(self.reduced.name ?? "")", "rule reduced.grant=whenInUse",
      "rule reduced.precision=reduced",
      "rule denied.user=\(self.denied.name ?? "")", "rule denied.grant=deny",
    ]
  }

  /// Starts a program as one of them.
  func run(
    _ command: [String], as user: OtherUser, environment: [String: String] = ["PATH": "/usr/sbin:/usr/bin:/bin"],
    onTerminal: Bool = false, on loop: EventLoop
  ) throws -> RunningProgram {
    try RunningProgram(
      "/usr/bin/setpriv", ["--reuid=\(user.uid)", "--regid=\(user.gid)", "--clear-groups"] + command,
      environment: environment, onTerminal: onTerminal, on: loop)
  }
}
