import MPaaSDigests
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSAppServices

@Suite("The kept states of flags") struct FlagCacheTests {
  let folder: TemporaryFolder
  let cache: FlagCache
  let content = FlagCache.Content(
    origin: "o", body: Array(#"{"features":[]}"#.utf8), etag: "\"1\"", eventID: "7")

  init() throws {
    folder = try TemporaryFolder()
    cache = FlagCache(folder: folder.path + "/flags")
  }

  @Test("are kept for each user, and for one origin")
  func users() throws {
    try cache.write(content, of: "ann")
    var other = content
    other.etag = nil
    try cache.write(other, of: nil)
    #expect(cache.read("ann", origin: "o") == content)
    #expect(cache.read(nil, origin: "o") == other)
    #expect(cache.read("bob", origin: "o") == nil)
    #expect(cache.read("ann", origin: "p") == nil)
    // The file of another user under the name of this one.
    try Bytes(FlagCache.file(content, "ann")).write(to: cache.path("bob"))
    #expect(cache.read("bob", origin: "o") == nil)
  }

  @Test("a file in which any bit is flipped, or that is cut anywhere, counts as none")
  func damage() throws {
    let file = FlagCache.file(content, "ann")
    #expect(FlagCache.content(file, "ann") == content)
    for place in file.indices {
      for bit in Flips.bits(of: place) {
        var flipped = file
        flipped[place] ^= 1 << UInt8(bit)
        // The number of the form is for people.
        let found = FlagCache.content(flipped, "ann")
        #expect(found == nil || (found == content && place == 12), "\(place)")
      }
      #expect(FlagCache.content(Array(file[..<place]), "ann") == nil, "\(place)")
    }
  }

  @Test("a write that ends anywhere leaves the state before")
  func cutWrite() throws {
    try cache.write(content, of: "ann")
    let next = FlagCache.file(FlagCache.Content(origin: "o", body: Array("{}".utf8)), "ann")
    for count in [0, 1, next.count / 2, next.count] {
      // A program that is killed here has neither ended the file nor renamed it.
      let file = try PartialFile(beside: cache.path("ann"))
      try next[..<count].withUnsafeBytes { try file.append($0) }
      #expect(cache.read("ann", origin: "o") == content)
    }
    #expect(cache.read("ann", origin: "o") == content)
    for name in ["flags-1.AbC123", "signed.json.000000"] { try Bytes([1]).write(to: cache.folder + "/" + name) }
    cache.removeLeftovers()
    #expect(try FileSystem.names(in: cache.folder) == [FileSystem.name(of: cache.path("ann"))])
  }

  @Test("a file of an earlier or later version is read as long as it has what is needed")
  func versions() {
    for (form, members) in [("1", ""), ("2", #""codec":"none","#)] {
      let rest = Array("{\(members)\"origin\":\"o\",\"etag\":\"\\\"1\\\"\"}\n{\"features\":[],\"more\":1}".utf8)
      let file = Array("mpaas-flags \(form) \(rest.sha256.hexadecimal)\n".utf8) + rest
      let content = FlagCache.content(file, nil)
      #expect(content?.etag == "\"1\"")
      #expect(content?.body == Array("{\"features\":[],\"more\":1}".utf8))
    }
  }

  @Test("the session's ID is the same at each start, and a damaged one is replaced")
  func session() throws {
    let first = FlagSessionID.reading(cache.folder) { _ in }
    #expect(FlagSessionID.reading(cache.folder) { _ in } == first)
    try Bytes(Array("damage".utf8)).write(to: cache.folder + "/session")
    let second = FlagSessionID.reading(cache.folder) { _ in }
    #expect(second != first && second.utf8.count == 36)
    #expect(FlagSessionID.reading(cache.folder) { _ in } == second)
  }
}
