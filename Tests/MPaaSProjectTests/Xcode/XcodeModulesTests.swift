import Foundation
import MPaaSModules
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

/// A folder with an `mpaas.toml`'s modules and an Xcode project.
private struct WiredFolder {
  let folder = try? TemporaryFolder()
  var path: String { folder?.path ?? "" }

  /// - Parameter place: The folder of the `.xcodeproj`.
  init(_ project: Data, in place: String = "") throws {
    let bundle = path + (place.isEmpty ? "" : "/" + place) + "/App.xcodeproj"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try project.write(to: URL(filePath: bundle + "/project.pbxproj"))
    try write("MPaaS/Modules/Pay/Pay.framework/Pay", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 6, 0, 0, 0])
    try write("MPaaS/Modules/Log/Log.framework/Log", Array("!<arch>\n".utf8))
    try write(
      "MPaaS/Modules/Log/Net.xcframework/ios-arm64/Net.framework/Net",
      [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 16, 0, 0, 0, 0]
        + [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 6, 0, 0, 0])
    try write("MPaaS/Modules/Log/src/a.m", [])
    try write("MPaaS/Modules/Log/src/deep/b.swift", [])
    try write("MPaaS/Modules/Log/src/deep/b.h", [])
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = URL(filePath: path + "/" + name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func wiring(_ target: String?) -> ModuleWiring {
    var wiring = ModuleWiring(target: target)
    wiring.frameworks = ["MPaaS/Modules/Log/Log.framework", "MPaaS/Modules/Pay/Pay.framework"]
    wiring.xcframeworks = ["MPaaS/Modules/Log/Net.xcframework"]
    wiring.libraries = ["MPaaS/Modules/Log/lib/liblog.a"]
    wiring.sources = ["MPaaS/Modules/Log/src"]
    wiring.bundles = ["MPaaS/Modules/Log/Log.bundle"]
    wiring.frameworkFolders = ["MPaaS/Modules/Log", "MPaaS/Modules/Pay"]
    wiring.headerFolders = ["MPaaS/Modules/Log/include"]
    wiring.libraryFolders = ["MPaaS/Modules/Log/lib"]
    wiring.systemFrameworks = ["CoreTelephony", "UIKit"]
    wiring.weakSystemFrameworks = ["Network"]
    wiring.systemLibraries = ["z"]
    wiring.flags = ["-ObjC"]
    return wiring
  }

  func wired(
    _ wirings: [ModuleWiring], place: String = "", in project: [UInt8]? = nil
  ) throws -> (bytes: [UInt8], targets: [String], notes: [XcodeModuleNote]) {
    let path = (place.isEmpty ? "" : place + "/") + "App.xcodeproj"
    if let project { try write(path + "/project.pbxproj", project) }
    let modules = try XcodeModules(in: self.path, project: path)
    let wired = try modules.wired(wirings, moduleFolder: "MPaaS")
    return (wired.project.bytes, wired.targets, wired.notes)
  }
}

@Suite("SDK modules in Xcode projects") struct XcodeModulesTests {
  private static let countries = "project/edit_pairs/add_group_03/before.pbxproj"

  @Test(
    "are taken into projects of the fixtures, twice is as once, and without them every byte is as before",
    .fixtures)
  func everyProject() throws {
    let root = try Fixture.path("project/pbxproj")
    let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
    // All of them with MPAAS_FUZZ_ROUNDS.
    let step = max(1, names.count / max(1, SeededRandom.rounds(or: 10)))
    for name in stride(from: 0, to: names.count, by: step).map({ names[$0] }) {
      let data = try Fixture.data("project/pbxproj/" + name)
      let folder = try WiredFolder(data)
      let before = try PBXProjectFile(Array(data), file: name)
      let wirings = before.targets.filter { $0.isa == "PBXNativeTarget" }.map { folder.wiring($0.string("name")) }
      guard !wirings.isEmpty else { continue }
      let wired = try folder.wired(wirings)
      let again = try folder.wired(wirings, in: wired.bytes).bytes == wired.bytes
      let none = wirings.map { ModuleWiring(target: $0.target) }
      let without = try folder.wired(none, in: wired.bytes).bytes
      let (isChanged, isBack) = (wired.bytes != Array(data), without == Array(data))
      #expect(isChanged, "\(name): \(isChanged) \(again) \(isBack)")
      #expect(again, "\(name): \(isChanged) \(again) \(isBack)")
      #expect(isBack, "\(name): \(isChanged) \(again) \(isBack)")
    }
  }

  @Test("are linked, embedded, copied and compiled by what they are", .fixtures)
  func parts() throws {
    let folder = try WiredFolder(Fixture.data(Self.countries))
    let wired = try folder.wired([folder.wiring("CountriesSwiftUI")])
    #expect(wired.targets == ["CountriesSwiftUI"])
    #expect(wired.notes.isEmpty)
    let project = try PBXProjectFile(wired.bytes, file: "after")
    let target = try #require(project.target(named: "CountriesSwiftUI"))
    func names(_ isa: String) throws -> [String] {
      let phase = try #require(project.buildPhase(isa, of: target))
      return phase.strings("files").filter(EditID.isModule).compactMap { entry in
        project.object(entry)?.string("fileRef").flatMap { project.object($0) }?.string("path")
      }
    }
    #expect(
      try names("PBXFrameworksBuildPhase") == [
        "Log.framework", "Pay.framework", "Net.xcframework", "lib/liblog.a",
        "System/Library/Frameworks/CoreTelephony.framework", "System/Library/Frameworks/UIKit.framework",
        "System/Library/Frameworks/Network.framework", "usr/lib/libz.tbd",
      ])
    #expect(try names("PBXCopyFilesBuildPhase") == ["Pay.framework", "Net.xcframework"])
    #expect(try names("PBXResourcesBuildPhase") == ["Log.bundle"])
    #expect(try names("PBXSourcesBuildPhase") == ["src/a.m", "src/deep/b.swift"])
    let settings = try #require(project.configurations(of: target).first?["buildSettings"])
    #expect(settings["OTHER_LDFLAGS"] == "$(inherited) $(MPAAS_OTHER_LDFLAGS)")
    #expect(settings["MPAAS_OTHER_LDFLAGS"] == ["-ObjC"])
    #expect(settings["MPAAS_LIBRARY_SEARCH_PATHS"] == ["\"$(SRCROOT)/MPaaS/Modules/Log/lib\""])
    let other = try #require(project.target(named: "UnitTests"))
    #expect(project.configurations(of: other).first?["buildSettings"]?["OTHER_LDFLAGS"] == nil)
  }

  @Test("have paths from where the Xcode project is, and one target may do without what another keeps", .fixtures)
  func below() throws {
    let folder = try WiredFolder(Fixture.data(Self.countries), in: "ios")
    let both = [folder.wiring("CountriesSwiftUI"), folder.wiring("UnitTests")]
    let wired = try folder.wired(both, place: "ios")
    let text = String(decoding: wired.bytes, as: UTF8.self)
    #expect(text.contains("path = ../MPaaS;"))
    #expect(text.contains("$(SRCROOT)/../MPaaS/Modules/Log/lib"))
    let one = try folder.wired([both[0]], place: "ios", in: wired.bytes)
    let alone = try WiredFolder(Fixture.data(Self.countries), in: "ios").wired([both[0]], place: "ios")
    let isSame = one.bytes == alone.bytes
    #expect(isSame)
    #expect(XcodeModules.projects(in: folder.path, named: nil) == ["ios/App.xcodeproj"])
  }

  @Test("an unnamed target stands for the apps, an unknown one is told", .fixtures)
  func unnamed() throws {
    let folder = try WiredFolder(Fixture.data(Self.countries))
    #expect(try folder.wired([folder.wiring(nil)]).targets == ["CountriesSwiftUI"])
    let unknown = try folder.wired([folder.wiring("Watch")])
    #expect(unknown.targets.isEmpty)
    #expect(unknown.notes == [XcodeModuleNote(kind: .noTarget, target: "Watch")])
  }

  @Test("what a configuration includes is not linked a second time", .fixtures)
  func included() throws {
    let before = try PBXProjectFile(Array(Fixture.data(Self.countries)), file: "before")
    var base = SetBaseConfiguration("Config/App.xcconfig")
    base.targets = .names(["CountriesSwiftUI"])
    let folder = try WiredFolder(Data(try before.edited(by: [base]).bytes))
    try folder.write("Config/App.xcconfig", Array("// ours\n#include \"../MPaaS/CountriesSwiftUI.xcconfig\"\n".utf8))
    let wired = try folder.wired([folder.wiring("CountriesSwiftUI")])
    #expect(wired.notes == [XcodeModuleNote(kind: .included, target: "CountriesSwiftUI")])
    let text = String(decoding: wired.bytes, as: UTF8.self)
    #expect(text.contains("Log.bundle in Resources"))
    #expect(!text.contains("MPAAS_"))
    #expect(!text.contains("liblog.a"))
  }

  @Test("the user's own settings get the modules' behind them, and back again")
  func marks() {
    let olds: [PBXValue?] = [nil, "", "-lz", "$(inherited)", ["$(inherited)"], ["-lz", "$(inherited)"], []]
    for old in olds {
      let new = ModuleMark.added("MPAAS_X", to: old)
      #expect(ModuleMark.added("MPAAS_X", to: new) == new)
      #expect(ModuleMark.removed("MPAAS_X", from: new) == old)
    }
  }
}
