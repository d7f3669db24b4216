public import JSONRPC
public import Positioning

/// Moments and durations on the wire.
///
/// The daemon computes with moments on the clock that counts since boot. The wire has them as seconds on that clock, as
/// an age, or as a time by the wall clock; the last two depend on when they are written and read.
extension Codec where Value == Instant {
  /// Seconds on `CLOCK_BOOTTIME`, for readers on the same machine, cut to the millisecond: a reader that looks at its own
  /// clock finds nothing that has happened in the future.
  static var sinceBoot: Codec {
    let seconds = Codec<Double>.number(.nonNegative)
    return Codec(
      seconds.schema(), write: { $1.thousandths($0.wireMilliseconds) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Instant in
        Instant(wireSeconds: try seconds.read(view, context))
      })
  }

  /// The time by the wall clock, as that is set when it is written.
  static var wallClock: Codec {
    Codec(
      .time,
      write: { instant, writer in
        Timestamp.codec.write(Timestamp(of: instant, at: writer.moment), &writer)
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Instant in
        try Timestamp.codec.read(view, context).instant(at: context.moment)
      })
  }
}

extension Codec where Value == Duration {
  /// Seconds, to the millisecond. A shorter time that is not 0 counts as one millisecond, because 0 often means
  /// something else, such as no limit at all.
  static func seconds(_ range: Schema.NumberRange = .seconds) -> Codec {
    let seconds = Codec<Double>.number(range)
    return Codec(
      seconds.schema(), write: { $1.thousandths($0.wireMilliseconds) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Duration in
        Duration(wireSeconds: try seconds.read(view, context))
      })
  }
}

extension Field {
  /// When something arrived, and how old that makes it when it is written.
  ///
  /// - Parameter what: the subject of the sentence, such as "the report".
  static func arrival(_ path: FieldPath<Root, Instant>, of what: String) -> [Field] {
    let property = StoredProperty(path)
    return self.arrival(path, of: what, age: "Seconds since the arrival when this was sent.", example: 0.25) {
      root, now in
      now - property.value(of: &root)
    }
  }

  /// - Parameters:
  ///   - sentence: What the age is.
  ///   - example: That of the age.
  ///   - age: The age at a moment.
  static func arrival(
    _ path: FieldPath<Root, Instant>, of what: String, age sentence: String, example: Double,
    _ age: @escaping @Sendable (inout Root, Instant) -> Duration
  ) -> [Field] {
    [
      Field.required(
        "arrival", path, .sinceBoot, example: 1234.567,
        "When \(what) arrived: seconds on CLOCK_BOOTTIME, for programs on the same machine."),
      Field.derived("age", .seconds(.nonNegative), example: .number(example), sentence) { root, moment in
        max(.zero, age(&root, moment.now))
      },
    ]
  }

  /// The age of something that arrived at this moment. The moment itself is not on the wire: it follows from the age.
  static func age(
    _ path: FieldPath<Root, Instant>, named name: String = "age", presence: FieldDescription.Presence = .required,
    example: @escaping @autoclosure @Sendable () -> JSONValue = 0.25, _ sentence: String
  ) -> Field {
    let (codec, property) = (Codec<Duration>.seconds(.nonNegative), StoredProperty(path))
    return Field(
      name, describe: { _ in FieldDescription(name, codec.schema(), presence, example: example(), sentence) },
      write: { root, key, writer in
        writer.key(key)
        codec.write(max(.zero, writer.moment.now - property.value(of: &root)), &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        if let view {
          property.set(context.moment.now - (try codec.read(view, context)), of: &root)
        } else {
          if case .required = presence { throw .found("missing", expected: codec.schema().expectation) }
          property.set(context.moment.now, of: &root)
        }
      })
  }
}

extension Timestamp: WireValue {
  public static let codec: Codec<Timestamp> = Codec(
    .time, write: { time, writer in time.text.withBytes { writer.plainString($0) } },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Timestamp in
      guard let text = view.string, let time = Timestamp(text) else {
        throw .found("\(view)", expected: Schema.time.expectation)
      }
      return time
    })
}

extension Timestamp {
  /// The wall clock's time at a moment, computed from what the clock shows now.
  package init(of instant: Instant, at moment: CodingMoment) {
    self.init(of: instant, now: moment.now, since1970: moment.since1970)
  }

  /// The wall clock's time of a moment, as the wall clock of this machine is set now.
  public init(of instant: Instant) { self.init(of: instant, at: .current) }

  /// The moment at which the wall clock shows this time, computed from what it shows now.
  package func instant(at moment: CodingMoment) -> Instant {
    moment.now + (.milliseconds(self.milliseconds) - moment.since1970)
  }
}
