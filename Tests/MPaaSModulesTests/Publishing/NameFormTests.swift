import Foundation
import MPaaSArchive
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Names that only look alike") struct NameFormTests {
  private let composed = "caf\u{e9}.h", decomposed = "cafe\u{301}.h"

  private func code(_ names: [String], beside known: [String]) -> ModuleError.Code? {
    do throws(ModuleError) {
      try TargetNames.check(names, beside: known)
      return nil
    } catch { return error.code }
  }

  @Test("are not given out beside each other, whether both are new or one is there")
  func targets() {
    #expect(code([composed, decomposed], beside: []) == .nameLooksAlike)
    #expect(code(["a", decomposed], beside: ["b", composed]) == .nameLooksAlike)
    #expect(code([composed, "a"], beside: [composed, "a"]) == nil)
    #expect(code(["A", "\u{212a}.h"], beside: ["a"]) == nil)
    #expect(code(["\u{212b}"], beside: ["\u{c5}"]) == .nameLooksAlike)
  }

  #if !canImport(Darwin)
    @Test("do not come into one archive", arguments: ModuleArchive.Format.allCases)
    func packed(format: ModuleArchive.Format) throws {
      let folder = try TemporaryFolder()
      let module = folder.path + "/module"
      try FileManager.default.createDirectory(atPath: module, withIntermediateDirectories: true)
      try Data("[module]\nname = \"Demo\"\nversion = \"1.0\"\n".utf8).write(to: URL(filePath: module + "/module.toml"))
      for (name, other) in [(composed, decomposed), ("Read.h", "READ.h")] {
        // By bytes: Foundation may compose names.
        for name in [name, other] { try Bytes(Array("x".utf8)).write(to: module + "/" + name) }
        #expect(try FileSystem.names(in: module).count == 3)
        let target = folder.path + "/" + format.rawValue
        let error = try #require(throws: ModuleError.self) {
          try ModuleArchive.pack(folder: module, to: target, format: format) { bytes throws(ModuleError) in
            _ = try ModuleArchiveCheck(bytes, name: "demo")
            return true
          }
        }
        #expect([.archiveNameClash, .archiveEntryTwice, .archiveDamaged].contains(error.code), "\(error)")
        #expect(FileStatus(target) == nil)
        for name in [name, other] { try FileSystem.remove(module + "/" + name) }
      }
    }

    @Test("are two projects to the store")
    func projects() throws {
      let sample = try SampleStore()
      for name in ["caf\u{e9}", "cafe\u{301}"] {
        let path = sample.project + "/" + name
        try Directories.create(path)
        try sample.store.note(project: path)
      }
      #expect(try sample.store.knownProjects().count == 2)
    }
  #endif
}
