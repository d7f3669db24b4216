import Glibc

/// What the system says when it is asked for a user or for a group. Its answer may come from afar.
package enum AccountLookup<Value: Hashable & Sendable>: Hashable, Sendable {
  case found(Value)
  /// There is none.
  case absent
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Asks with more and more room for the answer.
  ///
  /// - Parameters:
  ///   - call: what is tried, for the error.
  ///   - get: one of getpwnam_r(3) and its like: returns the error's number, or 0 and whether there is one.
  ///   - value: what is wanted of the answer, which is in the room no longer than this runs.
  init<Entry>(
    _ call: @autoclosure () -> String, into entry: consuming Entry,
    get: (inout Entry, inout [CChar], inout UnsafeMutablePointer<Entry>?) -> Int32, value: (Entry) -> Value
  ) {
    var room = [CChar](repeating: 0, count: 4096)
    while true {
      var found: UnsafeMutablePointer<Entry>?
      let code = unsafe get(&entry, &room, &found)
      if code == ERANGE, room.count < 1 << 22 {
        room = [CChar](repeating: 0, count: room.count * 4)
        continue
      }
      if code != 0 {
        self = .unknown(SystemError(code: code, call: call()))
      } else if unsafe found == nil {
        self = .absent
      } else {
        self = .found(value(entry))
      }
      return
    }
  }
}

extension AccountLookup {
  /// The same with another type of value.
  package func map<Other>(_ transform: (Value) -> Other) -> AccountLookup<Other> {
    switch self {
    case .found(let value): .found(transform(value))
    case .absent: .absent
    case .unknown(let error): .unknown(error)
    }
  }
}
