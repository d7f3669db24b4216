/// What one kind of evidence says of a receiver's newest report.
package enum Finding: Hashable, Sendable, Comparable {
  /// Nothing.
  case silent
  /// It agrees with what is possible.
  case supporting
  /// It disagrees, for which there are harmless causes too.
  case weak
  /// It disagrees as no receiver does that works.
  case strong
}
