import EventLoop
import Glibc

/// The source tree whose tests run.
package enum PackageRoot {
  /// The folder above the tests' own program that has a Package.swift, so that a copy of a built tree is tested by itself,
  /// wherever it lies. If the build folder is outside of the tree, the folder in which the tests were compiled.
  package static let path: String = {
    var folder = OwnProgram.folder() ?? ""
    while let end = folder.lastIndex(of: "/") {
      if unsafe access("\(folder)/Package.swift", F_OK) == 0 { return folder }
      folder = String(folder[..<end])
    }
    return #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  }()
}
