extension Span<UInt8> {
  /// Where the text from `start` on ends that stands in a JSON string as it is: ASCII without control characters,
  /// quotation marks and backslashes.
  ///
  /// It looks at eight bytes at a time, because messages consist mostly of such text.
  func plainPrefix(from start: Int) -> Int {
    unsafe self.withUnsafeBytes { bytes in
      var place = start
      while place + 8 <= bytes.count {
        let eight = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let special = eight.specialBytes
        guard special == 0 else { return place + special.trailingZeroBitCount / 8 }
        place += 8
      }
      while place < bytes.count, unsafe UInt64(bytes[place]).specialBytes & 0x80 == 0 { place += 1 }
      return place
    }
  }
}

extension UInt64 {
  /// Of eight bytes, the highest bit of the first one that is not plain; higher ones have no meaning.
  ///
  /// Subtracting sets the highest bit of a byte that is smaller than what is subtracted. A byte that equals a character
  /// is zero, and so smaller than one, after an exclusive or with it.
  fileprivate var specialBytes: UInt64 {
    let control = self &- Self(inEachByte: 0x20)
    let quotationMark = (self ^ Self(inEachByte: UInt8(ascii: "\""))) &- Self(inEachByte: 1)
    let backslash = (self ^ Self(inEachByte: UInt8(ascii: "\\"))) &- Self(inEachByte: 1)
    return (self | control | quotationMark | backslash) & Self(inEachByte: 0x80)
  }

  private init(inEachByte byte: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(byte) }
}
