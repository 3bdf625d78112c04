import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

/// A program, and a report with a frame for each byte of one of its functions.
private struct Case {
  let folder: TemporaryFolder
  var report: CrashReport

  static let source = """
    static inline __attribute__((always_inline)) int inner(volatile int *p, int i) {
      return p[i];
    }
    __attribute__((noinline)) int outer(volatile int *p, int i) {
      return inner(p, i) + 1;
    }
    int main(int argc, char **argv) {
      int numbers[4] = {1, 2, 3, argc};
      return outer(numbers, argc);
    }
    """

  var program: String { folder.path + "/program" }

  init(_ flags: [String] = []) throws {
    folder = try TemporaryFolder()
    report = CrashReport()
    try build(flags)
    let image = try ELFImage(try Bytes.mapping(program))
    let (first, second) = (try nm("outer"), try nm("main"))
    let start = try #require(first), end = try #require(second)
    let base: UInt64 = 0x5555_0000_0000
    report.process.path = program
    report.images = [
      CrashReport.Image(
        base: base, size: 0x10000, buildID: image.buildID?.hex ?? "", path: program, architecture: "x86_64", slide: base
      )
    ]
    var thread = CrashReport.Thread(id: 1)
    thread.frames = (min(start, end)..<max(start, end)).map { CrashReport.Frame(address: base + $0 + 1) }
    report.threads = [thread]
    report.faultingThread = 0
  }

  /// Compiles the program, in place of what was there.
  func build(_ flags: [String] = [], source: String = Case.source) throws {
    let file = folder.url.appending(path: "program.c")
    try Data(source.utf8).write(to: file)
    try run(
      "gcc", ["-O1", "-g", "-fno-reorder-functions", "-Wl,--build-id=sha1"] + flags + [file.path, "-o", program])
  }

  @discardableResult
  func run(_ tool: String, _ arguments: [String]) throws -> String {
    let outcome = try Command.run(tool, arguments, directory: folder.url)
    try #require(outcome.status == 0, "\(tool): \(outcome.errors)")
    return outcome.output
  }

  private func nm(_ name: String) throws -> UInt64? {
    let line = try run("nm", [program]).split(separator: "\n").first { $0.hasSuffix(" T \(name)") }
    return line?.split(separator: " ").first.flatMap { UInt64($0, radix: 16) }
  }

  func symbolicate(_ search: DebugFileSearch = DebugFileSearch()) -> SymbolicatedReport {
    ReportSymbolicator.live(search).symbolicate(report)
  }

  /// The names of the calls of all frames, each once.
  static func names(_ result: SymbolicatedReport) -> Set<String> {
    Set(result.report.threads[0].frames.flatMap(\.calls).map(\.function))
  }
}

@Suite("Symbols of a report's image", .tool("gcc"), .tool("objcopy")) struct SearchSymbolsTests {
  @Test("have functions, files, lines and inlined calls where the program is at hand")
  func complete() throws {
    let result = try Case().symbolicate()
    #expect(result.missing == [])
    let inlined = try #require(result.report.threads[0].frames.first { $0.calls.count == 2 })
    #expect(inlined.calls.map(\.function) == ["inner", "outer"])
    #expect(inlined.calls.map(\.isInlined) == [true, false])
    #expect(inlined.calls.map(\.line) == [2, 5])
    #expect(inlined.calls.allSatisfy { $0.file?.hasSuffix("/program.c") == true })
  }

  @Test("are never taken from a file that was built anew since, which is named as a near miss")
  func replaced() throws {
    let it = try Case()
    try it.build(source: Case.source + "\nint more = 1;\n")
    let now = try #require(try ELFImage(try Bytes.mapping(it.program)).buildID)
    let result = it.symbolicate()
    #expect(Case.names(result).isEmpty)
    let missing = try #require(result.missing.first)
    #expect(missing.reason == .otherBuild)
    #expect(missing.uuid == it.report.images[0].buildID)
    #expect(missing.nearMisses == [MissingSymbols.NearMiss(path: it.program, uuid: now.hex)])
    #expect(missing.searched.contains(it.program))
    #expect(missing.command == "mpaas symbols add DIR/program")
  }

  @Test("are missed where the file is gone, and found where the user says it is")
  func deleted() throws {
    var it = try Case()
    let kept = it.folder.path + "/kept"
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: it.program, toPath: kept + "/another-name")
    it.report.images[0].path += " (deleted)"
    let lost = it.symbolicate()
    #expect(lost.missing.map(\.reason) == [.notFound])
    #expect(lost.missing.first?.searched.contains(it.program) == true)
    let found = it.symbolicate(DebugFileSearch(paths: [kept]))
    #expect(found.missing == [])
    #expect(Case.names(found).isSuperset(of: ["inner", "outer"]))
  }

  @Test("come from a stripped program's debug file in the store")
  func stripped() throws {
    let it = try Case()
    let debug = it.program + ".debug"
    try it.run("objcopy", ["--only-keep-debug", it.program, debug])
    try it.run("objcopy", ["--strip-all", it.program])
    let store = SymbolStore(it.folder.path + "/store")
    let moved = it.folder.path + "/elsewhere.debug"
    try FileManager.default.moveItem(atPath: debug, toPath: moved)
    #expect(it.symbolicate().missing.map(\.reason) == [.noDebugInfo])
    _ = try store.add(moved)
    let result = it.symbolicate(DebugFileSearch(store: store))
    #expect(result.missing == [])
    #expect(Case.names(result).isSuperset(of: ["inner", "outer"]))
  }

  @Test("of an image without a build ID are only taken from a file without one")
  func withoutBuildID() throws {
    let none = try Case(["-Wl,--build-id=none"])
    #expect(none.report.images[0].buildID.isEmpty)
    #expect(Case.names(none.symbolicate()).contains("outer"))
    try none.build()
    let result = none.symbolicate()
    #expect(Case.names(result).isEmpty)
    #expect(result.missing.map(\.reason) == [.noBuildID])
  }

  @Test("of the code that the kernel maps into every process come from our own process")
  func kernelCode() throws {
    #if os(Linux)
      var report = CrashReport()
      let base: UInt64 = 0x7fff_0000_0000
      report.images = [
        CrashReport.Image(
          base: base, size: 0x2000, buildID: "00", path: "[vdso]", architecture: "x86_64", slide: base)
      ]
      report.threads = [CrashReport.Thread(id: 1)]
      report.threads[0].frames = [CrashReport.Frame(address: base + 0x700)]
      let result = ReportSymbolicator.live(DebugFileSearch()).symbolicate(report)
      #expect(result.missing.map(\.reason) == [.notFound])
      #expect(result.report.threads[0].frames[0].calls.isEmpty)
    #endif
  }
}
