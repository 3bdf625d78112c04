/// Operations and those that take them back.
enum EditRounds {
  private static let plash = "edit_pairs/add_source_02/before.pbxproj"
  private static let countries = "edit_pairs/add_group_03/before.pbxproj"
  private static let synced = "pbxproj/tuist__XcodeProj__Fixtures_Xcode16_Test.xcodeproj_project.pbxproj"

  static let all: [(file: String, add: String, remove: String)] = [
    (
      plash, #"[{"operation": "add-framework", "names": ["Vendor/Pay.xcframework", "Network"], "embed": true}]"#,
      #"[{"operation": "remove-framework", "names": ["Vendor/Pay.xcframework", "Network"]}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-framework", "names": ["z", "libsqlite3.tbd"], "library": true, "targets": "*"},
       {"operation": "add-framework", "names": "Vendor/Pay.framework", "embed": true, "weak": true,
        "targets": "CountriesSwiftUI"}]
      """,
      """
      [{"operation": "remove-framework", "names": ["z", "sqlite3"], "library": true},
       {"operation": "remove-framework", "names": "Vendor/Pay.framework"}]
      """
    ),
    (
      countries, #"[{"operation": "add-file", "paths": "CountriesSwiftUI/New.swift", "targets": "CountriesSwiftUI"}]"#,
      #"[{"operation": "remove-file", "paths": "CountriesSwiftUI/New.swift"}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-group", "name": "深", "path": "CountriesSwiftUI/深"},
       {"operation": "add-file", "paths": ["CountriesSwiftUI/深/文 件.swift", "CountriesSwiftUI/深/a/b.png"],
        "targets": "CountriesSwiftUI"}]
      """,
      #"[{"operation": "remove-file", "paths": "深"}]"#
    ),
    (
      plash,
      """
      [{"operation": "add-package", "package": "https://github.com/a/B.git", "from": "1.2.3", "products": ["B", "C"]}]
      """,
      #"[{"operation": "remove-package", "package": "https://github.com/A/B"}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-package", "package": "../Local", "products": "L", "targets": "UnitTests"}]
      """,
      #"[{"operation": "remove-package", "package": "Local"}]"#
    ),
    (
      plash, #"[{"operation": "add-script", "name": "Check", "script": "exit 0", "always_run": true}]"#,
      #"[{"operation": "remove-script", "names": "Check"}]"#
    ),
    (
      countries, #"[{"operation": "set", "targets": "*", "settings": {"A[sdk=x*]": "b c", "ZZ": []}}]"#,
      #"[{"operation": "unset", "targets": "*", "settings": ["A[sdk=x*]", "ZZ"]}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-values", "setting": "OTHER_LDFLAGS", "values": ["-ObjC", "-framework Pay"],
        "configurations": "Debug"}]
      """,
      #"[{"operation": "remove-values", "setting": "OTHER_LDFLAGS", "values": ["-ObjC", "-framework Pay"]}]"#
    ),
    (
      synced,
      """
      [{"operation": "add-synced-folder", "path": "More", "targets": "*"},
       {"operation": "exclude", "path": "More", "files": ["Info.plist", "a/b.swift"], "targets": "*"}]
      """,
      #"[{"operation": "remove-synced-folder", "path": "More"}]"#
    ),
    (
      countries, #"[{"operation": "add-configuration", "name": "Staging & 试", "like": "Debug"}]"#,
      #"[{"operation": "remove-configuration", "names": "Staging & 试"}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-build-rule", "pattern": "*.proto", "script": "protoc", "outputs": "$(DERIVED_FILE_DIR)/a.swift",
        "output_flags": "-O", "inputs": "a", "name": "Proto", "targets": "*"},
       {"operation": "add-build-rule", "type": "sourcecode.yacc", "compiler": "com.apple.compilers.yacc", "targets": "*"}]
      """,
      #"[{"operation": "remove-build-rule", "names": ["Proto", "sourcecode.yacc"]}]"#
    ),
    (
      countries,
      """
      [{"operation": "add-target", "name": "Core", "kind": "framework", "host": "CountriesSwiftUI"},
       {"operation": "add-target", "name": "Widget", "kind": "app-extension", "host": "CountriesSwiftUI"},
       {"operation": "add-target", "name": "CoreTests", "kind": "unit-tests", "host": "CountriesSwiftUI"},
       {"operation": "add-target", "name": "All", "kind": "aggregate"},
       {"operation": "add-dependency", "names": ["Core", "Widget"], "targets": "All"},
       {"operation": "add-package", "package": "../Local", "products": "L", "targets": "Core"},
       {"operation": "add-build-rule", "pattern": "*.x", "script": "x", "targets": "Core"},
       {"operation": "remove-package", "package": "Local"}]
      """,
      #"[{"operation": "remove-target", "names": ["CoreTests", "Core", "Widget", "All"]}]"#
    ),
    (
      synced,
      """
      [{"operation": "add-target", "name": "Kit", "kind": "framework", "folder": "Kit", "platform": "macos"},
       {"operation": "exclude", "path": "Kit", "files": "a.md", "targets": "Kit"}]
      """,
      """
      [{"operation": "remove-target", "names": "Kit"}, {"operation": "remove-synced-folder", "path": "Kit"}]
      """
    ),
  ]
}

/// The refusals, by which code, and what the error names or where it stands.
enum EditRefusals {
  static let all: [(text: String, id: String, value: String)] = [
    (#"[{"operation": "add-file", "paths": "a.swift", "targets": "UnitTest"}]"#, "edit-no-target", "UnitTests"),
    (#"[{"operation": "add-framework", "names": "UIKit"}]"#, "edit-which-target", "CountriesSwiftUI, UnitTests"),
    (#"[{"operation": "set", "settings": {"A": "b"}, "configurations": "Debg"}]"#, "edit-no-configuration", "Debug"),
    (#"[{"operation": "add-file", "paths": "a.swift", "group": "Utilites"}]"#, "edit-no-group", "Utilities"),
    (#"[{"operation": "rename", "path": "nowhere.swift", "name": "b.swift"}]"#, "edit-no-file", "nowhere.swift"),
    (#"[{"operation": "move", "paths": "UI", "group": "UnitTests"}]"#, "edit-ambiguous", "UnitTests/UI"),
    (
      #"[{"operation": "add-file", "paths": "a.swift", "position": "after:b.swift"}]"#, "edit-no-position",
      "after:b.swift"
    ),
    (#"[{"operation": "remove-file", "paths": "CountriesSwiftUI.app"}]"#, "edit-product", "CountriesSwiftUI"),
    (#"[{"operation": "add-package", "package": "https://a.b/c"}]"#, "edit-bad-word", "--from"),
    (#"[{"operation": "add-target", "name": "UnitTests", "kind": "app"}]"#, "edit-other-kind", "unit-test"),
    (#"[{"operation": "add-target", "name": "a/b", "kind": "app"}]"#, "edit-bad-word", "a/b"),
    (#"[{"operation": "add-target", "name": "a", "kind": "apps"}]"#, "edit-bad-value", "static-library"),
    (#"[{"operation": "add-target", "name": "a"}]"#, "edit-key-missing", "kind"),
    (#"[{"operation": "add-target", "name": "a", "kind": "app", "host": "b"}]"#, "edit-no-target", "b"),
    (#"[{"operation": "add-configuration", "name": "a", "like": "Debg"}]"#, "edit-no-configuration", "Debug"),
    (
      #"[{"operation": "remove-configuration", "names": ["Debug", "Release"]}]"#, "edit-last-configuration", "Release"
    ),
    (#"[{"operation": "add-scheme", "name": "../a", "targets": "UnitTests"}]"#, "edit-bad-word", "../a"),
    ("{}", "edit-operations-malformed", "edits.json:1:1"),
    ("[1]", "edit-operations-malformed", "edits.json:1:2"),
    (#"[{"operation": "add-fil", "paths": "a"}]"#, "edit-no-operation", "add-file"),
    (#"[{"operation": "add-file"}]"#, "edit-key-missing", "paths"),
    ("[{\"operation\": \"add-file\",\n\"path\": \"a\"}]", "edit-unknown-key", "edits.json:2:1"),
    (#"[{"operation": "add-file", "paths": 1.5}]"#, "edit-bad-value", "paths"),
    (#"[{"operation": "add-file", "paths": "a", "position": "middle"}]"#, "edit-bad-value", "first, last"),
  ]
}
