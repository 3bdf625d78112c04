import Foundation
import MPaaSModules
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("The Xcode project that uses the modules of a folder") struct XcodeModulesChoiceTests {
  private static let project = "project/edit_pairs/add_group_03/before.pbxproj"

  private func folder(_ bundles: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for bundle in bundles {
      let path = folder.path + "/" + bundle
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Fixture.data(Self.project).write(to: URL(filePath: path + "/project.pbxproj"))
    }
    return folder
  }

  private func choice(_ folder: TemporaryFolder, _ text: String = "", naming path: String? = nil) throws -> String {
    let manifest = try ProjectManifest(reading: "[project]\n" + text, file: "mpaas.toml")
    switch try XcodeModules.choose(in: folder.path, by: manifest, naming: path) {
    case .none: return "none"
    case .several(let found): return found.joined(separator: ", ")
    case .project(let modules): return String(modules.file.dropFirst(folder.path.count + 1))
    }
  }

  @Test("is the only one there is, or the one of the manifest's name", .fixtures)
  func automatic() throws {
    #expect(try choice(folder()) == "none")
    #expect(try choice(folder("App.xcodeproj")) == "App.xcodeproj/project.pbxproj")
    let two = try folder("A.xcodeproj", "B.xcodeproj")
    #expect(try choice(two) == "A.xcodeproj, B.xcodeproj")
    #expect(try choice(two, "name = \"B\"\n") == "B.xcodeproj/project.pbxproj")
  }

  @Test("is the one that a user names from here", .fixtures)
  func named() throws {
    let two = try folder("A.xcodeproj", "B.xcodeproj")
    #expect(try choice(two, naming: two.path + "/B.xcodeproj/") == "B.xcodeproj/project.pbxproj")
  }

  @Test("is written only where no trial is made", .fixtures)
  func trial() throws {
    let folder = try folder("App.xcodeproj")
    let modules = try XcodeModules(in: folder.path, project: "App.xcodeproj")
    let before = try Data(contentsOf: URL(filePath: modules.file))
    var wiring = ModuleWiring(target: "CountriesSwiftUI")
    wiring.flags = ["-ObjC"]
    wiring.systemLibraries = ["z"]
    let trial = try modules.wire([wiring], moduleFolder: "MPaaS", isTrial: true)
    #expect(trial.project.isChanged)
    #expect(try Data(contentsOf: URL(filePath: modules.file)) == before)
    _ = try modules.wire([wiring], moduleFolder: "MPaaS", isTrial: false)
    #expect(try Array(Data(contentsOf: URL(filePath: modules.file))) == trial.project.bytes)
  }
}
