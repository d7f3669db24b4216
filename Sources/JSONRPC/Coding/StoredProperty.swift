/// The property of a value that a member is written from and read into.
///
/// Each access by a key path has the runtime walk the path anew, which takes hundreds of instructions. A table is made
/// once and used for ever, so it asks once at which offset the property is stored.
package struct StoredProperty<Root, Value>: Sendable {
  private let path: FieldPath<Root, Value>
  /// In bytes; `nil` where the property is not stored as it is, but computed or observed.
  let offset: Int?

  package init(_ path: FieldPath<Root, Value>) {
    self.path = path
    self.offset = MemoryLayout<Root>.offset(of: path)
  }

  /// The property of that value.
  ///
  /// What makes it safe to use memory so: `MemoryLayout.offset` promises that the property, as its type has it, is at
  /// this offset of every value, and has none for a property for which that does not hold.
  package func value(of root: Root) -> Value {
    guard let offset = self.offset else { return root[keyPath: self.path] }
    return unsafe withUnsafePointer(to: root) { whole in
      unsafe UnsafeRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Sets the property of that value; see `value(of:)`.
  package func set(_ value: Value, of root: inout Root) {
    guard let offset = self.offset else { return root[keyPath: self.path] = value }
    unsafe withUnsafeMutablePointer(to: &root) { whole in
      unsafe UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }
}

// The functions that these return hold the property's type. A function that made `Value?` of `Value` would have to have
// the runtime look that type up, each time that it is called.
extension StoredProperty {
  /// A function that writes the property.
  func writing(
    _ write: @escaping @Sendable (Value, [UInt8], inout JSONWriter) -> Void
  ) -> @Sendable (Root, [UInt8], inout JSONWriter) -> Void {
    { root, key, writer in write(self.value(of: root), key, &writer) }
  }

  /// A function that reads the property.
  func reading(
    _ read: @escaping @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Value
  ) -> @Sendable (JSONView, ReadingContext, inout Root) throws(CodingFailure) -> Void {
    { (view: JSONView, context: ReadingContext, root: inout Root) throws(CodingFailure) in
      self.set(try read(view, context), of: &root)
    }
  }
}
