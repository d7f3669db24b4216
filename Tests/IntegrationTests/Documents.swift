import Glibc
import ReceiverSimulator
import TestSupport

/// The documents of the source tree, and what they need to be taken at their word.
enum Documents {
  /// A file's text; empty where it cannot be read, and then the tests that look for something in it fail.
  static func text(_ path: String) -> String {
    do {
      return String(decoding: try File.read("\(PackageRoot.path)/\(path)"), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// The socket as the documents name it.
  static let socket = "/run/positiond/positiond.sock"

  /// Where programs are found: those that were built come first.
  static var path: String {
    let inherited = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return File.ownFolder().map { "\($0):\(inherited)" } ?? inherited
  }
}

extension IntegrationFixture {
  /// A document's code, meant for this fixture.
  func localized(_ code: String) -> String { code.replacing(Documents.socket, with: self.socket) }

  /// What a program needs to find the programs that were built, and this fixture.
  var environment: [String: String] { ["PATH": Documents.path, "POSITIOND_SOCKET": self.socket] }
}
