import EventLoop
import ReceiverSimulator
import TestSupport
import Testing

/// scripts/check-features, which compares docs/features.md with the tests, finds its errors.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct FeaturesDocumentTests {
  /// A source tree of three tests, and the log of its run.
  private struct Tree {
    var document = """
      | feature | test |
      |---|---|
      | one \\| two | `Counts "one" and \\two`, ``Takes `three` as it is`` |
      | four | `is no name but a function's` |

      | other | `nothing` |
      """
    var source = #"""
      @Test("Counts \"one\" and \\two") func one() {}
      @Test(
        "Takes `three` as it is", arguments: 1...3) func three(number: Int) {}
      @Test func `is no name but a function's`() {}
      """#
    var log = #"""
      ✔ Test "Counts "one" and \two" passed after 0.001 seconds.
      ✔ Test "Takes `three` as it is" with 3 test cases passed after 0.001 seconds.
      ✔ Test "is no name but a function's" passed after 0.001 seconds.
      """#
  }

  /// The script's output for a tree, and its exit code.
  private func check(_ tree: Tree) async throws -> (exit: Int32?, output: String) {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let making = try RunningProgram(
        "/bin/mkdir", [folder.file("docs"), folder.file("Tests")], environment: ["PATH": Documents.path], on: loop)
      #expect(try making.waitForExit() == 0, "\(making.output)")
      try File.write(Array(tree.document.utf8), to: folder.file("docs/features.md"))
      for other in ["limits", "operations", "programs"] { try File.write([], to: folder.file("docs/\(other).md")) }
      try File.write(Array(tree.source.utf8), to: folder.file("Tests/Some.swift"))
      try File.write(Array(tree.log.utf8), to: folder.file("log"))
      let run = try RunningProgram(
        "\(PackageRoot.path)/scripts/check-features", [folder.file("log"), folder.path],
        environment: ["PATH": Documents.path], on: loop)
      return (try run.waitForExit(), run.output)
    }
  }

  @Test func `a true document passes without output`() async throws {
    let (exit, output) = try await self.check(Tree())
    #expect(exit == 0 && output.isEmpty, "\(output)")
  }

  @Test(
    "a test without a result in the log passed if its run did, and not otherwise",
    arguments: [("passed after 2 seconds.", 0), ("failed after 2 seconds with 1 issue.", 1)] as [(String, Int32)])
  func lost(end: String, status: Int32) async throws {
    var tree = Tree()
    tree.log = tree.log.replacing(
      #"✔ Test "is no name but a function's" passed after 0.001 seconds."#,
      with: #"◇ Test "is no name but a function's" started."#)
    tree.log += "\n✔ Test run with 3 tests in 1 suite \(end)"
    let (exit, output) = try await self.check(tree)
    #expect(exit == status, "\(output)")
  }

  @Test(
    "a test that is renamed, exists twice, or did not pass, is reported with its line",
    arguments: [
      (#"is no name but a function's`()"#, #"is another name`()"#, "docs/features.md:4: no test is called: is no name"),
      ("@Test func", "@Test(\"Takes `three` as it is\") func", "docs/features.md:3: 2 tests are called: Takes `three`"),
      (#""one\" and"#, #""one\" und"#, "docs/features.md:3: no test is called: Counts \"one\" and \\two"),
      (#"✔ Test "is no name"#, #"✘ Test "is any name"#, "docs/features.md:4: did not run: is no name"),
      ("3 test cases passed after", "3 test cases failed after", "docs/features.md:3: failed: Takes `three` as it is"),
      ("`is no name but a function's` |", "|", "docs/features.md:4: no test is named for: four"),
    ])
  func reported(right: String, wrong: String, words: String) async throws {
    var tree = Tree()
    let before = tree.document + tree.source + tree.log
    for part in [\Tree.document, \.source, \.log] as [WritableKeyPath<Tree, String>] {
      tree[keyPath: part] = tree[keyPath: part].replacing(right, with: wrong)
    }
    #expect(tree.document + tree.source + tree.log != before)
    let (exit, output) = try await self.check(tree)
    #expect(exit == 1)
    #expect(output.contains(words), "\(output)")
  }

  @Test func `a test that the log lists as skipped is named, and is no failure`() async throws {
    var tree = Tree()
    tree.log = tree.log.replacing("function's\" passed after 0.001 seconds.", with: "function's\" skipped.")
    let (exit, output) = try await self.check(tree)
    #expect(exit == 0)
    #expect(output.contains("docs/features.md:4: skipped in this run: is no name but a function's"), "\(output)")
  }
}
