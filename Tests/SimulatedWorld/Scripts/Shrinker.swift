/// Makes a script that breaks a law shorter, by leaving things out as long as the law stays broken.
package struct Shrinker {
  private let isBroken: (Script) -> Bool
  private var best: Script
  /// How many scripts it may still run.
  private var attempts: Int

  private init(_ script: Script, attempts: Int, _ isBroken: @escaping (Script) -> Bool) {
    self.best = script
    self.isBroken = isBroken
    self.attempts = attempts
  }

  /// - Parameters:
  ///   - law: The name of the broken law.
  ///   - attempts: How many scripts may be run.
  ///   - run: Runs a script, and says which laws it breaks.
  package static func shortest(
    _ script: Script, breaking law: String, attempts: Int = 60,
    run: @escaping (Script) throws -> [Breach] = { try World($0).run() }
  ) -> Script {
    var shrinker = Shrinker(script, attempts: attempts) { script in
      (try? run(script))?.contains { $0.law == law } ?? false
    }
    shrinker.shrink()
    return shrinker.best
  }

  private mutating func shrink() {
    var isShorter = true
    while isShorter, self.attempts > 0 {
      isShorter = self.leaveOut(\.faults)
      isShorter = self.leaveOut(\.programs) || isShorter
      isShorter = self.leaveOut(\.libraryPrograms) || isShorter
      isShorter = self.leaveOut(\.desktopPrograms) || isShorter
      isShorter = self.endSooner() || isShorter
      isShorter = self.speakPlainly() || isShorter
      isShorter = self.leaveOutLimits() || isShorter
    }
  }

  private mutating func leaveOutLimits() -> Bool {
    guard self.best.limits != Script.Limits() else { return false }
    var shorter = self.best
    shorter.limits = Script.Limits()
    return self.breaks(shorter)
  }

  /// Leaves out halves, then quarters, then one after the other.
  private mutating func leaveOut<Element>(_ list: WritableKeyPath<Script, [Element]>) -> Bool {
    var isShorter = false
    var size = self.best[keyPath: list].count
    while size > 0 {
      var place = 0
      while place < self.best[keyPath: list].count {
        var shorter = self.best
        let end = min(place + size, shorter[keyPath: list].count)
        shorter[keyPath: list].removeSubrange(place..<end)
        if self.breaks(shorter) { isShorter = true } else { place += size }
      }
      size /= 2
    }
    return isShorter
  }

  private mutating func endSooner() -> Bool {
    var shorter = self.best
    shorter.length = shorter.length / 2
    shorter.faults.removeAll { $0.at + $0.lasts > shorter.length }
    shorter.programs.removeAll { $0.from > shorter.length + Script.leaving }
    return self.breaks(shorter)
  }

  private mutating func speakPlainly() -> Bool {
    guard self.best.speech != nil else { return false }
    var plainer = self.best
    plainer.speech = nil
    return self.breaks(plainer)
  }

  private mutating func breaks(_ script: Script) -> Bool {
    guard self.attempts > 0 else { return false }
    self.attempts -= 1
    guard self.isBroken(script) else { return false }
    self.best = script
    return true
  }
}
