/// Goes through the elements of an XML text, from its beginning to its end or to where it is cut.
///
/// It checks nothing: names, attributes and text that are not looked for are passed over. Tracks have no entities in what is
/// read of them, which are numbers and times.
struct XMLScanner {
  enum Token: Hashable {
    /// A tag that opens an element; one without content is followed by its end.
    case start(name: String)
    case end(name: String)
  }

  private let text: [UInt8]
  private var place = 0
  /// The end of an element without content, which is to follow.
  private var pendingEnd: String?
  /// The inside of the newest tag.
  private var tag: Range<Int> = 0..<0
  /// What stood between the newest tag and the one before it.
  private var between: Range<Int> = 0..<0

  init(_ text: [UInt8]) { self.text = text }

  /// The text before the newest tag, without blanks at either end.
  var content: String {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    let bytes = self.text[self.between].drop(while: isBlank)
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
  }

  /// The next tag; `nil` at the end.
  mutating func next() -> Token? {
    if let name = self.pendingEnd {
      self.pendingEnd = nil
      self.between = self.place..<self.place
      return .end(name: name)
    }
    let start = self.place
    while let open = self.text[self.place...].firstIndex(of: UInt8(ascii: "<")) {
      if self.skips(open, "<!--", to: "-->") || self.skips(open, "<![CDATA[", to: "]]>")
        || self.skips(open, "<?", to: "?>")
      {
        continue
      }
      guard let close = self.text[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      self.between = start..<open
      self.place = close + 1
      var inside = (open + 1)..<close
      let isEnd = self.text[inside].first == UInt8(ascii: "/")
      if isEnd { inside = (inside.lowerBound + 1)..<close }
      let isEmpty = !isEnd && self.text[inside].last == UInt8(ascii: "/")
      self.tag = inside
      let name = Self.localName(self.text[inside])
      if isEmpty { self.pendingEnd = name }
      return isEnd ? .end(name: name) : .start(name: name)
    }
    return nil
  }

  /// The value of an attribute of the newest tag; `nil` if it has none.
  func attribute(_ name: String) -> String? {
    var rest = self.text[self.tag]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let before = rest[..<equals].split(whereSeparator: { $0 <= 0x20 }).last ?? []
      let after = rest[(equals + 1)...].drop { $0 <= 0x20 }
      guard let quote = after.first, let end = after.dropFirst().firstIndex(of: quote) else { return nil }
      if before.elementsEqual(name.utf8) {
        return String(decoding: after[(after.startIndex + 1)..<end], as: UTF8.self)
      }
      rest = rest[(end + 1)...]
    }
    return nil
  }

  /// Passes over what is no element, if that begins here; without its end it goes to the end of the text.
  private mutating func skips(_ open: Int, _ beginning: StaticString, to ending: StaticString) -> Bool {
    guard self.text[open...].starts(with: beginning.description.utf8) else { return false }
    let end = Array(ending.description.utf8)
    var place = open + beginning.utf8CodeUnitCount
    while place < self.text.count, !self.text[place...].starts(with: end) { place += 1 }
    self.place = min(place + end.count, self.text.count)
    return true
  }

  /// The name of a tag without its prefix.
  private static func localName(_ tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }
}
