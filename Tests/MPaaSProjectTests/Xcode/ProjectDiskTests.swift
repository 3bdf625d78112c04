import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Findings in Xcode projects: what is not on disk, and what is built twice") struct ProjectDiskTests {
  /// A project that names a file in every way there is.
  static let sample = """
    // !$*UTF8*$!
    {
    	archiveVersion = 1;
    	objectVersion = 77;
    	objects = {
    		B1 = {isa = PBXBuildFile; fileRef = F1; };
    		B2 = {isa = PBXBuildFile; fileRef = F2; };
    		B3 = {isa = PBXBuildFile; fileRef = V1; };
    		F1 = {isa = PBXFileReference; path = a.m; sourceTree = "<group>"; };
    		F2 = {isa = PBXFileReference; path = Vendor/Pay.xcframework; sourceTree = "<group>"; };
    		F3 = {isa = PBXFileReference; path = zh.lproj/T.strings; sourceTree = "<group>"; };
    		F4 = {isa = PBXFileReference; path = Config/Debug.xcconfig; sourceTree = SOURCE_ROOT; };
    		F5 = {isa = PBXFileReference; path = App.app; sourceTree = BUILT_PRODUCTS_DIR; };
    		F6 = {isa = PBXFileReference; path = System/Library/Frameworks/UIKit.framework; sourceTree = SDKROOT; };
    		F7 = {isa = PBXFileReference; path = README.md; sourceTree = "<group>"; };
    		F8 = {isa = PBXFileReference; path = Made.swift; sourceTree = "<group>"; };
    		X1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Info.plist, Old.swift, ); target = T1; };
    		S1 = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (X1, ); path = App; sourceTree = "<group>"; };
    		G1 = {isa = PBXGroup; children = (G2, S1, F4, F5, F6, F7, ); sourceTree = "<group>"; };
    		G2 = {isa = PBXGroup; children = (F1, F2, V1, F8, ); path = Files; sourceTree = "<group>"; };
    		V1 = {isa = PBXVariantGroup; children = (F3, ); name = T.strings; sourceTree = "<group>"; };
    		K1 = {isa = XCLocalSwiftPackageReference; relativePath = ../Pay; };
    		T1 = {isa = PBXNativeTarget; buildConfigurationList = L1; buildPhases = (H1, H2, ); fileSystemSynchronizedGroups = (S1, ); name = App; productReference = F5; };
    		P1 = {isa = PBXProject; buildConfigurationList = L2; mainGroup = G1; packageReferences = (K1, ); targets = (T1, ); };
    		H1 = {isa = PBXSourcesBuildPhase; files = (B1, B2, B3, ); };
    		H2 = {isa = PBXShellScriptBuildPhase; outputPaths = ("$(SRCROOT)/Files/Made.swift", ); };
    		C1 = {
    			isa = XCBuildConfiguration;
    			baseConfigurationReference = F4;
    			buildSettings = {
    				"CODE_SIGN_ENTITLEMENTS[sdk=iphoneos*]" = "App/$(TARGET_NAME).entitlements";
    				DEVELOPMENT_ASSET_PATHS = "\\"App/Preview Content\\"";
    				GCC_PREFIX_HEADER = "${SOME_DIR}/Prefix.pch";
    				INFOPLIST_FILE = "$(SRCROOT)/$(PRODUCT_NAME)/Info.plist";
    				PRODUCT_NAME = "$(TARGET_NAME)";
    				SWIFT_OBJC_BRIDGING_HEADER = "App/Bridge.h";
    			};
    			name = Debug;
    		};
    		C2 = {isa = XCBuildConfiguration; buildSettings = {}; name = Debug; };
    		L1 = {isa = XCConfigurationList; buildConfigurations = (C1, ); };
    		L2 = {isa = XCConfigurationList; buildConfigurations = (C2, ); };
    	};
    	rootObject = P1;
    }

    """

  static let files = [
    "Files/a.m", "Files/Vendor/Pay.xcframework/Info.plist", "Files/zh.lproj/T.strings", "Config/Debug.xcconfig",
    "README.md", "App/Info.plist", "App/Old.swift", "App/App.entitlements", "App/Preview Content/A.xcassets/a.json",
    "App/Bridge.h", "../Pay/Package.swift",
  ]

  private func findings(_ text: String = sample, without files: String..., of all: [String] = files) -> [ProjectFinding]
  {
    let disk = ProjectSurroundings.files(all.filter { !files.contains($0) })
    return ProjectCheck.findings(in: Array(text.utf8), file: "project.pbxproj", surroundings: disk)
  }

  @Test("there are none where all is there, whatever the case of its name")
  func clean() {
    #expect(findings().isEmpty, "\(findings())")
    #expect(findings(of: Self.files.map { $0.lowercased() }).isEmpty)
    #expect(ProjectCheck.findings(in: Array(Self.sample.utf8), file: "a").isEmpty)
  }

  typealias Mistake = (rule: String, gone: String, from: String, to: String, line: Int, severity: String)

  static let mistakes: [Mistake] = [
    ("missing-file", "Files/a.m", "", "", 9, "error"),
    ("missing-file", "README.md", "", "", 15, "warning"),
    ("missing-file", "Files/zh.lproj/T.strings", "", "", 11, "error"),
    ("missing-file", "", "outputPaths = (", "inputPaths = (", 16, "warning"),
    ("missing-framework", "Files/Vendor/Pay.xcframework/Info.plist", "", "", 10, "error"),
    ("missing-base-configuration", "Config/Debug.xcconfig", "", "", 29, "error"),
    ("missing-setting-file", "App/App.entitlements", "", "", 31, "error"),
    ("missing-setting-file", "App/Preview Content/A.xcassets/a.json", "", "", 32, "error"),
    ("missing-setting-file", "App/Bridge.h", "", "", 36, "error"),
    ("missing-setting-file", "", "{SOME_DIR}", "{TARGET_NAME}", 33, "error"),
    ("missing-setting-file", "", "/Info.plist\";", "/App-Info.plist\";", 34, "error"),
    ("missing-package", "../Pay/Package.swift", "", "", 22, "error"),
    (
      "missing-synced-folder", "", "path = App; sourceTree = \"<group>\"", "path = Apps; sourceTree = \"<group>\"", 18,
      "error"
    ),
    ("missing-exception", "App/Old.swift", "", "", 17, "note"),
    (
      "in-synced-folder", "", "path = a.m; sourceTree = \"<group>\"", "path = App/Bridge.h; sourceTree = SOURCE_ROOT",
      6, "error"
    ),
    ("info-plist-copied", "", "membershipExceptions = (Info.plist, ", "membershipExceptions = (", 34, "error"),
    ("no-files", "*", "", "", 24, "note"),
  ]

  @Test("name each mistake that was made, and its line", arguments: mistakes.indices)
  func mistake(index: Int) {
    let mistake = Self.mistakes[index]
    var text = Self.sample
    if !mistake.from.isEmpty {
      #expect(text.contains(mistake.from))
      text = text.replacing(mistake.from, with: mistake.to)
    }
    let found = mistake.gone == "*" ? findings(text, of: []) : findings(text, without: mistake.gone)
    #expect(found.contains { $0.rule.rawValue == mistake.rule && $0.severity.rawValue == mistake.severity }, "\(found)")
    let lines = found.filter { $0.rule.rawValue == mistake.rule }.compactMap { finding -> Int? in
      if case .text(_, let line, _) = finding.place { line } else { nil }
    }
    #expect(lines == [mistake.line], "\(mistake): \(found)")
    // One mistake is one finding; a folder that is gone takes with it what is said to be in it.
    if mistake.rule != "missing-synced-folder" { #expect(found.count == 1, "\(found)") }
  }

  @Test("a resource that is the target's Info.plist is told")
  func copiedPlist() {
    let text = Self.sample.replacing("PBXSourcesBuildPhase", with: "PBXResourcesBuildPhase")
      .replacing("/Info.plist\";", with: "/../Files/a.m\";")
    #expect(findings(text).map(\.rule) == [.infoPlistCopied])
  }

  @Test("paths begin at projectDirPath where the project has one")
  func projectFolder() {
    let text = Self.sample.replacing("packageReferences", with: "projectDirPath = ../Sources; packageReferences")
    let files = Self.files.map { "../Sources/" + $0 }.map { PathWords.plain($0) }
    #expect(findings(text, of: files).isEmpty, "\(findings(text, of: files))")
  }
}

@Suite("Findings in Xcode's JSON5 projects: what is not on disk") struct JSONProjectDiskTests {
  private static let text = """
    {
      "default-configuration": "Release",
      "configurations": [ { "name": "Release", "file": "Config/Release.xcconfig" } ],
      "packages": [ { "kind": "local", "path": ".." } ],
      "files": [
        { "kind": "group", "path": "Config", "children": [
          { "path": "Release.xcconfig" },
          { "path": "A.swift", "target-membership": [ "App" ] },
        ] },
        { "kind": "folder", "path": "App" },
        { "kind": "group", "name": "Products", "children": [ { "path": "<PRODUCTS>/App.app" } ] },
      ],
      "targets": [ { "name": "App", "build-settings": {
        "INFOPLIST_FILE": "$(TARGET_NAME)/Info.plist",
      } } ],
    }
    """

  private static let files = [
    "../Package.swift", "Config/Release.xcconfig", "Config/A.swift", "App/Info.plist", "App/a.swift",
  ]

  @Test("name what is gone, and its line")
  func gone() throws {
    let file = try XCProjFile(Array(Self.text.utf8), file: "project.xcproj")
    #expect(file.findings(surroundings: .files(Self.files)).isEmpty)
    #expect(file.findings().isEmpty)
    let gone: [String: [String]] = [
      "../Package.swift": ["missing-package 4"],
      "Config/Release.xcconfig": ["missing-base-configuration 3"],
      "Config/A.swift": ["missing-file 8"], "App/Info.plist": ["missing-setting-file 14"],
    ]
    for (path, expected) in gone {
      let found = file.findings(surroundings: .files(Self.files.filter { $0 != path })).map { finding in
        if case .text(_, let line, _) = finding.place { "\(finding.rule.rawValue) \(line)" } else { "" }
      }
      #expect(found == expected, "\(path)")
    }
    let without = file.findings(surroundings: .files(Self.files.filter { !$0.hasPrefix("App/") }))
    #expect(without.map(\.rule) == [.missingSettingFile, .missingSyncedFolder])
    #expect(file.findings(surroundings: .files([])).map(\.rule) == [.noFiles])
  }
}
