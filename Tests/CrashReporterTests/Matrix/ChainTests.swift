import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("Handlers that were there before") struct ChainTests {
  @Test(
    "are called after the report is written, and the process ends with its signal",
    arguments: ["null-write", "abort", "raise-from-thread", "division-by-zero", "swift-fatal-error"])
  func chained(_ name: String) throws {
    let crash = try #require(MatrixCase.all.first { $0.name == name })
    let crashed = try Crashed(name, options: ["--own-handlers"])
    #expect(crashed.outcome.signal == crash.signal)
    #expect(crashed.outcome.errors.contains("own handler"))
    #expect(try crashed.report().isPartial == false)
  }

  @Test("let Swift's backtracer print its trace", .tool("swift"), arguments: ["null-write", "raise-from-thread"])
  func swiftBacktrace(_ name: String) throws {
    let crashed = try Crashed(name, swiftBacktrace: true)
    #expect(crashed.outcome.signal == SIGSEGV)
    #expect(try crashed.report().exception?.signal == "SIGSEGV")
  }
}
