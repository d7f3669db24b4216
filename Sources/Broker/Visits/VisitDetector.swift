/// Finds stays in a stream of fixes.
package struct VisitDetector: Hashable, Sendable {
  package struct Memory: Hashable, Sendable {
    package init() {}
  }
}
