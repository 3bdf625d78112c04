import Testing

@testable import MPaaSProject

@Suite("Paths as projects have them") struct PathWordsTests {
  @Test(
    "are without what leads nowhere",
    arguments: [
      ("a/b", "a/b"), ("./a/./b", "a/b"), ("a//b/", "a/b"), ("a/../b", "b"), ("../a", "../a"), ("a/../../b", "../b"),
      ("../../a/..", "../.."), ("/a/../b", "/b"), ("", ""), (".", ""), ("/", "/"), ("价/../格", "格"),
    ])
  func plain(path: String, expected: String) {
    #expect(PathWords.plain(path) == expected)
  }

  @Test(
    "have a last part and a folder",
    arguments: [
      ("a/b.swift", "b.swift", "a"), ("a", "a", ""), ("/a", "a", "/"), ("/a/b/c", "c", "/a/b"), ("", "", ""),
      ("a/b/", "b", "a/b"),
    ])
  func parts(path: String, last: String, folder: String) {
    #expect(PathWords.last(path) == last)
    #expect(PathWords.folder(path) == folder)
  }

  @Test(
    "are joined to a folder, unless they begin at the root",
    arguments: [
      ("a", "b", "a/b"), ("a", "../b", "b"), ("a", "/b", "/b"), ("", "b", "b"), ("a/", "", "a"), ("/", "b", "/b"),
      ("..", "../b", "../../b"),
    ])
  func joined(folder: String, path: String, expected: String) {
    #expect(PathWords.joined(folder, path) == expected)
  }

  @Test(
    "are found from folders",
    arguments: [
      ("a/b", "a", "b"), ("a", "a/b", ".."), ("a/c", "a/b", "../c"), ("a", "", "a"), ("", "a", ".."), ("a", "a", ""),
      ("../a", "b", "../../a"), ("/a/b", "/a/c", "../b"), ("../a", "../b", "../a"),
    ])
  func ways(path: String, folder: String, expected: String) {
    #expect(PathWords.way(to: path, from: folder) == expected)
  }

  @Test(
    "are not found where a name on the way is unknown",
    arguments: [("a", ".."), ("a", "/b"), ("/a", "b"), ("a", "../../b")])
  func noWay(path: String, folder: String) {
    #expect(PathWords.way(to: path, from: folder) == nil)
    #expect(PathWords.relative(path, from: folder) == path)
  }

  @Test("lead back to what they were made of", arguments: ["a", "a/b/c", "x/y", "a/b"])
  func there(path: String) throws {
    for folder in ["a", "a/b", "x", ""] {
      let way = try #require(PathWords.way(to: path, from: folder))
      #expect(PathWords.joined(folder, way) == path, "\(folder)")
    }
  }
}
