import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("Delegations of a repository") struct DelegationTests {
  @Test(
    "patterns match as shells match them, part by part",
    arguments: [
      ("*", "a.txt", true), ("*", "a/b.txt", false), ("a/*", "a/b", true), ("a/*", "a/b/c", false),
      ("foo-?.tgz", "foo-1.tgz", true), ("foo-?.tgz", "foo-alpha.tgz", false), ("*.MD", "a.md", false),
      ("a*b*c", "a--b--bc", true), ("a*b*c", "a--b--b", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false),
      ("[]]", "]", true), ("[ab", "[ab", true), ("补丁/*", "补丁/一", true), ("?", "补", true), ("*/", "a/", true),
      ("/a", "a", false), ("", "", true),
    ])
  func patterns(pattern: String, name: String, isMatch: Bool) {
    #expect(PathPattern.matches(pattern, name) == isMatch)
  }

  @Test("a pattern made to be slow is not")
  func slowPattern() {
    let pattern = String(repeating: "*a", count: 500) + "b"
    #expect(!PathPattern.matches(pattern, String(repeating: "a", count: 2000)))
  }

  @Test("bins are those of the specification's arithmetic")
  func bins() {
    let keys = RoleKeys(keyIDs: [], threshold: 1)
    let digest = SuccinctRoles(keys: keys, bitLength: 32, namePrefix: "bin").bin(of: "patch")
    let number = UInt32(digest.dropFirst(4), radix: 16) ?? 0
    for bits in 1...31 {
      let bins = SuccinctRoles(keys: keys, bitLength: bits, namePrefix: "bin")
      #expect(bins.bin(of: "patch") == bins.bin(at: number >> UInt32(32 - bits)))
      #expect(bins.bin(of: "patch").count == 4 + (bits + 3) / 4)
    }
    #expect(SuccinctRoles(keys: keys, bitLength: 8, namePrefix: "b").bin(at: 5) == "b-05")
    #expect(DelegatedRole.Scope.hashPrefixes([String(digest.dropFirst(4).prefix(3))]).covers("patch"))
    #expect(!DelegatedRole.Scope.hashPrefixes(["xyz"]).covers("patch"))
  }

  @Test("roles are asked depth first in their order, each once, also where they form a circle")
  func order() throws {
    var repository = try TestRepository()
    for (name, parent) in [("a", "targets"), ("b", "targets"), ("c", "a"), ("d", "c"), ("c2", "b")] {
      try repository.delegate(name, from: parent)
    }
    try repository.delegate("a", from: "d")
    try repository.publish("a", "b", "c", "d", "c2", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    try client.refresh()
    repository.served.requests = []
    #expect(try client.target("missing") == nil)
    #expect(repository.served.requests == ["a", "c", "d", "b", "c2"].map { "1.\($0).json" })
    // Roles that are known are not asked for again.
    repository.served.requests = []
    #expect(try client.target("other") == nil)
    #expect(repository.served.requests.isEmpty)
  }

  @Test("a delegation that ends the search keeps later roles from speaking")
  func terminating() throws {
    var repository = try TestRepository()
    try repository.delegate("first", isTerminating: true, .paths(["patches/*"]))
    try repository.delegate("second")
    try repository.delegate("third", .paths(["patches/*"]))
    repository.add("evil", as: "patches/x", to: "third")
    repository.add("fine", as: "y", to: "second")
    try repository.publish("first", "second", "third", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("patches/x") == nil)
    #expect(try client.target("y")?.role == "second")
  }

  @Test("a role speaks only for names that it was given")
  func scope() throws {
    var repository = try TestRepository()
    try repository.delegate("team", .paths(["patches/*"]))
    repository.add("mine", as: "patches/x", to: "team")
    repository.add("not mine", as: "sdk/x", to: "team")
    try repository.publish("team", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("patches/x")?.role == "team")
    #expect(try client.target("sdk/x") == nil)
  }

  @Test("at most as many roles are asked as the limit says; that more are left is another answer than that nobody is")
  func visits() throws {
    var repository = try TestRepository()
    for index in 0..<40 { try repository.delegate("role\(index)", from: index == 0 ? "targets" : "role\(index - 1)") }
    repository.add("deep", as: "deep", to: "role39")
    repository.add("middle", as: "middle", to: "role30")
    try repository.publish((0..<40).map { "role\($0)" } + ["targets", "snapshot", "timestamp"])
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("middle")?.role == "role30")
    expectRefusal("target-search-limit") { _ = try client.target("deep") }
    expectRefusal("target-search-limit") { _ = try client.target("missing") }
    var limits = RepositoryLimits()
    limits.delegationVisits = 100
    let other = TemporaryMetadata()
    var patient = try repository.client(other, limits: limits)
    #expect(try patient.target("deep")?.role == "role39")
    #expect(try patient.target("missing") == nil)
  }

  @Test("a role that is not in the snapshot, or badly signed, ends the search: no later role speaks in its place")
  func unverified() throws {
    var repository = try TestRepository()
    try repository.delegate("first")
    try repository.delegate("second")
    repository.add("evil", as: "x", to: "second")
    repository.signers["first"] = [try SigningKey.generate()]
    try repository.publish("first", "second", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    expectRefusal("metadata-below-threshold") { _ = try client.target("x") }
    #expect(folder.versions["first"] == nil)
    repository.snapshot.meta["first.json"] = nil
    repository.snapshot.header.version += 10
    try repository.rotate(.snapshot)
    try repository.publish("root", "snapshot", "timestamp")
    try client.refresh()
    expectRefusal("metadata-not-in-snapshot") { _ = try client.target("x") }
  }

  @Test("a role that two others delegate to must satisfy the one that asks")
  func diamond() throws {
    var repository = try TestRepository()
    try repository.delegate("a", .paths(["a/*"]))
    try repository.delegate("b", .paths(["b/*"]))
    try repository.delegate("release", from: "a", .paths(["a/*"]))
    try repository.delegate("release", from: "b", .paths(["b/*"]))
    // The key that only b lists does not sign.
    repository.signers["release"]?.removeLast()
    repository.add("fine", as: "a/x", to: "release")
    repository.add("evil", as: "b/x", to: "release")
    try repository.publish("release", "a", "b", "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("a/x")?.role == "release")
    expectRefusal("metadata-below-threshold") { _ = try client.target("b/x") }
  }

  @Test(
    "names of roles do not lead out of the folder, and none stands in for a top role",
    arguments: ["?", "#", "/x", "../x", "..", "Root", "TARGETS", "a b", "补丁", String(repeating: "long/", count: 100)])
  func names(role: String) throws {
    var repository = try TestRepository()
    try repository.delegate(role)
    repository.add("content", as: "x", to: role)
    try repository.publish(role, "targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("x")?.role == role)
    #expect(folder.versions.count == 5)
    #expect(Set(folder.versions.keys.map { $0.lowercased() }).isSuperset(of: ["root", "targets"]))
    #expect(Set(folder.versions.keys.map { $0.lowercased() }).count == 5)
    #expect(PercentEncoding.decode(PercentEncoding.encode(role)) == role)
  }

  @Test("two names that only look the same are different files")
  func normalisation() throws {
    var repository = try TestRepository()
    repository.add("composed", as: "caf\u{e9}")
    try repository.publish("targets", "snapshot", "timestamp")
    let folder = TemporaryMetadata()
    var client = try repository.client(folder)
    #expect(try client.target("caf\u{e9}") != nil)
    #expect(try client.target("cafe\u{301}") == nil)
  }
}
