import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash
@testable import MPaaSSymbols

/// A minidump of what a core holds, as Breakpad would have written it.
///
/// - Parameter gone: The path of an image that another machine has: only its name is told, and 16 bytes of its build ID.
private func minidump(of core: CoreFile, _ report: CrashReport, gone: String? = nil) throws -> [UInt8] {
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
    let identity = [UInt8](hexadecimal: image.buildID) ?? []
    if image.path == gone {
      let name = "/gone/" + image.name
      let codeView = builder.words(0x5344_5352) + identity.prefix(16) + builder.words(0) + Array(name.utf8) + [0]
      modules.append(builder.module(name, base: image.base, size: UInt32(image.size), codeView: codeView))
      continue
    }
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
  /// - Parameter symbols: Where Breakpad's file of the program is, which itself is gone then; nil has the program.
  private func check(
    _ observed: Observed, symbols: DebugFileSearch? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try CoreCapture.report(of: observed.core)
    let core = try CoreFile(Bytes.mapping(observed.core))
    let file = observed.folder.url.appending(path: "crash.dmp")
    let gone = symbols == nil ? nil : observed.program
    try Data(minidump(of: core, expected, gone: gone)).write(to: file)
    let bytes = try Bytes.mapping(file.path)
    let walked = try ReportFile.read(bytes.buffer, search: symbols ?? DebugFileSearch(roots: [])).report
    #expect(walked.threads.count == expected.threads.count, sourceLocation: location)
    for thread in expected.threads {
      let own = walked.threads.first { $0.id == thread.id }
      // Rules end and guesses begin where the kernel's own code is in between, or the stack is damaged.
      let frames = own?.frames ?? []
      let guess = frames.firstIndex { frame in
        !["context", "cfi"].contains(frame.extra["minidump"]?.object?["trust"]?.string)
      }
      // A thread that was met behind a system call which the C library does not describe (clone3 starts one): its caller
      // lies on top of the stack, where both look.
      let isUndescribed = guess == 1 && frames[1].address == expected.addresses(of: thread.id).dropFirst().first
      let end = frames.indices.dropFirst(isUndescribed ? 2 : 0).first { index in
        !["context", "cfi"].contains(frames[index].extra["minidump"]?.object?["trust"]?.string)
      }
      let sure = frames[..<(end ?? frames.count)]
      let addresses = expected.addresses(of: thread.id)
      #expect(Array(sure.map(\.address).prefix(60)) == addresses, "thread \(thread.id)", sourceLocation: location)
    }
    for (image, known) in zip(walked.images, expected.images) where image.extra["minidump"] != nil {
      if walked.threads[0].frames.contains(where: { $0.image.map { walked.images[$0] } == image }),
        !known.path.hasPrefix("["), known.path != gone
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

  @Test(
    "need only Breakpad's file of a program that is gone, given or in the store, by 16 bytes of the build ID",
    arguments: [["-O2", "-fomit-frame-pointer"], ["-O2", "-fomit-frame-pointer", "-no-pie"]],
    ["given", "store", "whole"])
  func symbolFile(flags: [String], place: String) throws {
    let observed = try Observed.run(.crashes(flags), ["thread"])
    let image = try ELFImage(Bytes.mapping(observed.program))
    let file = observed.folder.url.appending(path: "crashes.sym")
    try Data(breakpadText(of: image, hasCodeID: place == "whole").utf8).write(to: file)
    if place == "given" { return try check(observed, symbols: DebugFileSearch(paths: [file.path], roots: [])) }
    let store = SymbolStore(observed.folder.url.appending(path: "store").path)
    _ = try store.add(file.path)
    try check(observed, symbols: DebugFileSearch(store: store, roots: []))
  }
}

/// Breakpad's file of a program, as far as unwinding needs it: `STACK CFI` of all of `.eh_frame` but the rules that need
/// DWARF's expressions.
private func breakpadText(of image: ELFImage, hasCodeID: Bool) throws -> String {
  let id = try #require(image.buildID)
  var text = "MODULE Linux x86_64 \(BreakpadID(id, isMachO: false).text) crashes\n"
  if hasCodeID { text += "INFO CODE_ID \(id.hex.uppercased())\n" }
  let table = try #require(image.callFrames(".eh_frame", .ehFrame))
  for entry in table.entries {
    var isFirst = true
    for row in table.rows(of: entry) {
      guard case .register(let register, let offset) = row.rules.frameAddress,
        let name = UnwindArchitecture.x86_64.name(register)
      else { break }
      let rules = row.rules.registers.sorted { $0.key < $1.key }.compactMap { number, rule -> String? in
        let name = number == row.rules.returnAddress ? ".ra" : UnwindArchitecture.x86_64.name(number).map { "$" + $0 }
        return switch rule {
        case .offset(let offset): name.map { " \($0): .cfa \(offset) + ^" }
        case .undefined: name.map { " \($0): .undef" }
        default: nil
        }
      }
      let address = String(row.address - image.loadAddress, radix: 16)
      let size = String(entry.addresses.upperBound - entry.addresses.lowerBound, radix: 16)
      text += isFirst ? "STACK CFI INIT \(address) \(size)" : "STACK CFI \(address)"
      text += " .cfa: $\(name) \(offset) +\(rules.joined())\n"
      isFirst = false
    }
  }
  return text
}
