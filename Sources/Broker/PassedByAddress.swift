/// Makes the compiler pass the value that contains this by its address.
///
/// It passes a value whose layout it knows by copying it for each call of a method that only reads it, even if the value
/// has several kilobytes. The layout of an existential it leaves to the runtime, so that the whole has to stay in its
/// place.
struct PassedByAddress: Sendable {
  private let unused: any Sendable = ()
}
