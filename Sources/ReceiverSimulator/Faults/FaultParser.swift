package import ProgramArguments

extension Fault {
  /// The forms of a fault, as an error or a help text lists them.
  package static let forms = """
    nosky, silence, deaf, unplug, garbage[=BYTES], split, merge, corrupt[=SHARE], timejump=[+|-]TIME (1024weeks), \
    jump=METRES[,COURSE]; each with @START[+DURATION], for example nosky@10s+5s
    """

  /// Reads `KIND[=VALUE][@START[+DURATION]]`. Without a start the fault is active from the beginning, without a
  /// duration until the end.
  package init(parsing text: String) throws(UsageError) {
    var head = text[...]
    var start = Duration.zero
    var duration: Duration?
    if let at = text.firstIndex(of: "@") {
      head = text[..<at]
      let when = text[text.index(after: at)...].split(separator: "+", omittingEmptySubsequences: false)
      guard when.count <= 2 else {
        throw UsageError("\(text): more than one + after the @; expected @START+DURATION")
      }
      start = try Specification.duration(when[0], name: "START", of: text)
      guard start >= .zero else { throw UsageError("\(text): START is before the beginning") }
      if when.count == 2 {
        let given = try Specification.duration(when[1], name: "DURATION", of: text)
        guard given > .zero else { throw UsageError("\(text): DURATION must be more than 0") }
        duration = given
      }
    }
    let equals = head.firstIndex(of: "=")
    let value = equals.map { head[head.index(after: $0)...] }
    self.init(
      try Kind(name: head[..<(equals ?? head.endIndex)], value: value, of: text), start: start, duration: duration)
  }
}

extension Fault.Kind {
  fileprivate init(name: Substring, value: Substring?, of whole: String) throws(UsageError) {
    switch name {
    case "nosky": self = try Self.plain(.noSky, value, of: whole)
    case "silence": self = try Self.plain(.silence, value, of: whole)
    case "deaf": self = try Self.plain(.deaf, value, of: whole)
    case "unplug": self = try Self.plain(.unplug, value, of: whole)
    case "split": self = try Self.plain(.split, value, of: whole)
    case "merge": self = try Self.plain(.merge, value, of: whole)
    case "garbage":
      self = .garbage(bytes: Int(try Specification.number(value ?? "64", name: "BYTES", in: 1...4096, of: whole)))
    case "corrupt":
      self = .corrupt(rate: try Specification.number(value ?? "0.1", name: "SHARE", in: 0...1, of: whole))
    case "timejump":
      guard let value else { throw UsageError("\(whole): timejump needs a time, such as timejump=-1024weeks") }
      self = .timeJump(try Specification.duration(value, name: "TIME", of: whole))
    case "jump":
      guard let value else {
        throw UsageError("\(whole): jump needs a distance in metres, such as jump=500,90")
      }
      let parts = value.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count <= 2 else { throw UsageError("\(whole): jump takes METRES and a COURSE, no more") }
      self = .jump(
        distance: try Specification.number(parts[0], name: "METRES", in: 0...10_000_000, of: whole),
        course: try Specification.number(parts.count == 2 ? parts[1] : "0", name: "COURSE", in: 0...360, of: whole))
    default:
      throw UsageError("\(whole): \"\(name)\" is no kind of fault; expected \(Fault.forms)")
    }
  }

  private static func plain(_ kind: Fault.Kind, _ value: Substring?, of whole: String) throws(UsageError)
    -> Fault.Kind
  {
    guard value == nil else { throw UsageError("\(whole): \(kind.name) takes no value") }
    return kind
  }
}
