import TestSupport

/// What a daemon of a test does.
typealias Sequel = Parts<[FakeDaemon.Step]>
