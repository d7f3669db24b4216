import Glibc
import Positioning
import TestSupport
import Testing

@testable import EventLoop

@Suite("Unix sockets")
struct UnixSocketTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("socket") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A client reaches the listener, and each has the other's credentials")
  func connect() throws {
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    #expect(try listener.accept() == nil)
    let client = try UnixSocket.connect(path: path)
    let accepted = try #require(try listener.accept())
    #expect(try listener.accept() == nil)
    _ = try client.write([1, 2])
    #expect(try readAll(accepted) == [1, 2])
    for socket in [client, accepted] {
      let peer = try Principal(peerOf: socket)
      #expect(peer.pid == getpid())
      #expect(peer.uid == getuid())
      #expect(peer.gid == getgid())
    }
  }

  @Test("Accepted and connected sockets never block and are closed on exec")
  func flags() throws {
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    let client = try UnixSocket.connect(path: path)
    let accepted = try #require(try listener.accept())
    for socket in [listener.descriptor, client, accepted] {
      #expect(fcntl(socket.rawValue, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(socket.rawValue, F_GETFL) & O_NONBLOCK != 0)
    }
  }

  @Test("A socket without a peer has no credentials")
  func noPeer() throws {
    let listener = try TCPSocket.listenOnLoopback()
    #expect(throws: SystemError.self) { try Principal(peerOf: listener.descriptor) }
  }

  @Test("The socket has the requested mode, whatever the umask", arguments: [0o600, 0o660, 0o666, 0o777] as [mode_t])
  func mode(mode: mode_t) throws {
    let listener = try UnixSocket.listen(path: path, mode: mode, backlog: 4)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == mode)
    withExtendedLifetime(listener) {}
  }

  @Test("The socket of a crashed daemon is replaced")
  func stale() throws {
    let crashed = try FileDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    try bindToPath(crashed)
    crashed.close()
    #expect(throws: SystemError.self) { try UnixSocket.connect(path: path) }

    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    let client = try UnixSocket.connect(path: path)
    #expect(try listener.accept() != nil)
    withExtendedLifetime(client) {}
  }

  @Test("A socket with a listener is left alone")
  func live() throws {
    let first = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    let error = #expect(throws: SystemError.self) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 4) }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.description == "listen on \(path): another process listens there")
    // The first still listens, and the second's probing connection has no effect on it.
    while let asking = try first.accept() { asking.close() }
    let client = try UnixSocket.connect(path: path)
    #expect(try first.accept() != nil)
    withExtendedLifetime(client) {}
  }

  @Test("A file that is no socket is left alone")
  func notSocket() throws {
    let file = try FileDescriptor(adopting: unsafe open(path, O_WRONLY | O_CREAT, 0o600))
    _ = try file.write([1])
    let error = #expect(throws: SystemError.self) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 4) }
    #expect(error?.description == "listen on \(path): a file that is no socket is in the way")
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0)
    #expect(status.st_size == 1)
  }

  @Test("While another process of the same user sets up the socket, ours is not set up; the lock ends with the setup")
  func locked() throws {
    let other = try SetupLock(for: path, "listen")
    let error = #expect(throws: SystemError.self) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 4) }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.message == "another process is setting up a socket there")
    other.release()
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    #expect(unsafe access("\(path).lock", F_OK) != 0)
    withExtendedLifetime(listener) {}
  }

  @Test("A lock on the folder prevents nobody from listening in it")
  func folderLocked() throws {
    // Any user who can read the folder can hold this lock.
    let lock = try FileDescriptor(adopting: unsafe open(folder.path, O_RDONLY))
    #expect(flock(lock.rawValue, LOCK_EX) == 0)
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    withExtendedLifetime((lock, listener)) {}
  }

  @Test("The lock of a crashed process is replaced; one that others may open, or that is a link, is refused")
  func oddLocks() throws {
    let lock = "\(path).lock"
    let left = try FileDescriptor(adopting: unsafe open(lock, O_RDWR | O_CREAT, 0o600))
    try UnixSocket.listen(path: path, mode: 0o600, backlog: 4).close()
    left.close()

    let wide = try FileDescriptor(adopting: unsafe open(lock, O_RDWR | O_CREAT, 0o600))
    #expect(fchmod(wide.rawValue, 0o644) == 0)
    var error = #expect(throws: SystemError.self) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 4) }
    #expect(error?.code == EPERM && error?.message == "\(lock) is not this user's alone; remove it, and start again")
    #expect(unsafe Glibc.unlink(lock) == 0)

    #expect(unsafe symlink(folder.file("elsewhere"), lock) == 0)
    error = #expect(throws: SystemError.self) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 4) }
    #expect(error?.code == ELOOP)
    #expect(unsafe access(folder.file("elsewhere"), F_OK) != 0)
  }

  @Test("Closing removes the socket, and not another one at its path")
  func unlink() throws {
    let first = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    first.close()
    #expect(unsafe access(path, F_OK) != 0)

    let second = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    // Moved, not removed, so that its inode is not reused by the next one.
    #expect(unsafe rename(path, folder.file("moved")) == 0)
    let third = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    second.close()
    #expect(unsafe access(path, F_OK) == 0)
    withExtendedLifetime(third) {}
  }

  @Test("A path of 107 bytes is the longest; one more is an error")
  func length() throws {
    let fitting = folder.file(String(repeating: "a", count: 107 - folder.path.utf8.count - 1))
    let listener = try UnixSocket.listen(path: fitting, mode: 0o600, backlog: 4)
    let client = try UnixSocket.connect(path: fitting)
    withExtendedLifetime((listener, client)) {}

    let long = fitting + "b"
    for attempt in [
      { _ = try UnixSocket.listen(path: long, mode: 0o600, backlog: 4) }, { _ = try UnixSocket.connect(path: long) },
    ] {
      let error = #expect(throws: SystemError.self) { try attempt() }
      #expect(error?.code == ENAMETOOLONG)
      #expect(error?.message == "the path has 108 bytes, and a Unix socket's address holds 107")
    }
  }

  @Test("A passed listening socket is used, and its file stays when it is closed")
  func adopted() throws {
    let made = try UnixSocket.listen(path: path, mode: 0o600, backlog: 4)
    let adopted = try FileDescriptor.adoptListener(dup(made.descriptor.rawValue))
    let client = try UnixSocket.connect(path: path)
    #expect(try adopted.accept() != nil)
    adopted.close()
    #expect(unsafe access(path, F_OK) == 0)
    withExtendedLifetime((made, client)) {}
  }

  @Test("A passed descriptor that is no listening stream socket is refused with the reason")
  func adoptedWrong() throws {
    let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let unbound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let netlink = socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue), 0)
    for (number, words) in [
      (unsafe open("/dev/null", O_RDWR), "it is no socket"),
      (netlink, "it is neither a Unix nor a TCP socket"),
      (datagram, "it is not a stream socket: use ListenStream="),
      (unbound, "it does not listen: use Accept=no"),
    ] {
      let error = #expect(throws: SystemError.self) { try FileDescriptor.adoptListener(number) }
      #expect(error?.message == words)
    }
    let error = #expect(throws: SystemError.self) { try FileDescriptor.adoptListener(-1) }
    #expect(error?.code == EBADF)
  }

  /// Leaves a socket without a listener at the path.
  private func bindToPath(_ socket: FileDescriptor) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
  }
}
