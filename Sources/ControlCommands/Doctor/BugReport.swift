import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// What somebody needs who is to find a fault on this machine: versions, findings and the daemon's figures. No position is in
/// it, and no name of a user or of a program.
struct BugReport {
  let checks: [Check]
  let daemon: DaemonFinding
  let machine: InspectedMachine
  let moment: CodingMoment

  var text: String {
    var lines = [
      "positionctl \(Release.version)", "system: \(self.system)", "kernel: \(self.kernel)", "", "Checks", "",
    ]
    lines += self.checks.flatMap { check in
      ["\(check.outcome.rawValue): \(check.subject): \(self.anonymous(check.detail))"]
        + (check.advice.map { ["  -> \(self.anonymous($0))"] } ?? [])
    }
    if let status = self.daemon.status {
      lines +=
        ["", "Figures", ""] + StatusMetrics.lines(status, fix: nil, at: self.moment).filter { !$0.hasPrefix("#") }
      lines += ["", "Receiver", "", "device: \(status.receiver.device ?? "none")"]
      lines += ["driver: \(status.receiver.driver ?? "unknown")", "rung: \(status.power.current.rung.rawValue)"]
      lines += status.power.current.problem.map { ["problem: \($0)"] } ?? []
      lines += status.lastError.map { ["last error: \(self.anonymous($0.message))"] } ?? []
    }
    return lines.map { "\($0.printable(upTo: 1000))\n" }.joined()
  }

  /// The user's name is in the check of permission.
  private func anonymous(_ text: String) -> String {
    guard case .answers(let session, _) = self.daemon, let user = session.principal.user else { return text }
    return text.replacing(user, with: "USER")
  }

  private var system: String {
    let lines = self.machine.text("/etc/os-release", limit: 4096)?.split(separator: "\n") ?? []
    let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
    return name.map { $0.filter { $0 != "\"" } } ?? "unknown"
  }

  private var kernel: String {
    self.machine.text("/proc/sys/kernel/osrelease")?.split(separator: "\n").first.map(String.init) ?? "unknown"
  }
}
