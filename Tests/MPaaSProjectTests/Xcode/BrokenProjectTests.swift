import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

/// A small project whole, and with single things broken.
enum BrokenProject {
  static let whole = """
    // !$*UTF8*$!
    {
    	archiveVersion = 1;
    	classes = {
    	};
    	objectVersion = 56;
    	objects = {

    /* Begin PBXFileReference section */
    		F1 /* A.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = A.swift; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXGroup section */
    		G1 = {
    			isa = PBXGroup;
    			children = (
    				G2 /* App */,
    			);
    			sourceTree = "<group>";
    		};
    		G2 /* App */ = {
    			isa = PBXGroup;
    			children = (
    				F1 /* A.swift */,
    			);
    			path = App;
    			sourceTree = "<group>";
    		};
    /* End PBXGroup section */

    /* Begin PBXNativeTarget section */
    		T1 /* App */ = {
    			isa = PBXNativeTarget;
    			buildConfigurationList = L1;
    			buildPhases = (
    				S1 /* Sources */,
    			);
    			buildRules = (
    			);
    			dependencies = (
    			);
    			name = App;
    			productName = App;
    			productType = "com.apple.product-type.application";
    		};
    /* End PBXNativeTarget section */

    /* Begin PBXProject section */
    		P1 /* Project object */ = {
    			isa = PBXProject;
    			buildConfigurationList = L1;
    			compatibilityVersion = "Xcode 14.0";
    			developmentRegion = en;
    			knownRegions = (
    				en,
    			);
    			mainGroup = G1;
    			targets = (
    				T1 /* App */,
    			);
    		};
    /* End PBXProject section */

    /* Begin PBXSourcesBuildPhase section */
    		S1 /* Sources */ = {
    			isa = PBXSourcesBuildPhase;
    			buildActionMask = 2147483647;
    			files = (
    			);
    			runOnlyForDeploymentPostprocessing = 0;
    		};
    /* End PBXSourcesBuildPhase section */

    /* Begin XCBuildConfiguration section */
    		C1 /* Debug */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				SDKROOT = iphoneos;
    			};
    			name = Debug;
    		};
    /* End XCBuildConfiguration section */

    /* Begin XCConfigurationList section */
    		L1 = {
    			isa = XCConfigurationList;
    			buildConfigurations = (
    				C1 /* Debug */,
    			);
    			defaultConfigurationName = Debug;
    		};
    /* End XCConfigurationList section */
    	};
    	rootObject = P1 /* Project object */;
    }

    """

  /// A word for what is broken, what stands there, and what is put in its place.
  static let damages: [(name: String, old: String, new: String)] = [
    ("a ring of groups", "F1 /* A.swift */,", "G1,"),
    ("a group in itself", "F1 /* A.swift */,", "G2,"),
    ("a missing child", "F1 /* A.swift */,", "X9,"),
    ("children that are no list", "(\n\t\t\t\tG2 /* App */,\n\t\t\t)", "G2"),
    ("a missing main group", "mainGroup = G1;", "mainGroup = X9;"),
    ("a target as main group", "mainGroup = G1;", "mainGroup = T1;"),
    ("a missing root", "rootObject = P1 /* Project object */;", "rootObject = X9;"),
    ("a file as root", "rootObject = P1 /* Project object */;", "rootObject = F1;"),
    ("a missing target", "T1 /* App */,", "X9,"),
    ("a group as target", "T1 /* App */,", "G2,"),
    ("a target twice", "T1 /* App */,", "T1 /* App */, T1 /* App */,"),
    ("a missing phase", "S1 /* Sources */,", "X9,"),
    ("files that are no list", "files = (\n\t\t\t);", "files = F1;"),
    (
      "a missing list of configurations", "buildConfigurationList = L1;\n\t\t\tbuildPhases",
      "buildConfigurationList = X9;\n\t\t\tbuildPhases"
    ),
    ("settings that are a text", "{\n\t\t\t\tSDKROOT = iphoneos;\n\t\t\t}", "none"),
    ("no configuration", "C1 /* Debug */,", ""),
    ("a target without a name", "\t\t\tname = App;\n", ""),
    ("a group without its kind", "isa = PBXGroup;\n\t\t\tchildren = (\n\t\t\t\tF1", "children = (\n\t\t\t\tF1"),
  ]

  /// One edit of each kind.
  static let edits = [
    #"[{"operation": "add-file", "paths": ["App/B.swift", "C/D.m"], "targets": "App"}]"#,
    #"[{"operation": "remove-file", "paths": "App/A.swift"}]"#,
    #"[{"operation": "rename", "path": "App/A.swift", "name": "Z.swift"}]"#,
    #"[{"operation": "move", "paths": "App/A.swift", "group": "App", "position": "first"}]"#,
    #"[{"operation": "add-group", "name": "New", "path": "App/New"}]"#,
    #"[{"operation": "add-framework", "names": ["UIKit", "V/Pay.xcframework"], "targets": "App", "embed": true}]"#,
    #"[{"operation": "remove-framework", "names": "UIKit"}]"#,
    #"[{"operation": "set", "settings": {"A": "b"}, "targets": "App"}]"#,
    #"[{"operation": "unset", "settings": "SDKROOT"}]"#,
    #"[{"operation": "add-target", "name": "New", "kind": "app"}]"#,
    #"[{"operation": "remove-target", "names": "App"}]"#,
    #"[{"operation": "add-configuration", "name": "Beta", "like": "Debug"}]"#,
    #"[{"operation": "add-package", "package": "https://a.b/c", "from": "1.0.0", "products": "P", "targets": "App"}]"#,
    #"[{"operation": "add-script", "name": "S", "script": "true", "targets": "App"}]"#,
  ]

  static func text(_ damage: String) -> String {
    guard let found = damages.first(where: { $0.name == damage }) else { return whole }
    return whole.replacing(found.old, with: found.new, maxReplacements: 1)
  }
}

@Suite("Edits of broken projects") struct BrokenProjectTests {
  private func file(_ text: String) throws -> PBXProjectFile {
    try PBXProjectFile(Array(text.utf8), file: "project.pbxproj")
  }

  private func edited(_ text: String, _ edit: String) throws -> EditedProject {
    try file(text).edited(by: ProjectOperations.reading(Array(edit.utf8), file: "edits.json"))
  }

  private func code(_ damage: String, _ edit: String) -> String? {
    do {
      _ = try edited(BrokenProject.text(damage), edit)
      return nil
    } catch {
      return (error as? ProjectEditError)?.code.id.name ?? "\(error)"
    }
  }

  @Test("what breaks the small project is found in it once", arguments: BrokenProject.damages.indices)
  func damages(index: Int) {
    let damage = BrokenProject.damages[index]
    #expect(BrokenProject.whole.ranges(of: damage.old).count >= 1, "\(damage.name)")
    #expect(BrokenProject.text(damage.name) != BrokenProject.whole, "\(damage.name)")
  }

  @Test("the whole project takes every edit", arguments: BrokenProject.edits)
  func whole(edit: String) throws {
    #expect(throws: Never.self) { try edited(BrokenProject.whole, edit) }
  }

  @Test("are refused, or leave a project that can be read", arguments: BrokenProject.damages.map(\.name))
  func everyEdit(damage: String) throws {
    let text = BrokenProject.text(damage)
    for edit in BrokenProject.edits {
      do {
        let result = try edited(text, edit)
        #expect(throws: Never.self, "\(edit)") { try file(String(decoding: result.bytes, as: UTF8.self)) }
      } catch {
        #expect(error is ProjectEditError, "\(edit)")
      }
    }
  }

  @Test(
    "are refused where what they need is not there",
    arguments: [
      ("a missing main group", 0, "edit-broken-project"), ("a missing main group", 9, "edit-broken-project"),
      ("a missing root", 0, "edit-broken-project"), ("a file as root", 7, "edit-broken-project"),
      ("a missing target", 0, "edit-no-target"), ("a group as target", 7, "edit-no-target"),
      ("a target without a name", 0, "edit-no-target"), ("a missing list of configurations", 7, "edit-broken-project"),
    ])
  func refused(damage: String, edit: Int, expected: String) {
    #expect(code(damage, BrokenProject.edits[edit]) == expected)
  }

  @Test(
    "are made where what is broken lies elsewhere",
    arguments: [
      ("a missing main group", 7), ("a missing target", 9), ("a ring of groups", 7), ("a missing phase", 0),
      ("files that are no list", 0), ("a missing list of configurations", 0), ("a target twice", 0),
    ])
  func made(damage: String, edit: Int) {
    #expect(code(damage, BrokenProject.edits[edit]) == nil)
  }

  @Test("are refused as a whole where one of them is", arguments: BrokenProject.edits)
  func allOrNone(edit: String) throws {
    let last = #"{"operation": "set", "settings": {"A": "b"}, "targets": "Nowhere"}"#
    let both = String(edit.dropLast()) + ", " + last + "]"
    #expect(throws: ProjectEditError.self) { try edited(BrokenProject.whole, both) }
  }

  @Test("that are mutated are read or refused, and never stop the reader")
  func mutatedEdits() throws {
    var random = SeededRandom(seed: 71)
    for round in 0..<SeededRandom.rounds(or: 600) {
      var bytes = Array(BrokenProject.edits[round % BrokenProject.edits.count].utf8)
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7e, using: &random)
      }
      guard let operations = try? ProjectOperations.reading(bytes, file: "edits.json") else { continue }
      _ = try? file(BrokenProject.whole).edited(by: operations)
    }
  }

  @Test("whose project is mutated are made or refused, and never stop the editor")
  func mutatedProject() throws {
    var random = SeededRandom(seed: 72)
    let original = Array(BrokenProject.whole.utf8)
    for round in 0..<SeededRandom.rounds(or: 300) {
      var bytes = original
      for _ in 0...Int.random(in: 0...3, using: &random) {
        // A word of the project in the place of another one, so that it can often still be read.
        let (from, to) = (
          Int.random(in: 0..<bytes.count, using: &random), Int.random(in: 0..<bytes.count, using: &random)
        )
        bytes[to] = original[from]
      }
      guard let file = try? PBXProjectFile(bytes, file: "project.pbxproj") else { continue }
      let edit = Array(BrokenProject.edits[round % BrokenProject.edits.count].utf8)
      guard let result = try? file.edited(by: ProjectOperations.reading(edit, file: "edits.json")) else { continue }
      #expect(throws: Never.self) { try PBXProjectFile(result.bytes, file: "project.pbxproj") }
    }
  }
}
