import Foundation
import MPaaSCrash
import MPaaSTestSupport
import Testing

@Suite("A crash handler that fails itself") struct HandlerFailureTests {
  /// The kinds of sections, as `mp_record_kind` numbers them.
  @Test("leaves a partial report that says so, and the first signal stands", arguments: 1...9 as ClosedRange<Int>)
  func partial(_ section: Int) throws {
    let crashed = try Crashed("null-write", options: ["--fault", "\(section)"])
    #expect(crashed.outcome.signal == SIGSEGV)
    let written = try crashed.files.filter { $0.hasSuffix(".raw") || $0.hasSuffix(".part") }
    let name = try #require(written.first)
    let report = try RawRecord.read(crashed.folder.path + "/" + name)
    // No note is written in this case, so that section never comes; neither do last words.
    let comes = section != 6 && section != 8
    #expect(report.isPartial == comes)
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(report.crashedThread?.frames.isEmpty == false)
    if comes && section != 9 {
      #expect(report.notes.contains { $0.contains("handler itself failed") }, "\(report.notes)")
      #expect(report.threads.count == 3)
    }
  }
}
