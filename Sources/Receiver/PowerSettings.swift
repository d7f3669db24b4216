package import Positioning

/// How the receiver is turned off and on, as the configuration has it.
package struct PowerSettings: Hashable, Sendable {
  package var rung = PowerRung.watch

  package init() {}
}
