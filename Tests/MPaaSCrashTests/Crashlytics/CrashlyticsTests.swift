import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private func folder() throws -> String {
  try Fixture.path("crash/clsrecord/ios_all_files_crash")
}

/// The fixture's files but those that `drop` names.
private func files(without drop: String...) throws -> CrashlyticsRecords.Files {
  let path = try folder()
  let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !drop.contains($0) }
  return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Bytes.mapping(path + "/" + $0)) })
}

@Suite("A Crashlytics folder", .fixtures) struct CrashlyticsTests {
  @Test("is a report, with what its metadata, images, exception and log tell")
  func whole() throws {
    let report = try ReportFile.read(try folder())
    #expect(report.incident == "af86acaaad2f41f8b660b3c17a41c6e8")
    #expect(report.application.identifier == "com.crashlytics.release-test-4-0-0-beta-1")
    #expect(report.application.version == "1.4")
    #expect(report.application.build == "3")
    #expect(report.system.name == "iOS")
    #expect(report.system.version == "13.3.0")
    #expect(report.system.build == "19C57")
    #expect(report.process.name == "release test 4.0.0-beta.1")
    #expect(report.process.cpuType == "X86-64")
    #expect(report.thrown == .init(name: "FileNotFoundException", reason: "File Not Found on System"))
    #expect(report.lastExceptionBacktrace.count == 14)
    #expect(report.threads.count == 12)
    #expect(report.faultingThread == 0)
    #expect(report.threads[0].queue == "com.google.firebase.crashlytics.ios.exception")
    #expect(report.threads[4].name == "com.apple.uikit.eventfetch-thread")
    #expect(report.breadcrumbs.map(\.name).prefix(5) == ["A log", "A log", "A log", "A log", "a: AAAA, B: BBBBB"])
    #expect(report.breadcrumbs.first?.time.text(digits: 3) == "2020-02-10 22:56:54.063 +0000")
    #expect(report.extra["crashlytics"]?.object?["user_incremental_kv.clsrecord"] != nil)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test("keeps every value of every file, with its hexadecimal texts decoded")
  func complete() throws {
    let report = try ReportFile.read(try folder())
    let account = LeafAccount(report)
    for (name, bytes) in try files() where name.contains(".clsrecord") {
      for line in bytes.array.split(separator: 10) {
        let value = try Array(line).withUnsafeBytes { try JSONValue(reading: $0) }
        let missing = account.missing(
          value,
          transformed: [
            "kv.key": "decoded", "kv.value": "decoded", "error.domain": "decoded", "exception.name": "decoded",
            "exception.reason": "decoded", "log.msg": "decoded", "log.time": "read", "identity.started_at": "read",
            "crash_info_entries[]": "decoded", "os_display_version": "one word with the name",
          ])
        #expect(missing.isEmpty, "\(name): \(missing.prefix(5))")
      }
    }
    let text = JSONValue.object(report.extra).line
    for decoded in [
      "Crashlytics_App.CustomSwiftError1", "com.crashlytics.user-id", "asdasidasidjasi", "DSADASDSA", "ADSASDDAS",
    ] {
      #expect(text.contains(decoded))
    }
  }

  @Test("names frames by the .symbolicated file beside the one that counts")
  func symbolicated() throws {
    let report = try CrashlyticsRecords.read(try files(without: "exception.clsrecord"))
    #expect(report.exception?.type == "EXC_BAD_ACCESS")
    #expect(report.exception?.codeName == "KERN_INVALID_ADDRESS")
    #expect(report.exception?.address == 0)
    let frames = report.threads[0].frames
    try #require(frames.count == 27)
    #expect(frames[0].calls.isEmpty)
    #expect(frames[2].calls.first?.function == "cocos2d::CCTextureAtlas::drawNumberOfQuads(unsigned int, unsigned int)")
    #expect(frames[2].calls.first?.symbol == "_ZN7cocos2d14CCTextureAtlas17drawNumberOfQuadsEjj")
    #expect(frames[2].calls.first?.offset == 367)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
    let signal = try CrashlyticsRecords.read(try files(without: "exception.clsrecord", "mach_exception.clsrecord"))
    #expect(signal.exception?.signal == "SIGABRT")
    #expect(signal.lastWords["crash_info"] == ["terminating"])
    #expect(signal.threads[0].registers?.flavor == "x86_THREAD_STATE")
  }

  @Test("may be only the file that tells what happened")
  func single() throws {
    let report = try ReportFile.read(try folder() + "/signal.clsrecord")
    #expect(report.exception?.signal == "SIGABRT")
    #expect(report.threads.count == 6)
  }

  @Test("with a broken line names the file and the line; a last line may be cut off")
  func broken() throws {
    let cut = try CrashlyticsRecords.read(["signal.clsrecord": Bytes("{\"signal\":{\"number\":11}}\n{\"thr".utf8)])
    #expect(cut.isPartial)
    #expect(cut.exception?.signal == "SIGSEGV")
    let error = #expect(throws: ReportError.self) {
      try CrashlyticsRecords.read(["signal.clsrecord": Bytes("{\"signal\":{}}\n{\"a\":x}\n".utf8)])
    }
    #expect(error?.path == "signal.clsrecord")
    #expect(error?.line == 2)
    #expect(error?.offset == 19)
  }

  @Test("never crashes the reader, however its files are changed")
  func fuzz() throws {
    let files = try files()
    for name in [
      "exception.clsrecord", "metadata.clsrecord", "mach_exception.clsrecord.symbolicated", "log_a.clsrecord",
    ] {
      let seed = try #require(files[name]).array
      Mutation.check([Mutation.small(seed)], rounds: SeededRandom.rounds(or: 60) / 4) { bytes in
        var changed = files
        changed["binary_images.clsrecord"] = nil
        changed["sdk.log"] = nil
        // Only the file that is changed and what it is read with: the rest costs time and nothing else.
        for other in changed.keys where other.hasPrefix("signal") || other.hasPrefix("errors") { changed[other] = nil }
        if name.hasPrefix("mach") { changed["exception.clsrecord"] = nil }
        changed[name] = Bytes(bytes)
        return try CrashlyticsRecords.read(changed)
      }
    }
  }
}
