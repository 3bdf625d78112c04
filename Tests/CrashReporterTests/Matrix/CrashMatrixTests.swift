import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("Crashes caught in the process") struct CrashMatrixTests {
  @Test(
    "leave one whole report with all threads and the right line, and end with their signal", arguments: MatrixCase.all,
    MatrixBuild.allCases)
  func matrix(_ crash: MatrixCase, _ build: MatrixBuild) throws {
    let crashed = try Crashed(crash.name, build: build)
    #expect(crashed.outcome.signal == crash.signal)
    let report = try crashed.report().symbolicated()
    #expect(!report.isPartial, "\(report.notes)")
    #expect(report.exception?.signalNumber == crash.signal)
    if let threads = crash.threads { #expect(report.threads.count == threads) }
    #expect(report.threads.allSatisfy { $0.registers != nil && !$0.frames.isEmpty })
    let place = try crash.markedPlace()
    let call = try #require(report.innermostOwnCall, "\(report.crashedThread?.frames ?? [])")
    #expect(call.file?.hasSuffix("/" + place.file) == true, "\(call)")
    // The check of the canary is the compiler's own: it has the function, but no line.
    #expect(call.line.map(place.lines.contains) ?? (crash.name == "stack-smash"), "\(call)")
    #expect(!report.notes.contains { $0.contains("did not stop") }, "\(report.notes)")
    if let says = crash.says, build == .asBuilt || crash.saysOptimised {
      #expect(report.lastWords.values.joined().contains { $0.contains(says) }, "\(report.lastWords)")
    }
  }

  @Test("carry what the program said of itself, the newest 128 breadcrumbs and the images with their build IDs")
  func facts() throws {
    let crashed = try Crashed("null-write")
    let report = try crashed.report()
    #expect(report.application.name == "Crash Matrix")
    #expect(report.application.version == "1.0")
    #expect(report.application.build == "7")
    #expect(report.application.appKey == "matrix")
    // printf ada | sha256sum
    #expect(report.application.userIDHash == "fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029")
    #expect(report.breadcrumbs.count == 128)
    #expect(report.breadcrumbs.first?.name == "step 3")
    #expect(report.breadcrumbs.last?.name == "step 130")
    #expect(report.process.name == "CrashMatrix")
    #expect(report.process.pid > 1)
    #expect((report.process.freeMemory ?? 0) > 0)
    #expect((report.process.residentMemory ?? 0) > 0)
    #expect((0..<60).contains(report.process.uptime ?? -1))
    #expect(report.exception?.address == 0)
    #expect(report.exception?.codeName == "SEGV_MAPERR")
    let main = try #require(report.images.first { $0.name == "CrashMatrix" })
    #expect(main.buildID.count >= 16)
    #expect(report.images.contains { $0.name == "libc.so.6" && $0.buildID.count == 40 })
    #expect(report.images.contains { $0.path == "[vdso]" })
  }

  @Test("show the callers of an async function behind it", arguments: MatrixBuild.allCases)
  func asyncCallers(_ build: MatrixBuild) throws {
    let report = try Crashed("async-task", build: build).report().symbolicated()
    let frames = try #require(report.crashedThread?.frames)
    let names = frames.filter { $0.kind == .asynchronous }.compactMap { $0.calls.last?.function }
    #expect(names.contains { $0.contains("middle") }, "\(names)")
    #expect(names.contains { $0.contains("outer") }, "\(names)")
    let leaf = try #require(frames.firstIndex { $0.calls.contains { $0.function.contains("leaf") } })
    #expect(frames[leaf + 1].kind == .asynchronous)
    #expect(frames.last?.kind == .physical)
  }

  @Test("follow the stack through a signal handler to what it interrupted")
  func handlerFrames() throws {
    let report = try Crashed("crash-in-handler").report().symbolicated()
    let frames = try #require(report.crashedThread?.frames)
    let interrupted = try #require(frames.firstIndex { $0.kind == .interrupted })
    #expect(frames[interrupted...].contains { $0.calls.contains { $0.function == "fault_in_handler" } })
  }

  @Test("stop at a stack that leads back to itself")
  func corruptedStack() throws {
    let report = try Crashed("corrupted-stack").report()
    #expect((1...8).contains(report.crashedThread?.frames.count ?? 0))
  }

  @Test("note the thread that crashed meanwhile")
  func doubleCrash() throws {
    let report = try Crashed("double-crash").report()
    #expect(report.notes.allSatisfy { $0.contains("crashed too") })
  }

  @Test("list a thread that does not answer, with its stack as the kernel knows it")
  func deafThread() throws {
    let report = try Crashed("deaf-thread").report().symbolicated()
    let deaf = try #require(report.threads.first { $0.name == "deaf" })
    #expect(deaf.frames.contains { $0.calls.contains { $0.function == "deaf" } }, "\(deaf.frames)")
    #expect(report.notes.contains { $0.contains("did not stop in time") })
    #expect(!report.isPartial)
  }

  @Test("of a forked child are the child's own, and its parent goes on")
  func fork() throws {
    let crashed = try Crashed("fork")
    #expect(crashed.outcome.status == 0)
    let report = try crashed.report()
    #expect(report.threads.count == 1)
    #expect(report.breadcrumbs.count == 128)
    #expect(report.process.parentPID != nil)
    #expect(report.process.pid != report.process.parentPID)
  }
}
