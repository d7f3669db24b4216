import EventLoop
import Glibc
import ReceiverSimulator
import TestSupport

/// The documents of the source tree, and what they need to be tested.
enum Documents {
  /// A file's text; empty if it cannot be read, and then the tests that search in it fail.
  static func text(_ path: String) -> String {
    do {
      return String(decoding: try File.read("\(PackageRoot.path)/\(path)"), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// The socket's path in the documents.
  static let socket = "/run/positiond/positiond.sock"

  /// The search path for programs: built ones come first.
  static var path: String {
    let inherited = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return Programs.folder.map { "\($0):\(inherited)" } ?? inherited
  }
}

extension IntegrationFixture {
  /// A document's code, changed to use this fixture.
  func localized(_ code: String) -> String { code.replacing(Documents.socket, with: self.socket) }

  /// The environment in which a program finds the built programs, and this fixture.
  var environment: [String: String] { ["PATH": Documents.path, "POSITIOND_SOCKET": self.socket] }
}
