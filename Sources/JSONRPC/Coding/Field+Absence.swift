extension Field {
  /// A list that is absent where it is empty.
  @inlinable
  package static func filled<Element: Sendable>(
    _ name: String, _ path: FieldPath<Root, [Element]>, _ codec: Codec<[Element]>,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    self.absent(where: { $0.isEmpty }, name, path, codec, example: example(), sentence)
  }

  /// A number of things that is absent where there are none.
  @inlinable
  package static func count(
    _ name: String, _ path: FieldPath<Root, Int>, example: @escaping @autoclosure @Sendable () -> JSONValue,
    _ sentence: String
  ) -> Field {
    let codec = Codec<Int>.integer(minimum: 1).map(to: { max(0, $0) }, from: { $0 })
    return self.absent(where: { $0 <= 0 }, name, path, codec, example: example(), sentence)
  }

  @inlinable
  package static func absent<Value: Sendable>(
    where isAbsent: @escaping @Sendable (Value) -> Bool, _ name: String, _ path: FieldPath<Root, Value>,
    _ codec: Codec<Value>, example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field {
    let property = StoredProperty(path)
    let (write, read) = (codec.write, codec.read)
    return Field(
      name, describe: { _ in FieldDescription(name, codec.schema(), .optional, example: example(), sentence) },
      write: { root, key, writer in
        let value = property.value(of: &root)
        guard !isAbsent(value) else { return }
        writer.key(key)
        write(value, &writer)
      },
      read: { (view: JSONView?, context: ReadingContext, root: inout Root) throws(CodingFailure) in
        guard let view, !view.isNull else { return }
        property.set(try read(view, context), of: &root)
      })
  }
}
