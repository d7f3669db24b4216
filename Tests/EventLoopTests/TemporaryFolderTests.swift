import EventLoop
import Glibc
import Testing

@Suite("Temporary folders")
struct TemporaryFolderTests {
  @Test("A folder is removed with its contents, and targets of links stay")
  func remove() throws {
    let outside = try TemporaryFolder()
    let kept = try FileDescriptor(adopting: unsafe open(outside.file("kept"), O_WRONLY | O_CREAT, 0o600))
    let folder = try TemporaryFolder()
    #expect(unsafe mkdir(folder.file("deep"), 0o700) == 0)
    #expect(unsafe symlink(outside.path, folder.file("deep/link")) == 0)
    try folder.remove()
    #expect(unsafe access(folder.path, F_OK) != 0)
    #expect(unsafe access(outside.file("kept"), F_OK) == 0)
    try folder.remove()
    withExtendedLifetime(kept) {}
  }

  @Test("Two folders are distinct, and other users cannot read them")
  func own() throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder()]
    #expect(folders[0].path != folders[1].path)
    var status = stat()
    #expect(unsafe stat(folders[0].path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
  }

  @Test("A folder is removed when its last reference is released")
  func dropped() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(folder?.path)
    folder = nil
    #expect(unsafe access(path, F_OK) != 0)
  }
}
