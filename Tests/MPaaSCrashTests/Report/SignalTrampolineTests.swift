import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

private let library = "/usr/lib/x86_64-linux-gnu/libc.so.6"

@Suite("A signal trampoline in reports of others") struct SignalTrampolineTests {
  /// Sentry's event of a program's handler, a trampoline in the C library, and what the signal interrupted.
  private func event(_ function: String?) throws -> CrashReport {
    func frame(_ address: String, _ function: String?) -> String {
      "{\"instruction_addr\":\"\(address)\"" + (function.map { ",\"function\":\"\($0)\"" } ?? "") + "}"
    }
    let frames = [frame("0x100040", nil), frame("0x100030", nil), frame("0x200050", function), frame("0x100010", nil)]
    let text = """
      {"event_id":"a","platform":"native","contexts":{"os":{"name":"Linux"}},"debug_meta":{"images":[
      {"image_addr":"0x100000","image_size":4096,"code_file":"/opt/app","arch":"x86_64"},
      {"image_addr":"0x200000","image_size":4096,"code_file":"/usr/lib/libc.so.6","arch":"x86_64"}]},
      "threads":{"values":[{"id":1,"crashed":true,"stacktrace":{"frames":[\(frames.joined(separator: ","))]}}]}}
      """
    return try ReportFile.read(Bytes(Array(text.utf8)))
  }

  @Test(
    "is known by its name, or by that of the function before it where a handler outside of the library came from it",
    arguments: ["__restore_rt", "sigaction", "_sigtramp", "__kernel_rt_sigreturn", "<signal handler called>"])
  func named(_ name: String) throws {
    let report = try event(name)
    #expect(report.threads[0].frames.map(\.kind) == [.physical, .physical, .interrupted, .physical])
    #expect(report.threads[0].frames[1].calls.map(\.function) == ["<signal handler called>"])
    let addresses = report.threads[0].frames.indices.map { report.lookupAddress(ofFrame: $0, inStack: 0) & 0xff }
    #expect(addresses == [0x10, 0x50, 0x30, 0x3f])
  }

  @Test(
    "is known by its address: where the tables for unwinding mark it, or its symbol begins there",
    arguments: [true, false])
  func addressed(isMarked: Bool) throws {
    let report = try event(nil)
    #expect(report.threads[0].frames[2].kind == .physical)
    let symbolicator = ReportSymbolicator(
      open: { image in
        let isLibrary = image.path.hasSuffix("libc.so.6")
        var symbols = ImageSymbols(frames: { address in
          let isTrampoline = isLibrary && address == 0x50 && !isMarked
          return [SourceFrame(symbol: isTrampoline ? "__restore_rt" : "at_\(address)", offset: isTrampoline ? 0 : 4)]
        })
        symbols.isSignalFrame = { isMarked && isLibrary && $0 == 0x50 }
        return symbols
      }, demangle: { $0 })
    let frames = symbolicator.symbolicate(report).report.threads[0].frames
    #expect(frames.map { $0.calls.first?.function } == ["at_16", "<signal handler called>", "at_48", "at_63"])
    #expect(frames[2].kind == .interrupted)
  }

  @Test("is not sigaction itself, which calls nothing outside of its library")
  func neighbor() throws {
    var report = try event("sigaction")
    report.threads[0].frames[2].kind = .physical
    report.threads[0].frames[1].calls = [CrashReport.Call(function: "sigaction")]
    report.threads[0].frames[0].image = 1
    report.markSignalTrampolines()
    #expect(report.threads[0].frames[2].kind == .physical)
    #expect(report.threads[0].frames[1].calls.map(\.function) == ["sigaction"])
  }

  @Test(
    "of the C library of this machine is marked in its table",
    .enabled(if: FileStatus(library) != nil))
  func marked() throws {
    let image = try ELFImage(Bytes.mapping(library))
    let table = try #require(image.callFrames(".eh_frame", .ehFrame))
    let marked = table.entries.filter { table.isSignalFrame(at: $0.addresses.lowerBound) }
    #expect(!marked.isEmpty)
    #expect(marked.count < 4)
  }
}
