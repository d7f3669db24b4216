import Glibc

/// The program that runs.
package enum OwnProgram {
  /// The folder of its file.
  package static func folder() -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    guard length > 0 else { return nil }
    let path = String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
