import EventLoop
import Glibc
import Positioning

/// The files of an assisted start: what was kept, beside the database, and the folder with predicted orbits.
struct AssistFiles: Sendable {
  /// The kept file.
  let path: String
  /// The folder with predicted orbits; `nil`: none.
  let folder: String?
  let disk: any Disk

  init(beside database: String, folder: String?, on disk: any Disk) {
    (self.path, self.folder, self.disk) = ("\(database).assist", folder, disk)
  }

  private var aside: String { "\(self.path).set-aside" }

  /// What there is for a receiver at this time. It waits for the disk.
  func load(for dialect: AssistDialect, at time: Timestamp) -> LoadedAssistance {
    var loaded = LoadedAssistance()
    do throws(SystemError) {
      let bytes = try self.disk.read(self.path, limit: KeptAssistance.mostBytes)
      do throws(UnreadableAssistance) {
        loaded.kept = try KeptAssistance(parsing: bytes)
      } catch {
        loaded.problems.append("\(self.path) \(error.reason), and \(self.setAside())")
      }
    } catch {
      if error.code != ENOENT { loaded.problems.append("what was kept cannot be read: \(error)") }
    }
    self.addPredictions(to: &loaded, for: dialect, at: time)
    return loaded
  }

  private func addPredictions(to loaded: inout LoadedAssistance, for dialect: AssistDialect, at time: Timestamp) {
    guard let folder else { return }
    do throws(SystemError) {
      for name in try self.disk.names(in: folder, limit: PredictedOrbits.mostFiles) {
        let bytes = try self.disk.read("\(folder)/\(name)", limit: PredictedOrbits.mostFileBytes)
        guard bytes.count <= PredictedOrbits.mostFileBytes else {
          loaded.predicted.addProblem("\(name) is longer than \(PredictedOrbits.mostFileBytes) bytes")
          continue
        }
        loaded.predicted.add(bytes, name: name, for: dialect, at: time)
      }
    } catch {
      loaded.predicted.addProblem("predicted orbits cannot be read: \(error)")
    }
  }

  /// Replaces what was kept.
  func keep(_ kept: KeptAssistance) throws(SystemError) {
    try self.disk.replace(self.path, with: kept.bytes, mode: 0o600, isDurable: true)
    self.disk.synchronize(String(self.path[..<(self.path.lastIndex(of: "/") ?? self.path.startIndex)]))
  }

  /// Gives the kept file another name, in place of the one that has it.
  ///
  /// - Returns: What became of it, in words.
  func setAside() -> String {
    do throws(SystemError) {
      try self.disk.rename(self.path, to: self.aside)
      return "was moved to \(self.aside)"
    } catch {
      return "cannot be moved to another name: \(error)"
    }
  }
}
