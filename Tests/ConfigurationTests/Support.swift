import Glibc
import Testing

@testable import Configuration

extension ConfigurationFile {
  /// A file that is nowhere but here.
  init(_ text: String, path: String = "test.conf") {
    self.init(path: path, contents: Array(text.utf8))
  }
}

/// What the files come to; an error list fails the test that called.
func settings(_ texts: String...) throws -> Settings {
  try Settings.load(from: texts.map { ConfigurationFile($0) }).get()
}

/// What is wrong with the files, one `file:line: message` each; empty where nothing is.
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
