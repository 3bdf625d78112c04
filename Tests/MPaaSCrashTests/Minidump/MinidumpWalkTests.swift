import Foundation
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// A minidump of what a core holds, as Breakpad would have written it.
private func minidump(of core: CoreFile, _ report: CrashReport) throws -> [UInt8] {
  let memory = CoreMemory(core)
  var builder = MinidumpBuilder()
  builder.system(processor: 9, platform: 0x8201)
  var threads: [[UInt8]] = []
  for thread in report.threads {
    let registers = try #require(thread.registers)
    let sp = try #require(registers["rsp"])
    let start = (sp &- 256) & ~15
    let stack = memory.bytes(at: start, count: 64 << 10)
    threads.append(
      builder.thread(UInt32(thread.id), stack: (start, stack), context: builder.longContext(registers)))
  }
  builder.stream(3, builder.words(UInt32(threads.count)) + threads.flatMap { $0 })
  var modules: [[UInt8]] = []
  for image in report.images {
    let identity = BuildIDText.bytes(image.buildID) ?? []
    modules.append(
      builder.module(
        image.path, base: image.base, size: UInt32(image.size),
        codeView: identity.isEmpty ? [] : builder.words(0x4270_454c) + identity))
  }
  builder.stream(4, builder.words(UInt32(modules.count)) + modules.flatMap { $0 })
  builder.stream(
    6,
    builder.words(UInt32(report.threads[0].id), 0, 11, 1) + builder.longs(0, 0x10) + builder.words(0, 0)
      + [UInt8](repeating: 0, count: 120) + builder.words(0, 0))
  return builder.file()
}

@Suite("A minidump's stacks with the modules' files at hand", .tool("gcc"), .tool("gdb"))
struct MinidumpWalkTests {
  private func check(_ observed: Observed, _ location: SourceLocation = #_sourceLocation) throws {
    let expected = try CoreCapture.report(of: observed.core)
    let core = try CoreFile(Bytes.mapping(observed.core))
    let file = observed.folder.url.appending(path: "crash.dmp")
    try Data(minidump(of: core, expected)).write(to: file)
    let bytes = try Bytes.mapping(file.path)
    let walked = try ReportFile.read(bytes.buffer, search: DebugFileSearch(roots: []))
    #expect(walked.threads.count == expected.threads.count, sourceLocation: location)
    for thread in expected.threads {
      let own = walked.threads.first { $0.id == thread.id }
      // Where the kernel's own code is in between, or the stack is damaged, rules end and guesses begin.
      let sure = (own?.frames ?? []).prefix { frame in
        ["context", "cfi"].contains(frame.extra["minidump"]?.object?["trust"]?.string)
      }
      let addresses = expected.addresses(of: thread.id)
      #expect(Array(sure.map(\.address).prefix(60)) == addresses, "thread \(thread.id)", sourceLocation: location)
    }
    for (image, known) in zip(walked.images, expected.images) where image.extra["minidump"] != nil {
      if walked.threads[0].frames.contains(where: { $0.image.map { walked.images[$0] } == image }),
        !known.path.hasPrefix("[")
      {
        #expect(image.slide == known.slide, "\(image.path)", sourceLocation: location)
      }
    }
  }

  @Test(
    "are those that libunwind finds, without frame pointers too",
    arguments: [["-O2"], ["-O0"], ["-O2", "-fomit-frame-pointer"], ["-O2", "-no-pie"], ["-O2", "-static"]])
  func frames(flags: [String]) throws {
    try check(.run(.crashes(flags), ["thread"]))
  }

  @Test(
    "go through a signal handler, through abort, and through many threads",
    arguments: ["null-write", "abort", "threads-200", "assertion"])
  func kinds(name: String) throws {
    try check(.run(.crashes(["-O2"]), [name]))
  }

  @Test("go through C++ that threw", .tool("g++"))
  func cxx() throws {
    try check(.run(.cxx()))
  }

  @Test("go through optimised Swift", .tool("swiftc"))
  func swift() throws {
    try check(.run(.swift()))
  }
}
