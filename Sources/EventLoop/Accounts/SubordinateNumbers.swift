import Glibc

/// The owners of numbers that have no user of their own, by /etc/subuid.
///
/// Each line gives a user a range of numbers, which the user's programs may take for themselves: `ada:165536:65536`. So
/// such a number says nothing of who somebody is; its owner does.
package struct SubordinateNumbers: Hashable, Sendable {
  /// The owners of a number, if it has no user.
  package struct Claim: Hashable, Sendable {
    /// Names or numbers of users, as the file has them; more than one if ranges overlap. Empty: the file could not be
    /// read, so anybody may own the number.
    package let owners: [String]
    /// One number for all ranges of the first owner, for use until the owner's number is known, or if there is none.
    package let number: UInt32
  }

  fileprivate struct OwnedRange: Hashable, Sendable {
    let owner: String
    let numbers: ClosedRange<UInt32>
  }

  /// What an unreadable file says: every number may be a subordinate one.
  package static let unreadable = SubordinateNumbers(isReadable: false, ranges: [])

  private let isReadable: Bool
  private let ranges: [OwnedRange]

  private init(isReadable: Bool, ranges: [OwnedRange]) {
    self.isReadable = isReadable
    self.ranges = ranges
  }

  /// Lines that are no ranges are skipped, as newuidmap(1) does.
  package init(_ text: some Sequence<UInt8>) {
    self.init(isReadable: true, ranges: text.split(separator: UInt8(ascii: "\n")).compactMap { OwnedRange(line: $0) })
  }

  /// `nil`: the number is no subordinate one. Root's number never is.
  package func claim(of uid: UInt32) -> Claim? {
    guard uid != 0 else { return nil }
    guard self.isReadable else { return Claim(owners: [], number: .max) }
    var owners: [String] = []
    for range in self.ranges where range.numbers.contains(uid) && !owners.contains(range.owner) {
      owners.append(range.owner)
    }
    guard let owner = owners.first, let first = self.ranges.first(where: { $0.owner == owner }) else { return nil }
    return Claim(owners: owners, number: first.numbers.lowerBound)
  }
}

extension SubordinateNumbers.OwnedRange {
  /// `owner:first:count`.
  fileprivate init?(line: some Collection<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count == 3, !fields[0].isEmpty, let first = Self.number(fields[1]), let count = Self.number(fields[2]),
      count > 0, let lower = UInt32(exactly: max(1, first))
    else { return nil }
    let (last, isOver) = first.addingReportingOverflow(count - 1)
    let upper = isOver ? UInt32.max : UInt32(clamping: last)
    guard upper >= lower else { return nil }
    self.init(owner: String(decoding: fields[0], as: UTF8.self), numbers: lower...upper)
  }

  private static func number(_ digits: some Sequence<UInt8>) -> UInt64? {
    UInt64(String(decoding: Array(digits), as: UTF8.self))
  }
}

/// The file of subordinate numbers, read again whenever it has changed.
///
/// It is a local file, which waits for no server, so it is read on the loop's thread: whose place a client takes must be
/// known first.
package struct SubordinateFile {
  package static let systemPath = "/etc/subuid"

  /// More than the ranges of all users of a machine need.
  private static let mostBytes = 64 << 20

  /// What changes when the file does.
  private struct Version: Equatable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let seconds: time_t
    let nanoseconds: Int
  }

  private let path: String
  private var version: Version?
  private var numbers = SubordinateNumbers([])

  package init(path: String = SubordinateFile.systemPath) { self.path = path }

  /// Returns the present content of a file each time it is called.
  package static func reader(of path: String = SubordinateFile.systemPath) -> () -> SubordinateNumbers {
    var file = SubordinateFile(path: path)
    return { file.current }
  }

  /// The present content. Without a file nobody has subordinate numbers.
  package var current: SubordinateNumbers {
    mutating get {
      var status = stat()
      guard unsafe stat(self.path, &status) == 0 else {
        self.version = nil
        return errno == ENOENT ? SubordinateNumbers([]) : .unreadable
      }
      let version = Version(
        device: status.st_dev, inode: status.st_ino, size: status.st_size, seconds: status.st_ctim.tv_sec,
        nanoseconds: status.st_ctim.tv_nsec)
      if version == self.version { return self.numbers }
      do throws(SystemError) {
        self.numbers = SubordinateNumbers(try self.read())
        self.version = version
        return self.numbers
      } catch {
        self.version = nil
        return .unreadable
      }
    }
  }

  private func read() throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK a FIFO would block the loop for ever.
    let number = unsafe open(self.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw SystemError.last("open \(self.path)") }
    let file = try FileDescriptor(adopting: number)
    var bytes: [UInt8] = []
    while bytes.count <= Self.mostBytes {
      switch try file.read(into: &bytes, upTo: 1 << 16) {
      case .bytes: continue
      case .endOfFile, .wouldBlock: return bytes
      }
    }
    throw SystemError(code: EFBIG, call: "read \(self.path)")
  }
}
