import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Findings in Xcode projects") struct ProjectCheckTests {
  static let name = "project/pbxproj/nalexn__clean-architecture-swiftui__CountriesSwiftUI.xcodeproj_project.pbxproj"

  @Test("there are none in projects as Xcode writes them", .fixtures)
  func clean() throws {
    var clean = 0
    for name in try XcodeFixtures.files() where !name.contains("Kin__tests") {
      if ProjectCheck.findings(in: try XcodeFixtures.read(name)).allSatisfy({ $0.severity == .note }) { clean += 1 }
    }
    #expect(clean >= 90)
  }

  /// A project to plant corruptions in: with every kind of reference.
  static let sample = """
    // !$*UTF8*$!
    {
    	archiveVersion = 1;
    	objectVersion = 77;
    	objects = {

    /* Begin PBXBuildFile section */
    		B1 /* a.m in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* a.m */; };
    		B2 /* b.m in Sources */ = {isa = PBXBuildFile; fileRef = F2 /* b.m */; };
    /* End PBXBuildFile section */

    /* Begin PBXContainerItemProxy section */
    		X1 /* PBXContainerItemProxy */ = {isa = PBXContainerItemProxy; containerPortal = P1; proxyType = 1; remoteGlobalIDString = T1; };
    /* End PBXContainerItemProxy section */

    /* Begin PBXFileReference section */
    		F1 /* a.m */ = {isa = PBXFileReference; path = a.m; sourceTree = "<group>"; };
    		F2 /* b.m */ = {isa = PBXFileReference; path = b.m; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXFileSystemSynchronizedRootGroup section */
    		S1 /* App */ = {isa = PBXFileSystemSynchronizedRootGroup; path = App; sourceTree = "<group>"; };
    /* End PBXFileSystemSynchronizedRootGroup section */

    /* Begin PBXGroup section */
    		G1 = {isa = PBXGroup; children = (G2, S1, ); sourceTree = "<group>"; };
    		G2 /* Files */ = {isa = PBXGroup; children = (F1, F2, ); name = Files; sourceTree = "<group>"; };
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    		T1 /* App */ = {isa = PBXNativeTarget; buildConfigurationList = L1; buildPhases = (H1, ); fileSystemSynchronizedGroups = (S1, ); name = App; };
    		T2 /* Tests */ = {isa = PBXNativeTarget; buildConfigurationList = L2; buildPhases = (H2, ); dependencies = (D1, ); name = Tests; };
    /* End PBXNativeTarget section */

    /* Begin PBXProject section */
    		P1 /* Project object */ = {isa = PBXProject; buildConfigurationList = L3; mainGroup = G1; targets = (T1, T2, ); };
    /* End PBXProject section */

    /* Begin PBXSourcesBuildPhase section */
    		H1 /* Sources */ = {isa = PBXSourcesBuildPhase; files = (B1, ); };
    		H2 /* Sources */ = {isa = PBXSourcesBuildPhase; files = (B2, ); };
    /* End PBXSourcesBuildPhase section */

    /* Begin PBXTargetDependency section */
    		D1 /* PBXTargetDependency */ = {isa = PBXTargetDependency; target = T1; targetProxy = X1; };
    /* End PBXTargetDependency section */

    /* Begin XCBuildConfiguration section */
    		C1 /* Debug */ = {isa = XCBuildConfiguration; buildSettings = {}; name = Debug; };
    		C2 /* Debug */ = {isa = XCBuildConfiguration; buildSettings = {}; name = Debug; };
    		C3 /* Debug */ = {isa = XCBuildConfiguration; buildSettings = {}; name = Debug; };
    /* End XCBuildConfiguration section */

    /* Begin XCConfigurationList section */
    		L1 = {isa = XCConfigurationList; buildConfigurations = (C1, ); defaultConfigurationName = Debug; };
    		L2 = {isa = XCConfigurationList; buildConfigurations = (C2, ); defaultConfigurationName = Debug; };
    		L3 = {isa = XCConfigurationList; buildConfigurations = (C3, ); defaultConfigurationName = Debug; };
    /* End XCConfigurationList section */
    	};
    	rootObject = P1 /* Project object */;
    }

    """

  static let planted: [(rule: String, from: String, to: String, line: Int)] = [
    ("dangling", "targets = (T1, T2, )", "targets = (T1, T2, T9, )", 36),
    ("dangling", "fileRef = F1", "fileRef = F9", 8),
    ("dangling", "files = (B1, )", "files = (B1, B9, )", 40),
    ("dangling", "fileSystemSynchronizedGroups = (S1, )", "fileSystemSynchronizedGroups = (S9, )", 31),
    ("dangling", "children = (F1, F2, )", "children = (F1, F2, F9, )", 27),
    ("dangling", "target = T1;", "target = T9;", 45),
    ("dangling", "remoteGlobalIDString = T1", "remoteGlobalIDString = T9", 13),
    ("dangling", "buildConfigurationList = L1", "buildConfigurationList = L9", 31),
    ("duplicate-id", "\t\tF2 /* b.m */ = {", "\t\tF1 /* b.m */ = {", 18),
    ("no-group", "children = (F1, F2, )", "children = (F1, )", 18),
    ("orphan", "files = (B1, )", "files = ()", 8),
    ("future-version", "objectVersion = 77", "objectVersion = 999", 4),
    ("version", "objectVersion = 77", "objectVersion = x", 4),
    ("version", "\tobjectVersion = 77;\n", "", 2),
    ("root-object", "rootObject = P1", "rootObject = P9", 60),
    ("root-object", "rootObject = P1", "rootObject = G1", 60),
    ("no-kind", "{isa = PBXFileReference; path = a.m;", "{path = a.m;", 17),
    ("unknown-kind", "isa = PBXFileReference; path = a.m", "isa = PBXFileReferense; path = a.m", 17),
    ("wrong-kind", "fileRef = F1", "fileRef = C1", 8),
    ("wrong-kind", "mainGroup = G1", "mainGroup = F1", 36),
    ("wrong-type", "children = (F1, F2, )", "children = F1", 27),
    ("wrong-type", "buildSettings = {}; name = Debug; };\n\t\tC2", "buildSettings = x; name = Debug; };\n\t\tC2", 49),
    ("missing-member", "buildPhases = (H1, ); ", "", 31),
    ("missing-member", "path = a.m; ", "", 17),
    ("duplicate-key", "path = a.m;", "path = a.m; path = c.m;", 17),
    ("group-cycle", "children = (F1, F2, )", "children = (F1, F2, G1, )", 26),
    ("two-groups", "children = (G2, S1, )", "children = (G2, S1, F1, )", 27),
    ("two-phases", "files = (B2, )", "files = (B2, B1, )", 8),
    ("two-owners", "buildPhases = (H2, )", "buildPhases = (H2, H1, )", 40),
    ("twice", "files = (B2, )", "files = (B2, B2, )", 41),
    ("empty-build-file", "fileRef = F1 /* a.m */; ", "", 8),
    (
      "duplicate-build-file", "fileRef = F2 /* b.m */; };",
      "fileRef = F2; };\n\t\tB3 = {isa = PBXBuildFile; fileRef = F1; };", 0
    ),
    ("no-configurations", "buildConfigurations = (C1, )", "buildConfigurations = ()", 55),
    (
      "default-configuration", "(C1, ); defaultConfigurationName = Debug", "(C1, ); defaultConfigurationName = Beta", 55
    ),
    (
      "missing-configuration", "buildSettings = {}; name = Debug; };\n\t\tC2",
      "buildSettings = {}; name = Beta; };\n\t\tC2", 55
    ),
    ("duplicate-target", "name = Tests", "name = App", 32),
    ("target-cycle", "buildPhases = (H1, );", "buildPhases = (H1, ); dependencies = (D1, );", 31),
    ("section", "/* Begin PBXGroup section */", "/* Begin PBXBuildFile section */", 26),
    ("header", "// !$*UTF8*$!\n", "", 1),
    ("unquoted", "name = Files", "name = 文件", 27),
    ("syntax", "name = Tests;", "name = Tests", 32),
    ("syntax", "/* Begin PBXGroup section */", "<<<<<<< HEAD", 25),
    ("syntax", "\trootObject = P1 /* Project object */;\n}\n", "", 2),
    ("syntax", "path = a.m;", "path = \"a.m;", 0),
  ]

  @Test("name each corruption that was planted, and its line", arguments: planted.indices)
  func corruption(index: Int) {
    let planted = Self.planted[index]
    var text = Self.sample
    let range = text.range(of: planted.from)
    #expect(range != nil, "\(planted.from)")
    if let range { text.replaceSubrange(range, with: planted.to) }
    if planted.rule == "duplicate-build-file" { text = text.replacing("files = (B1, )", with: "files = (B1, B3, )") }
    let findings = ProjectCheck.findings(in: Array(text.utf8), file: "a.pbxproj")
    let found = findings.first { $0.rule.rawValue == planted.rule }
    #expect(found != nil, "\(planted): \(findings)")
    guard case .text(_, let line, .some)? = found?.place else {
      Issue.record("\(planted): no line")
      return
    }
    if planted.line > 0 { #expect(line == planted.line, "\(planted)") }
  }

  @Test("there are none in the project that the corruptions are planted in")
  func sampleIsClean() {
    let findings = ProjectCheck.findings(in: Array(Self.sample.utf8), file: "a.pbxproj")
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("say where bytes are no UTF-8")
  func encoding() {
    var bytes = Array(Self.sample.replacing("name = Files", with: "name = \"@\"").utf8)
    if let offset = bytes.firstIndex(of: UInt8(ascii: "@")) { bytes[offset] = 0xff }
    let rules = ProjectCheck.findings(in: bytes, file: "a").map(\.rule)
    #expect(rules == [.encoding])
  }

  @Test("read the JSON5 project of Xcode 27 too", .fixtures)
  func json() throws {
    let name = "project/xcproj_json/XcodeGenerated.project.xcproj"
    let text = String(decoding: try Fixture.data(name), as: UTF8.self)
    let file = try XCProjFile(Array(text.utf8), file: name)
    #expect(file.targets.count == 1)
    #expect(file.configurations == ["Debug", "Release"])
    #expect(file.findings().isEmpty)
    let wrong = text.replacing("\"default-configuration\": \"Release\"", with: "\"default-configuration\": \"Beta\"")
      .replacing("\"target-membership\": [ \"SampleApp\" ]", with: "\"target-membership\": [ \"Gone\" ]")
    let rules = try XCProjFile(Array(wrong.utf8), file: name).findings().map(\.rule)
    #expect(rules == [.defaultConfiguration, .dangling])
  }
}
