import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Edits of files in synchronized folders, and of files that are not there", .fixtures)
struct SynchronizedEditTests {
  private static let countries =
    "project/pbxproj/nalexn__clean-architecture-swiftui__CountriesSwiftUI.xcodeproj_project.pbxproj"

  private func project() throws -> PBXProjectFile {
    try PBXProjectFile(Array(try Fixture.data(Self.countries)), file: "project.pbxproj")
  }

  private func edit(
    _ file: PBXProjectFile, _ text: String, _ disk: ProjectSurroundings = .none()
  ) throws -> (file: PBXProjectFile, edited: EditedProject) {
    let edited = try file.edited(
      by: try ProjectOperations.reading(Array("[\(text)]".utf8), file: "e.json"), files: disk)
    let result = try PBXProjectFile(edited.bytes, file: "after")
    #expect(ProjectCheck.findings(in: result).allSatisfy { $0.severity == .note })
    return (result, edited)
  }

  /// The exceptions of a folder, by what they belong to.
  private func exceptions(_ file: PBXProjectFile, of folder: String) -> [PBXObject] {
    file.objects("PBXFileSystemSynchronizedRootGroup").first { $0.string("path") == folder }?
      .strings("exceptions").compactMap { file.object($0) } ?? []
  }

  private static let add = #"{"operation": "add-file", "paths": "CountriesSwiftUI/UI/New.swift", "targets": "APP"}"#

  private func add(_ target: String) -> String { Self.add.replacing("APP", with: target) }

  @Test("a file is not added a second time, and that is said")
  func known() throws {
    let file = try project()
    for text in [add("CountriesSwiftUI"), #"{"operation": "add-file", "paths": "UnitTests/New.swift"}"#] {
      let (_, edited) = try edit(file, text)
      #expect(!edited.isChanged, "\(text)")
      #expect(edited.notes.map(\.kind) == [.synced], "\(text)")
    }
    let (_, edited) = try edit(file, add("CountriesSwiftUI"))
    #expect(edited.notes.first?.detail == "CountriesSwiftUI")
  }

  @Test("a file that is excepted from its target comes back without its exception")
  func back() throws {
    let before = try project()
    let exclude = #"""
      {"operation": "exclude", "path": "CountriesSwiftUI", "files": "UI/New.swift", "targets": "CountriesSwiftUI"}
      """#
    let (without, _) = try edit(before, exclude)
    #expect(exceptions(without, of: "CountriesSwiftUI").count == exceptions(before, of: "CountriesSwiftUI").count + 1)
    let (_, edited) = try edit(without, add("CountriesSwiftUI"))
    #expect(edited.bytes == before.bytes)
    #expect(edited.notes.isEmpty)
  }

  @Test("another target gets a file by an exception, and loses it by one")
  func other() throws {
    let before = try project()
    let (after, edited) = try edit(before, add("UnitTests"))
    #expect(edited.isChanged)
    #expect(after.objects("PBXFileReference").count == before.objects("PBXFileReference").count)
    let set = try #require(exceptions(after, of: "CountriesSwiftUI").last)
    #expect(set.strings("membershipExceptions") == ["UI/New.swift"])
    #expect(set.string("target") == after.target(named: "UnitTests")?.id)
    #expect(try !edit(after, add("UnitTests")).edited.isChanged)
    let remove = #"{"operation": "remove-file", "paths": "CountriesSwiftUI/UI/New.swift", "targets": "UnitTests"}"#
    #expect(try edit(after, remove).edited.bytes == before.bytes)
    let all = #"{"operation": "remove-file", "paths": "CountriesSwiftUI/UI/New.swift"}"#
    let (_, stays) = try edit(before, all)
    #expect(!stays.isChanged)
    #expect(stays.notes.map(\.kind) == [.syncedStays])
  }

  @Test("flags and public headers go into the exceptions; what cannot be said there is refused")
  func options() throws {
    let app = #""targets": "CountriesSwiftUI""#
    let (after, _) = try edit(
      try project(),
      #"""
      {"operation": "add-file", "paths": "CountriesSwiftUI/a.m", \#(app), "compiler_flags": "-fno-objc-arc"},
      {"operation": "add-file", "paths": "CountriesSwiftUI/a.h", \#(app), "header": "public"}
      """#)
    let set = try #require(exceptions(after, of: "CountriesSwiftUI").last)
    #expect(set["additionalCompilerFlagsByRelativePath"] == ["a.m": "-fno-objc-arc"])
    #expect(set.strings("publicHeaders") == ["a.h"])
    #expect(set["membershipExceptions"] == nil)
    for option in [#""phase": "sources""#, #""type": "text""#] {
      let text = #"{"operation": "add-file", "paths": "CountriesSwiftUI/a.json", \#(app), \#(option)}"#
      let error = try #require(throws: ProjectEditError.self) { try edit(project(), text) }
      #expect(error.code == .syncedOption, "\(option)")
    }
  }

  @Test("a framework is linked by its folder and embedded by an exception of the phase")
  func framework() throws {
    let text = #"""
      {"operation": "add-framework", "names": "CountriesSwiftUI/Pay.xcframework", "targets": "CountriesSwiftUI",
       "embed": true, "weak": true}
      """#
    let before = try project()
    let (after, edited) = try edit(before, text)
    #expect(after.objects("PBXFileReference").count == before.objects("PBXFileReference").count)
    #expect(edited.notes.map(\.kind) == [.synced])
    let sets = exceptions(after, of: "CountriesSwiftUI")
    let target = try #require(sets.first { $0["attributesByRelativePath"] == ["Pay.xcframework": ["Weak"]] })
    #expect(target.isa == "PBXFileSystemSynchronizedBuildFileExceptionSet")
    let phase = try #require(sets.first { $0.string("buildPhase") != nil })
    #expect(phase.strings("membershipExceptions") == ["Pay.xcframework"])
    #expect(
      phase["attributesByRelativePath"] == ["Pay.xcframework": ["CodeSignOnCopy", "RemoveHeadersOnCopy"]])
    #expect(try !edit(after, text).edited.isChanged)
    let remove = #"{"operation": "remove-framework", "names": "CountriesSwiftUI/Pay.xcframework"}"#
    let (removed, second) = try edit(after, remove)
    #expect(second.notes.isEmpty)
    #expect(removed.objects("PBXCopyFilesBuildPhase").isEmpty)
    let rest = exceptions(removed, of: "CountriesSwiftUI")
    #expect(rest.map { $0.strings("membershipExceptions") } == [["Pay.xcframework"]])
    #expect(try edit(removed, remove).edited.notes.map(\.kind) == [.absent])
  }

  @Test("an .xcconfig is named by its folder, and leaves nothing behind")
  func baseConfiguration() throws {
    let before = try project()
    let set = #"{"operation": "set-base-configuration", "path": "CountriesSwiftUI/Debug.xcconfig", "targets": "*"}"#
    let (after, _) = try edit(before, set)
    let named = after.objects("XCBuildConfiguration").filter { $0["baseConfigurationReferenceAnchor"] != nil }
    #expect(!named.isEmpty)
    #expect(named.allSatisfy { $0.string("baseConfigurationReferenceRelativePath") == "Debug.xcconfig" })
    let none = #"{"operation": "set-base-configuration", "targets": "*"}"#
    #expect(try edit(after, none).edited.bytes == before.bytes)
  }

  @Test("an Info.plist is not copied as a resource, in a synchronized folder and elsewhere")
  func infoPlist() throws {
    for path in ["CountriesSwiftUI/Info.plist", "Support/Info.plist"] {
      let (after, edited) = try edit(
        try project(),
        #"""
        {"operation": "set", "targets": "CountriesSwiftUI", "settings": {"INFOPLIST_FILE": "$(SRCROOT)/\#(path)"}},
        {"operation": "exclude", "path": "CountriesSwiftUI", "files": "Info.plist", "targets": "CountriesSwiftUI"},
        {"operation": "add-file", "paths": "\#(path)", "targets": "CountriesSwiftUI"}
        """#)
      #expect(edited.notes.map(\.kind) == [.infoPlist], "\(path)")
      #expect(ProjectCheck.findings(in: after).isEmpty, "\(path)")
    }
  }

  // MARK: - What is not on disk

  private func disk(_ files: String...) -> ProjectSurroundings { .files(files) }

  @Test(
    "what is not on disk is refused with the nearest name, unless it is asked for",
    arguments: [
      #"{"operation": "add-file", "paths": "Other/New.swift", "targets": "CountriesSwiftUI""#,
      #"{"operation": "add-framework", "names": "Other/Nw.xcframework", "targets": "CountriesSwiftUI""#,
      #"{"operation": "add-framework", "names": "Other/libNew.a", "library": true, "targets": "CountriesSwiftUI""#,
      #"{"operation": "add-package", "package": "Other/Pay""#,
      #"{"operation": "add-synced-folder", "path": "Other/Folder""#,
      #"{"operation": "set-base-configuration", "path": "Other/New.xcconfig""#,
    ])
  func missing(start: String) throws {
    let disk = disk("Other/Nev.swift", "Other/Pay/README.md")
    let error = try #require(throws: ProjectEditError.self) { try edit(project(), start + "}", disk) }
    #expect(error.code == .missingFile)
    if start.contains("New.swift") { #expect(error.values["suggestion"] == "Nev.swift") }
    #expect(try edit(project(), start + #", "missing": true}"#, disk).edited.isChanged)
    // Files are not looked for where nothing is known of the disk.
    #expect(try edit(project(), start + "}").edited.isChanged)
  }

  @Test("what is on disk, of the system or a product is added")
  func there() throws {
    let disk = disk("Other/New.swift", "Pay/Package.swift")
    let (_, edited) = try edit(
      try project(),
      #"""
      {"operation": "add-file", "paths": "./Other/New.swift"},
      {"operation": "add-file", "paths": "Made.swift", "source_tree": "BUILT_PRODUCTS_DIR"},
      {"operation": "add-framework", "names": ["CoreData", "libz.tbd"], "targets": "CountriesSwiftUI"},
      {"operation": "add-package", "package": "Pay/"}
      """#, disk)
    #expect(edited.isChanged)
  }

  @Test("what remains of a package whose manifest does not tell its products is named, and goes by its name")
  func package() throws {
    let add = #"""
      {"operation": "add-package", "package": "One", "products": ["A", "B"], "targets": "UnitTests"},
      {"operation": "add-package", "package": "Two", "products": "C", "targets": "UnitTests"}
      """#
    let before = try project()
    let (middle, _) = try edit(before, add)
    var disk = ProjectSurroundings.none()
    disk.products = { folder in
      folder == "One"
        ? PackageManifest.products(
          "let name = \"B\"\nPackage(products: [.library(name: \"A\"), .library(name: name)])") : ["C"]
    }
    #expect(disk.products("One") == PackageProducts(["A"], isComplete: false))
    let (after, edited) = try edit(middle, #"{"operation": "remove-package", "package": "One"}"#, disk)
    #expect(edited.notes == [EditNote(kind: .localProducts, name: "One", detail: "B")])
    let both = #"{"operation": "remove-package", "package": "One", "products": ["B", "C"]}"#
    let (rest, second) = try edit(after, both, disk)
    // C is known to be of another package.
    #expect(second.notes == [EditNote(kind: .absent, name: "C", detail: nil)])
    let names = rest.objects("XCSwiftPackageProductDependency").compactMap { $0.string("productName") }
    #expect(!names.contains("A"))
    #expect(!names.contains("B"))
    #expect(names.contains("C"))
  }
}

extension ProjectSurroundings {
  /// A disk that holds files, and the folders that they are in.
  static func files(_ files: [String], bundle: String = "App.xcodeproj") -> ProjectSurroundings {
    var disk = ProjectSurroundings.none(bundle: bundle)
    disk.isComplete = true
    disk.names = { folder in
      let prefix = folder.isEmpty ? "" : folder + "/"
      return Set(
        files.filter { $0.hasPrefix(prefix) }
          .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
      ).sorted()
    }
    return disk
  }
}
