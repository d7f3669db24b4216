import Glibc

/// Reads the configuration's files from the disk, without parsing them.
package enum ConfigurationFiles {
  /// Far more than the longest configuration, so that a wrong path is noticed.
  package static let largestFile = 1 << 20

  /// The readable files, the main file first and then its drop-ins by name; and the errors of the others.
  ///
  /// The drop-ins are in a folder with the main file's name and `.d` appended.
  ///
  /// - Parameters:
  ///   - path: The main file, which must exist; `nil`: the installed one, which may be missing.
  ///   - installed: The main file of an installed program.
  static func read(_ path: String?, installed: String) -> (files: [ConfigurationFile], errors: [ConfigurationError]) {
    let main = path ?? installed
    var files: [ConfigurationFile] = []
    var errors: [ConfigurationError] = []

    func read(_ file: String, mayBeMissing: Bool) {
      do throws(ReadFailure) {
        files.append(ConfigurationFile(path: file, contents: try self.contents(of: file)))
      } catch {
        if case .system(ENOENT) = error, mayBeMissing { return }
        errors.append(ConfigurationError(file: file, line: nil, message: error.message))
      }
    }

    read(main, mayBeMissing: path == nil)
    let folder = main + ".d"
    do throws(ReadFailure) {
      for name in try self.dropIns(in: folder) {
        read("\(folder)/\(name)", mayBeMissing: false)
      }
    } catch {
      errors.append(ConfigurationError(file: folder, line: nil, message: error.message))
    }
    return (files, errors)
  }

  /// A file of one person, without drop-ins; `nil`: there is none.
  package static func read(_ path: String) -> Result<ConfigurationFile, ConfigurationError>? {
    do throws(ReadFailure) {
      return .success(ConfigurationFile(path: path, contents: try self.contents(of: path)))
    } catch {
      if case .system(ENOENT) = error { return nil }
      return .failure(ConfigurationError(file: path, line: nil, message: error.message))
    }
  }

  private enum ReadFailure: Error {
    case system(Int32)
    case tooLarge

    var message: String {
      switch self {
      case .system(let code):
        let error = unsafe String(cString: strerror(code))
        return "cannot be read: \(error); check the path and its permissions"
      case .tooLarge: return "is larger than \(ConfigurationFiles.largestFile) bytes; this cannot be a configuration"
      }
    }
  }

  private static func contents(of path: String) throws(ReadFailure) -> [UInt8] {
    // Without O_NONBLOCK a FIFO in the folder would block the start for ever.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system(errno) }
    defer { close(file) }
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      guard count > 0 else { return contents }
      contents += chunk[..<count]
      guard contents.count <= self.largestFile else { throw .tooLarge }
    }
  }

  /// The names of the drop-ins in the order of their bytes, which is the same in every locale. Hidden files belong to
  /// editors. A missing folder has none.
  private static func dropIns(in folder: String) throws(ReadFailure) -> [String] {
    guard let listing = unsafe opendir(folder) else {
      if errno == ENOENT { return [] }
      throw .system(errno)
    }
    defer { _ = unsafe closedir(listing) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(listing) else {
        guard errno == 0 else { throw .system(errno) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
    }
  }
}
