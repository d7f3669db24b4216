extension Codec where Value == Bool {
  @usableFromInline
  package static var boolean: Codec {
    Codec(
      .boolean, write: { $1.boolean($0) },
      read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Bool in
        guard case .boolean(let value) = view.scalar else {
          throw .found("\(view)", expected: Schema.boolean.expectation)
        }
        return value
      })
  }
}

extension Codec where Value == Int {
  /// - Parameter minimum: The least that serves; `nil`, any.
  @usableFromInline
  package static func integer(minimum: Int? = 0) -> Codec {
    let schema = Schema.integer(minimum: minimum)
    return Codec(
      schema, write: { $1.integer($0) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Int in
        guard let integer = view.integer, integer >= minimum ?? .min || context.leniency.contains(.values) else {
          throw .found("\(view)", expected: schema.expectation)
        }
        return integer
      })
  }
}

extension Codec where Value: FixedWidthInteger {
  /// - Parameter minimum: The least accepted value; `nil`: any.
  package static func integer(minimum: Int? = 0) -> Codec {
    let schema = Schema.integer(minimum: minimum)
    return Codec(
      schema, write: { $1.integer(Int(clamping: $0)) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value in
        guard let integer = view.integer, let value = Value(exactly: integer),
          integer >= minimum ?? .min || context.leniency.contains(.values)
        else { throw .found("\(view)", expected: schema.expectation) }
        return value
      })
  }
}

extension Codec where Value == Double {
  /// - Parameter decimals: The number of decimals when written; `nil`: all.
  package static func number(_ range: Schema.NumberRange, decimals: Int? = nil) -> Codec {
    let schema = Schema.number(range)
    return Codec(
      schema,
      write: { value, writer in
        if let decimals { writer.number(value, decimals: decimals) } else { writer.number(value) }
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Double in
        let number: Double
        switch view.scalar {
        case .integer(let value): number = Double(value)
        case .number(let value): number = value
        case .null, .boolean, .outOfRange, .string, .array, .object:
          throw .found("\(view)", expected: schema.expectation)
        }
        guard range.contains(number) || context.leniency.contains(.values) else {
          throw .found("\(view)", expected: schema.expectation)
        }
        return number
      })
  }
}

extension Codec where Value == String {
  package static var string: Codec { .string(maximumBytes: nil) }

  /// - Parameter maximumBytes: The most bytes of UTF-8; `nil`: any number.
  package static func string(maximumBytes: Int?) -> Codec {
    let schema = Schema.string(maximumBytes: maximumBytes)
    return Codec(
      schema, write: { $1.string($0) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> String in
        guard let string = view.string,
          string.utf8.count <= maximumBytes ?? .max || context.leniency.contains(.values)
        else { throw .found("\(view)", expected: schema.expectation) }
        return string
      })
  }
}

extension Codec where Value: RawRepresentable<String> {
  /// A case of an enumeration.
  ///
  /// - Parameters:
  ///   - words: The known cases.
  ///   - fallback: The value for a case of a later version, for members that are always present; it claims the least.
  @inlinable
  package static func word(_ words: [Value], fallback: Value? = nil) -> Codec {
    let schema = Schema.choice(words.map(\.rawValue))
    let texts = words.map { Array($0.rawValue.utf8) }
    return Codec(
      schema, write: { $1.string($0.rawValue) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value in
        if let place = texts.firstIndex(where: { view.spells($0.span) }) { return words[place] }
        if context.leniency.contains(.values), let text = view.string, let word = Value(rawValue: text) ?? fallback {
          return word
        }
        throw .found("\(view)", expected: schema.expectation)
      },
      readIfKnown: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value? in
        if let place = texts.firstIndex(where: { view.spells($0.span) }) { return words[place] }
        if context.leniency.contains(.values), let text = view.string { return Value(rawValue: text) }
        throw .found("\(view)", expected: schema.expectation)
      })
  }
}

extension Codec where Value: RawRepresentable<String> & CaseIterable {
  @inlinable
  package static var word: Codec { self.word(Array(Value.allCases)) }

  @inlinable
  package static func word(fallback: Value) -> Codec { self.word(Array(Value.allCases), fallback: fallback) }
}

extension Codec where Value: RawRepresentable<String> {
  /// Any string: later versions may have more, and a reader keeps them.
  package static func openWord(_ make: @escaping @Sendable (String) -> Value) -> Codec {
    Codec<String>.string.map(to: make, from: { $0.rawValue })
  }
}

extension Codec {
  /// An array. Elements that only a later version knows are left out.
  package static func array<Element>(of codec: Codec<Element>) -> Codec where Value == [Element] {
    let (schema, write) = (codec.schema, codec.write)
    return Codec(
      .array(schema()),
      write: { values, writer in
        writer.openArray()
        for value in values {
          writer.element()
          write(value, &writer)
        }
        writer.closeArray()
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> [Element] in
        guard view.isArray else { throw .found("\(view)", expected: Schema.array(.any).expectation) }
        var values: [Element] = []
        for (place, element) in view.elements.enumerated() {
          do throws(CodingFailure) {
            if let value = try codec.readIfKnown(element, context) { values.append(value) }
          } catch {
            throw error.under("\(place)")
          }
        }
        return values
      })
  }

  /// An object with any members, in the order of their names.
  package static func dictionary<Element>(of element: Codec<Element>) -> Codec where Value == [String: Element] {
    let (schema, write, read) = (element.schema, element.write, element.read)
    return Codec(
      .dictionary(schema()),
      write: { values, writer in
        writer.openObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
          writer.key(name)
          write(value, &writer)
        }
        writer.closeObject()
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> [String: Element] in
        guard view.isObject else { throw .found("\(view)", expected: Schema.dictionary(.any).expectation) }
        var values: [String: Element] = [:]
        for (key, value) in view.members {
          guard let name = key.string, values[name] == nil else { continue }
          do throws(CodingFailure) {
            values[name] = try read(value, context)
          } catch {
            throw error.under(name)
          }
        }
        return values
      })
  }

  /// A value of one of two kinds.
  ///
  /// - Parameter first: Reads the first kind; `nil` if the value is of the second.
  @inlinable
  package static func either(
    _ first: Codec, or second: Codec, isFirst: @escaping @Sendable (Value) -> Bool
  ) -> Codec {
    let schema: @Sendable () -> Schema = { .either(first.schema(), second.schema()) }
    let read: @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value? = {
      (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value? in
      do throws(CodingFailure) {
        return try first.readIfKnown(view, context)
      } catch {
        do throws(CodingFailure) {
          return try second.readIfKnown(view, context)
        } catch {
          throw CodingFailure.found("\(view)", expected: schema().expectation)
        }
      }
    }
    return Codec(
      schema(), write: { value, writer in (isFirst(value) ? first : second).write(value, &writer) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Value in
        guard let value = try read(view, context) else {
          throw CodingFailure.found("\(view)", expected: schema().expectation)
        }
        return value
      }, readIfKnown: read)
  }
}
