/// The machine to check: this one, or a test's replacement of it.
package struct InspectedMachine: Sendable {
  /// The root of its files, including `/proc`, `/sys` and `/run`.
  package var root: String
  /// The key of gpsd's shared memory; gpsd's default unless it is configured otherwise.
  package var sharedMemoryKey: Int32

  package init(root: String = "", sharedMemoryKey: Int32 = 0x4750_5344) {
    self.root = root
    self.sharedMemoryKey = sharedMemoryKey
  }
}
