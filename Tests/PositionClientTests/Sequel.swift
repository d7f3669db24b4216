import TestSupport

/// The successive behaviours of a test's daemon.
typealias Sequel = Parts<[FakeDaemon.Step]>
