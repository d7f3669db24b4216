import Glibc
import Testing

@testable import Configuration

extension ConfigurationFile {
  /// A file that exists only in memory.
  init(_ text: String, path: String = "test.conf") {
    self.init(path: path, contents: Array(text.utf8))
  }
}

/// The settings of the files; errors fail the calling test.
func settings(_ texts: String...) throws -> Settings {
  try Settings.load(from: texts.map { ConfigurationFile($0) }).get()
}

/// The errors of the files, one `file:line: message` each; empty if there are none.
func errors(in files: ConfigurationFile...) -> [String] {
  switch Settings.load(from: files) {
  case .success: []
  case .failure(let errors): errors.all.map(\.description)
  }
}

func writeFile(_ path: String, _ text: String) throws {
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  try #require(file >= 0)
  defer { close(file) }
  let bytes = Array(text.utf8)
  let written = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
  try #require(written == bytes.count)
}
