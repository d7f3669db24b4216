import Glibc

/// Recorded logs of real receivers, if POSITIOND_CORPUS names their folder.
///
/// They are not part of this source tree. A relative name is relative to the package's root, whatever folder the tests
/// run in.
package enum Corpus {
  /// The folder, or `nil` if there is none.
  package static let folder: String? = {
    guard let name = unsafe getenv("POSITIOND_CORPUS") else { return nil }
    let folder = unsafe String(cString: name)
    guard !folder.isEmpty else { return nil }
    return folder.hasPrefix("/") ? folder : "\(PackageRoot.path)/\(folder)"
  }()

  /// The names of the logs, in order.
  package static let logs: [String] = {
    guard let folder, let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".log") { names.append(name) }
    }
    return names.sorted()
  }()
}
