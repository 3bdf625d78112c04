import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("Writing a file") struct AtomicFileTests {
  @Test("puts the whole file in place with the mode asked for, and leaves nothing beside it")
  func whole() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try Bytes([1, 2, 3]).write(to: path, mode: 0o600)
    try Bytes([4, 5]).write(to: path, mode: 0o600)
    #expect(try Bytes.mapping(path).array == [4, 5])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("through a link replaces the file that it points to, and a pipe stays one")
  func links() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try Bytes([1]).write(to: path)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "file")
    try Bytes([2]).write(to: folder.path + "/link")
    #expect(try Bytes.mapping(path).array == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "file")
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Open for both, so that neither side waits for the other.
    let descriptor = open(pipe, O_RDWR)
    defer { close(descriptor) }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/to-pipe", withDestinationPath: "pipe")
    for name in ["pipe", "to-pipe"] {
      try Bytes([7, 8]).write(to: folder.path + "/" + name)
      var read = [UInt8](repeating: 0, count: 4)
      #expect(Foundation.read(descriptor, &read, 4) == 2)
      #expect(read == [7, 8, 0, 0])
    }
    #expect(FileStatus(ofLink: pipe)?.kind == .other)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  @Test("into a folder that is not there names the path and is status 73")
  func noFolder() throws {
    let path = "/nowhere/at/all"
    let error = #expect(throws: FileError.self) { try Bytes([1]).write(to: path) }
    #expect(error?.operation == .create)
    #expect(error?.path == path)
    #expect(error?.diagnostic.exit == .cannotCreate)
  }

  @Test("where a folder stands fails at the rename and leaves nothing beside it")
  func folderInTheWay() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/dir"
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    let error = #expect(throws: FileError.self) { try Bytes([1]).write(to: path) }
    #expect(error?.operation == .rename)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["dir"])
  }
}

@Suite("The closest match") struct ClosestMatchTests {
  @Test(
    "finds what was meant and nothing else",
    arguments: [
      ("docter", "doctor"), ("carsh", "crash"), ("zzz", nil), ("", nil), ("CRASH", "crash"), ("sym", "symbols"),
      ("sy", nil),
    ]
      as [(String, String?)])
  func match(word: String, expected: String?) {
    #expect(closestMatch(to: word, among: ["doctor", "crash", "symbols"]) == expected)
  }
}

@Suite("A mapped file") struct ShortenedFileTests {
  @Test("that somebody makes shorter reads as zeros from there on, and ends nothing")
  func shortened() throws {
    ShortenedFiles.readAsZeros()
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    for isSparse in [false, true] {
      try Data(repeating: 7, count: 300_000).write(to: URL(filePath: path))
      let bytes = try Bytes.mapping(path, sparsely: isSparse)
      #expect(bytes.buffer[299_999] == 7)
      truncate(path, 10)
      #expect(bytes.buffer[299_999] == 0)
      #expect(bytes.buffer[150_000] == 0)
      #expect(bytes.buffer[9] == 7)
      withExtendedLifetime(bytes) {}
    }
  }
}

@Suite("Directories") struct DirectoriesTests {
  @Test("follow MPAAS_HOME, then XDG, then HOME; a relative XDG path is ignored")
  func order() {
    #expect(Directories(environment: ["MPAAS_HOME": "/m", "HOME": "/h"]).data == "/m/data")
    #expect(Directories(environment: ["XDG_DATA_HOME": "/x", "HOME": "/h"]).data == "/x/mpaas")
    #expect(Directories(environment: ["XDG_DATA_HOME": "x", "HOME": "/h"]).data == "/h/.local/share/mpaas")
    #expect(Directories(environment: ["HOME": "/h"]).cache == "/h/.cache/mpaas")
  }

  @Test("without HOME lie in the home that the password database has, and nowhere without that")
  func noHome() {
    for environment in [[:], ["HOME": ""], ["HOME": "relative"]] as [[String: String]] {
      let own = Directories(environment: environment, accountHome: { "/home/ana" })
      #expect(own.configuration == "/home/ana/.config/mpaas")
      #expect(own.data == "/home/ana/.local/share/mpaas")
      for home in [nil, "", "home"] {
        let none = Directories(environment: environment, accountHome: { home })
        let folders = [none.configuration, none.data, none.cache, none.crashes, none.symbols]
        #expect(folders.allSatisfy { $0.hasPrefix("/dev/null/mpaas") })
        let refused = #expect(throws: FileError.self) { try Directories.create(none.data) }
        #expect(refused?.diagnostic.id == "home-unknown")
        let error = #expect(throws: FolderError.self) { try OwnFolder.check(none.configuration + "/keys") }
        #expect(error?.diagnostic.id == "home-unknown")
      }
    }
    let one = Directories(environment: ["XDG_DATA_HOME": "/x"], accountHome: { nil })
    #expect(one.data == "/x/mpaas")
    #expect(one.cache == Directories.nowhere)
    #expect(Directories.accountHome()?.hasPrefix("/") == true)
  }
}

@Suite("A byte count") struct ByteCountTests {
  @Test(
    "is told in the unit that people read",
    arguments: [
      (0, "0 B"), (950, "950 B"), (1000, "1.0 kB"), (12_345_678, "12.3 MB"), (999_950_000, "1.0 GB"),
      (123_456_789, "123 MB"),
    ] as [(UInt64, String)])
  func text(bytes: UInt64, expected: String) {
    #expect(ByteCount(bytes).description == expected)
  }
}
