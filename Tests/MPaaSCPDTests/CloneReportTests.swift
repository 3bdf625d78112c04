import MPaaSCPD
import MPaaSSupport
import MPaaSTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Reports of clones") struct CloneReportTests {
  /// A folder with sources, removed after.
  private static func folder<Value>(_ files: [String: String], _ body: (String) throws -> Value) throws -> Value {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let path = folder.path + "/" + name
      try Directories.create(FileSystem.folder(of: path))
      try Bytes(Array(text.utf8)).write(to: path)
    }
    return try body(folder.path)
  }

  /// A function of several statements whose operators are those of a number.
  private static func function(_ name: String, _ seed: Int, variable: String = "v", statements: Int = 12) -> String {
    var random = SeededRandom(seed: UInt64(seed))
    let lines = (0..<statements).map { index in
      let operators = (0..<6).map { _ in ["+", "-", "*", "/"].randomElement(using: &random) ?? "+" }
      return "  let \(variable)\(index) = a"
        + operators.enumerated().map { " \($1) \(variable)\($0 % (index + 1))" }.joined()
    }
    return "func \(name)(a: Int) -> Int {\n" + lines.joined(separator: "\n") + "\n}\n"
  }

  private static func report(_ folder: String, _ options: CloneOptions = CloneOptions()) throws -> CloneReport {
    CloneReport(try SourceTree().files([folder]), options)
  }

  @Test("tell a file that was copied whole once, as one clone")
  func copies() throws {
    let text = Self.function("one", 1) + Self.function("two", 2)
    try Self.folder(["a.swift": text, "b.swift": text, "c/d.swift": text]) { folder in
      let report = try Self.report(folder)
      #expect(report.clones.map(\.spans.count) == [3])
      #expect(report.clones.first?.clone.type == .exact)
      #expect(report.total.percent == 100)
    }
  }

  @Test("do not know names that are exchanged for two others as renamed")
  func inconsistent() throws {
    let other = Self.function("two", 1, variable: "w")
    let broken = other.replacing("w3", with: "w4")
    var options = CloneOptions()
    options.types = [.renamed]
    try Self.folder(["a.swift": Self.function("one", 1), "b.swift": other]) { folder in
      let report = try Self.report(folder, options)
      #expect(report.clones.map(\.clone.type) == [.renamed])
    }
    try Self.folder(["a.swift": Self.function("one", 1), "b.swift": broken]) { folder in
      let report = try Self.report(folder, options)
      #expect(report.clones.isEmpty)
    }
  }

  @Test("leave out what stands between CPD-OFF and CPD-ON in every form of comment")
  func hidden() throws {
    let pairs = [
      ("swift", "// CPD-OFF", "/* CPD-ON */"), ("swift", "/* CPD-OFF */", "// CPD-ON"),
      ("c", "/* CPD-OFF", "*/ // CPD-ON"),
      ("kt", "// CPD-OFF", "// CPD-ON"), ("java", "/** CPD-OFF */", "// CPD-ON"), ("ts", "// CPD-OFF", "/* CPD-ON */"),
      ("lua", "-- CPD-OFF", "--[[ CPD-ON ]]"), ("xml", "<!-- CPD-OFF -->", "<!-- CPD-ON -->"),
    ]
    for (end, off, on) in pairs {
      let text = Self.function("one", 1)
      let marked = off + "\n" + text + on + "\n"
      try Self.folder(["a.\(end)": text, "b.\(end)": marked]) { folder in
        var tree = SourceTree()
        tree.usesIgnoreFiles = false
        let report = CloneReport(try tree.files([folder]), CloneOptions())
        #expect(report.clones.isEmpty, "\(end): \(off)")
      }
    }
  }

  @Test("name a clone by its tokens, so that one that was moved is known and one more copy is new")
  func baseline() throws {
    let (one, two) = (Self.function("one", 1), Self.function("two", 2))
    let known = try Self.folder(["a.swift": one + two, "b.swift": two + one]) { CloneBaseline(try Self.report($0)) }
    try Self.folder(["x/y.swift": "// moved\n\n" + one + two, "z.swift": two + "\n\n" + one]) { folder in
      var report = try Self.report(folder)
      let count = report.clones.count
      #expect(report.keepClones(newTo: known) == count)
      #expect(count > 0 && report.clones.isEmpty)
    }
    try Self.folder(["a.swift": one + two, "b.swift": two + one, "c.swift": "let x = 1\n" + two]) { folder in
      var report = try Self.report(folder)
      _ = report.keepClones(newTo: known)
      #expect(report.clones.map(\.spans.count) == [3])
    }
  }

  @Test("write known clones that are read as they were")
  func baselineFile() throws {
    let one = Self.function("one", 1)
    try Self.folder(["a.swift": one, "b.swift": one + "let x = 1"]) { folder in
      let baseline = CloneBaseline(try Self.report(folder))
      try Bytes(Array(baseline.text.utf8)).write(to: folder + "/known.json")
      #expect(try CloneBaseline(path: folder + "/known.json") == baseline)
      try Bytes(Array("{\"version\": 2}".utf8)).write(to: folder + "/known.json")
      #expect(throws: CPDError.self) { try CloneBaseline(path: folder + "/known.json") }
    }
  }

  @Test("come from the cache as they were, and anew when a source has changed")
  func cache() throws {
    let one = Self.function("one", 1)
    try Self.folder(["a.swift": one, "b.swift": one + "let x = \"\"\"\n\n\"\"\""]) { folder in
      let cache = ReportCache(folder: folder + "/cache")
      let files = try SourceTree().files([folder])
      let report = CloneReport(files, CloneOptions())
      let key = ReportCache.key(files, CloneOptions(), skipsGenerated: true)
      cache.keep(report, key, files)
      let again = try #require(cache.report(key, files))
      #expect(again.clones == report.clones && again.total == report.total && again.unread == report.unread)
      try Bytes(Array((one + " ").utf8)).write(to: folder + "/a.swift")
      #expect(ReportCache.key(try SourceTree().files([folder]), CloneOptions(), skipsGenerated: true) != key)
    }
  }

  @Test("leave out generated sources, hidden files and what git ignores")
  func selection() throws {
    let one = Self.function("one", 1)
    let files = [
      "a.swift": one, "b.swift": "// Code generated by a program. DO NOT EDIT.\n" + one, ".hidden/c.swift": one,
      "build/d.swift": one, "keep.swift": "let x = 1\n" + one, ".gitignore": "build/\n*.gen.swift\n!keep.gen.swift\n",
      "x.gen.swift": one, "keep.gen.swift": "let y = 2\n" + one,
    ]
    try Self.folder(files) { folder in
      let report = try Self.report(folder)
      #expect(report.sources.map { FileSystem.name(of: $0.path) } == ["a.swift", "keep.gen.swift", "keep.swift"])
      #expect(report.generated.count == 1)
      var tree = SourceTree()
      tree.usesIgnoreFiles = false
      tree.excluded = ["*.gen.swift", "/build"].compactMap { IgnorePattern($0) }
      let names = try tree.files([folder]).map { FileSystem.name(of: $0.path) }
      #expect(names == ["a.swift", "b.swift", "keep.swift"])
    }
  }

  @Test("keep only clones across projects where these are asked for")
  func between() throws {
    let (one, two) = (Self.function("one", 1), Self.function("two", 2))
    let files = ["p/a.swift": one + two, "p/b.swift": "let x = 1\n" + two, "q/c.swift": "let y = 2\n" + one]
    try Self.folder(files) { folder in
      let files = try SourceTree().files([folder + "/p", folder + "/q"])
      var report = CloneReport(files, CloneOptions())
      report.keepClones(across: Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.root) }))
      #expect(report.clones.count == 1)
      #expect(report.clones.first?.spans.map(\.source) == [0, 2])
    }
  }

  @Test("are the same on one processor and on several")
  func processors() throws {
    var files: [String: String] = [:]
    for index in 0..<40 {
      files["f\(index).swift"] = Self.function("f\(index)", index % 30, statements: 400)
    }
    try Self.folder(files) { folder in
      let found = try SourceTree().files([folder])
      let one = CloneReport(found, CloneOptions(), processors: 1)
      let several = CloneReport(found, CloneOptions(), processors: 3)
      #expect(one.clones.count >= 10 && one.clones == several.clones)
    }
  }

  @Test("take time linear in code that repeats itself", arguments: ["let x = 1\n", "{0,0},", "a(b);c[d]={e:f};"])
  func linear(unit: String) throws {
    func time(_ count: Int) throws -> Duration {
      try Self.folder(["a.js": String(repeating: unit, count: count)]) { folder in
        let files = try SourceTree().files([folder])
        let start = ProcessorTime()
        _ = CloneReport(files, CloneOptions(), processors: 1)
        return start.elapsed
      }
    }
    let (short, long) = (try time(10_000), try time(80_000))
    #expect(long < max(short, .milliseconds(20)) * 40)
  }
}

/// A folder that is gone with its owner.
private struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    path = try FileSystem.makeFolder(unique: FileManager.default.temporaryDirectory.path + "/cpd", called: "cpd")
  }

  deinit { FileSystem.removeTree(path) }
}
