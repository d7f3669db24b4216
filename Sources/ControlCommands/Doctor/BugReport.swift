import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// What somebody needs who is to find a fault on this machine: versions, findings and the daemon's figures, without a position
/// and without the name of the user who writes it.
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
      lines += status.power.current.problem.map { ["problem: \(self.anonymous($0))"] } ?? []
      lines += status.lastError.map { ["last error: \(self.anonymous($0.message))"] } ?? []
    }
    return lines.map { "\($0.printable(upTo: 1000))\n" }.joined()
  }

  /// The user's name is in the check of permission and its remedy. A part of another word is none; root is everybody's.
  private func anonymous(_ text: String) -> String {
    guard case .answers(let session, _, _) = self.daemon, let user = session.principal.user, user != "root" else {
      return text
    }
    let marks: Set<Character> = [",", ";", ":", "\"", "(", ")"]
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.filter { !marks.contains($0) } == user ? String(word).replacing(user, with: "USER") : String(word)
    }.joined(separator: " ")
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
