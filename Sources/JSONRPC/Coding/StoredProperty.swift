/// The property of a value that a member is written from and read into.
///
/// Each access by a key path makes the runtime walk the path again, which takes hundreds of instructions. A table is
/// made once and used for ever, so the offset of the stored property is determined once.
@usableFromInline
package struct StoredProperty<Root, Value>: Sendable {
  @usableFromInline let path: FieldPath<Root, Value>
  /// In bytes; `nil` if the property is not stored, but computed or observed.
  @usableFromInline let offset: Int?

  @inlinable
  package init(_ path: FieldPath<Root, Value>) {
    self.path = path
    self.offset = MemoryLayout<Root>.offset(of: path)
  }

  /// The property of that value, which is `inout` only to be passed by its address: a value that is passed as it is, is
  /// copied as a whole for each of its members.
  ///
  /// What makes it safe to use memory so: `MemoryLayout.offset` promises that the property, as its type has it, is at
  /// this offset of every value, and has none for a property for which that does not hold.
  @inlinable
  package func value(of root: inout Root) -> Value {
    guard let offset = self.offset else { return root[keyPath: self.path] }
    return unsafe withUnsafePointer(to: &root) { whole in
      unsafe UnsafeRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Changes the property of that value in place; see `value(of:)`.
  @inlinable
  package func modify<Failure>(
    of root: inout Root, _ change: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    guard let offset = self.offset else { return try change(&root[keyPath: self.path]) }
    try unsafe withUnsafeMutablePointer(to: &root) { (whole: UnsafeMutablePointer<Root>) throws(Failure) in
      let property = unsafe UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Value.self)
      try unsafe change(&property.pointee)
    }
  }

  /// Sets the property of that value.
  @inlinable
  package func set(_ value: Value, of root: inout Root) {
    self.modify(of: &root) { $0 = value }
  }
}
