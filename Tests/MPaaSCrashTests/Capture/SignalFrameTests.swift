import Foundation
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// A signal that comes at the very first instruction of a function: its address is no return address.
@Suite("Stacks through signals", .tool("gcc"))
struct SignalFrameTests {
  private static let wholly = ["-O1", "-g"]

  @Test(
    "have the frames that gdb finds", .tool("gdb"), arguments: ["plain", "alternate"],
    [["-O1", "-g"], ["-O2", "-g", "-static"], ["-O1", "-g", "-fcf-protection=full"]])
  func stacks(way: String, flags: [String]) throws {
    let live = try LiveProgram(.build("signals.c", signalSource, flags), [way])
    Thread.sleep(forTimeInterval: 0.1)
    let report = try AttachedLook(process: live.id).report()
    let expected = try Debugger.stacks(process: live.id)[UInt64(live.id)] ?? []
    let thread = try #require(report.threads.first)
    #expect(thread.frames.contains { $0.kind == .interrupted })
    #expect(!expected.isEmpty && thread.frames.map(\.address) == expected)
  }

  #if arch(x86_64)
    /// The places of the program's own frames within it, without the trampoline.
    private static func places(_ way: String) throws -> [UInt64] {
      let live = try LiveProgram(.build("signals.c", signalSource, wholly), [way])
      Thread.sleep(forTimeInterval: 0.1)
      let report = try AttachedLook(process: live.id).report()
      let frames = try #require(report.threads.first).frames
      return frames.indices.compactMap { index in
        guard let image = frames[index].image, report.images[image].path.hasSuffix("/signals") else { return nil }
        if index + 1 < frames.count, frames[index + 1].kind == .interrupted { return nil }
        return frames[index].address - report.images[image].base
      }
    }

    @Test(
      "go on behind a way back that only a description marks, or that has none",
      arguments: ["described", "undescribed", "short"])
    func waysBack(way: String) throws {
      let plain = try Self.places("plain")
      #expect(plain.count >= 5)
      #expect(try Self.places(way) == plain)
    }
  #endif
}
