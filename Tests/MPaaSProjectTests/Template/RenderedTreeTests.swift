import MPaaSArchive
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A tree of rendered files") struct RenderedTreeTests {
  private func refusal(_ path: String, in tree: RenderedTree = RenderedTree()) -> String? {
    var tree = tree
    return TemplateRenderingTests.code { try tree.add(.init(bytes: [1]), at: path, origin: "o") }
  }

  @Test(
    "takes the paths that every system has",
    arguments: [
      "a", "a/b/c", "中文/文件.swift", "a b", ".gitignore", ".github/x.yml", "git", "a.git", "..a", "a-_.~#@+,;='()[]{}!$&",
    ])
  func taken(path: String) { #expect(refusal(path) == nil) }

  @Test(
    "refuses those that lead elsewhere, and those that some system reads otherwise",
    arguments: [
      ".", "..", "a/..", "a/./b", "/", "a/", " a", "a ", "a/ b", "a*", "a?", "a\"b", "<a>", "a|b", "e\u{301}", "a\nb",
      "a\u{202e}b", ".GIT/config", "a/.git", String(repeating: "x", count: 256),
    ])
  func refused(path: String) { #expect(refusal(path) == "template-path") }

  @Test("is 24 folders deep and 700 bytes long at most")
  func limits() {
    #expect(refusal(Array(repeating: "d", count: 24).joined(separator: "/")) == nil)
    #expect(refusal(Array(repeating: "d", count: 25).joined(separator: "/")) == "template-path")
    let part = String(repeating: "x", count: 174)
    #expect(refusal([part, part, part, part + "y"].joined(separator: "/")) == nil)
    #expect(refusal([part, part, part, part + "yz"].joined(separator: "/")) == "template-path")
  }

  @Test(
    "refuses what is one file for systems that know no case, and a folder where a file is",
    arguments: [
      ("a", "a"), ("a", "A"), ("STRASSE", "straße"), ("a", "a/b"), ("a/b", "a"), ("d/a", "D/b"), ("x/y", "x/Y"),
    ])
  func clashes(first: String, second: String) throws {
    let tree = try RenderedTree([first: ""])
    #expect(refusal(second, in: tree) == "template-path-clash")
    #expect(tree.paths == [first])
  }

  @Test("has files of one folder beside each other, and as many as a template may have")
  func many() throws {
    var tree = RenderedTree()
    for index in 0..<RenderedTree.limits.files { try tree.add(.init(bytes: []), at: "d/\(index)", origin: "o") }
    #expect(tree.paths.count == RenderedTree.limits.files)
    #expect(refusal("d/more", in: tree) == "template-too-large")
  }

  @Test("is equal to another by its files, in whatever order they came, and who may execute them")
  func equal() throws {
    var left = RenderedTree()
    var right = RenderedTree()
    for path in ["a", "b/c", "b/d"] { try left.add(.init(bytes: [1]), at: path, origin: "o") }
    for path in ["b/d", "a", "b/c"] { try right.add(.init(bytes: [1]), at: path, origin: "o") }
    #expect(left == right)
    try left.add(.init(bytes: [], isExecutable: true), at: "run", origin: "o")
    try right.add(.init(bytes: []), at: "run", origin: "o")
    #expect(left != right)
  }

  @Test("comes back from its copy, whatever is in it")
  func copies() throws {
    var random = SeededRandom(seed: 43)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      var tree = RenderedTree()
      for index in 0..<Int.random(in: 0..<8, using: &random) {
        let bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let path = ["", "文/", "d/e/"][index % 3] + "f\(index)"
        try tree.add(.init(bytes: bytes, isExecutable: Bool.random(using: &random)), at: path, origin: "o")
      }
      #expect(try StoredZip.tree(StoredZip.bytes(of: tree), file: "z") == tree)
    }
  }
}
