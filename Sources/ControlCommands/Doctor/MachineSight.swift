/// Where a machine is looked at: at this one, or at one that stands in for it, so that nothing that happens to run here
/// decides what is found.
package struct MachineSight: Sendable {
  /// Before the path of everything that is read: the root of its files, `/proc`, `/sys`, and `/run` included.
  package var root: String
  /// The key of the shared memory in which gpsd tells what it knows; gpsd's own unless it is told another.
  package var sharedMemoryKey: Int32

  package init(root: String = "", sharedMemoryKey: Int32 = 0x4750_5344) {
    self.root = root
    self.sharedMemoryKey = sharedMemoryKey
  }
}
