import CLinux

/// The memory of this process.
package enum OwnMemory {
  /// Gives back what a process does not need while it only waits: free memory of the heap, and its code.
  ///
  /// The start runs most parts of the code once, and the kernel maps 64 kB around each. What runs again is mapped again
  /// from the page cache, which costs the next client a millisecond or two; docs/decisions/0036 has the figures.
  package static func giveBack() { clinux_give_back_memory() }
}
