/// The operations of each commit to its project, as operations.
enum EditPairs {
  static let operations: [(name: String, operations: String)] = [
    (
      "add_framework_01",
      """
      [{"operation": "add-framework", "names": ["CoreData"], "position": "first", "phase_position": "first"},
       {"operation": "set", "targets": "MJExtensionExample", "settings": {"GCC_INPUT_FILETYPE": "automatic"}}]
      """
    ),
    (
      "add_group_01",
      """
      [{"operation": "add-group", "name": "Managers", "path": "Managers", "position": "after:ConfigurationViews"},
       {"operation": "add-file", "paths": ["Managers/UTMVirtualMachineDelegate.h", "Managers/UTMVirtualMachine.h"]},
       {"operation": "add-file", "paths": "Managers/UTMVirtualMachine.m", "targets": "UTM",
        "phase_position": "after:main.m"}]
      """
    ),
    (
      "add_group_02",
      """
      [{"operation": "add-group", "name": "Repositories", "path": "UnitTests/Repositories", "position": "first"},
       {"operation": "add-file", "paths": "UnitTests/Repositories/CountriesWebRepositoryTests.swift",
        "targets": "UnitTests", "phase_position": "after:RequestMocking.swift"},
       {"operation": "add-file", "paths": "UnitTests/TestHelpers.swift", "position": "after:Mocks",
        "targets": "UnitTests"}]
      """
    ),
    (
      "add_group_03",
      """
      [{"operation": "add-file", "paths": "UnitTests/UI/SVGImageViewTests.swift",
        "position": "before:ViewPreviewsTests.swift", "targets": "UnitTests",
        "phase_position": "after:SystemEventsHandlerTests.swift"},
       {"operation": "add-group", "name": "Resources", "path": "UnitTests/Resources", "position": "after:Mocks"},
       {"operation": "add-file", "paths": "UnitTests/Resources/svg_document.svg", "targets": "UnitTests",
        "type": "text", "attributes": {"fileEncoding": 4}}]
      """
    ),
    (
      "add_resource_01",
      """
      [{"operation": "add-file", "paths": "Plash/InternetAccessPolicy.json", "position": "after:Plash.entitlements",
        "targets": "Plash", "phase_position": "first",
        "attributes": {"fileEncoding": 4, "lineEnding": 0, "usesTabs": 1}}]
      """
    ),
    (
      "add_source_01",
      """
      [{"operation": "add-file", "paths": "CountriesSwiftUI/UI/CountryCell.swift", "targets": "CountriesSwiftUI",
        "phase_position": "before:CountriesList.swift"}]
      """
    ),
    (
      "add_source_02",
      """
      [{"operation": "add-file", "paths": "Plash/WelcomeView.swift", "position": "after:PreferencesView.swift",
        "targets": "Plash", "attributes": {"fileEncoding": 4, "lineEnding": 0, "usesTabs": 1}}]
      """
    ),
    (
      "add_source_03",
      """
      [{"operation": "add-file", "paths": "Plash/URLCommands.swift", "position": "before:Migration.swift",
        "targets": "Plash", "phase_position": "after:AddWebsiteView.swift"}]
      """
    ),
    (
      "add_source_04",
      """
      [{"operation": "add-file", "attributes": {"fileEncoding": 4}, "targets": "MJExtensionExample",
        "paths": ["MJExtensionExample/MJExtension/MJFoundation.h", "MJExtensionExample/MJExtension/MJFoundation.m"],
        "phase_position": "after:User.m"},
       {"operation": "set-default-configuration", "name": "Release", "targets": "MJExtensionExample"}]
      """
    ),
    (
      "add_source_05",
      """
      [{"operation": "add-file", "paths": "Source/Manager.swift", "position": "after:Alamofire.swift",
        "attributes": {"fileEncoding": 4}, "targets": ["Alamofire OSX", "Alamofire iOS"],
        "phase_position": "after:ParameterEncoding.swift"}]
      """
    ),
    (
      "add_source_06",
      """
      [{"operation": "add-file", "attributes": {"fileEncoding": 4},
        "paths": "../MJExtension/MJDictionaryCache.h", "position": "after:MJFoundation.m"},
       {"operation": "add-file", "attributes": {"fileEncoding": 4},
        "paths": "../MJExtension/MJDictionaryCache.m", "position": "after:MJDictionaryCache.h",
        "targets": "MJExtensionExample", "phase_position": "after:MJExtensionConst.m"}]
      """
    ),
    ("build_setting_01", #"[{"operation": "set-attribute", "attributes": {"ORGANIZATIONNAME": "tuist"}}]"#),
    (
      "build_setting_02",
      """
      [{"operation": "set", "targets": "Alamofire",
        "settings": {"SUPPORTED_PLATFORMS": "iphonesimulator iphoneos macosx"}}]
      """
    ),
    (
      "build_setting_03",
      """
      [{"operation": "set", "targets": "Plash",
        "settings": {"CURRENT_PROJECT_VERSION": 7, "MARKETING_VERSION": "1.5.0"}}]
      """
    ),
    ("build_setting_04", #"[{"operation": "set-attribute", "attributes": {"LastUpgradeCheck": "1220"}}]"#),
    (
      "build_setting_05",
      """
      [{"operation": "set", "targets": "Plash",
        "settings": {"CURRENT_PROJECT_VERSION": 15, "MARKETING_VERSION": "2.0.1"}}]
      """
    ),
    (
      "build_setting_06",
      """
      [{"operation": "set",
        "settings": {"IPHONEOS_DEPLOYMENT_TARGET": "9.0", "MACOSX_DEPLOYMENT_TARGET": "10.11",
                     "TVOS_DEPLOYMENT_TARGET": "9.0", "WATCHOS_DEPLOYMENT_TARGET": "2.0"}},
       {"operation": "unset", "targets": "*", "settings": "ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES"}]
      """
    ),
    ("remove_file_01", #"[{"operation": "remove-file", "paths": ["MJTypeEncoding.h", "MJTypeEncoding.m"]}]"#),
    (
      "rename_file_01",
      """
      [{"operation": "remove-file", "paths": "AddWebsiteWindowController.swift"},
       {"operation": "add-file", "paths": "Plash/Website.swift", "position": "after:WebsitesController.swift",
        "targets": "Plash", "phase_position": "after:Constants.swift"},
       {"operation": "move", "paths": "AddWebsiteView.swift", "position": "after:WebsitesView.swift"}]
      """
    ),
    (
      "rename_file_02",
      #"[{"operation": "rename", "path": "F8111E3E19A95C8B0040E7D1", "name": "Alamofire iOS Tests.xctest"}]"#
    ),
    ("rename_file_03", #"[{"operation": "rename", "path": "Service.swift", "name": "WebService.swift"}]"#),
    (
      "script_phase_01",
      #"""
      [{"operation": "add-script", "targets": "CountriesSwiftUI", "position": "first",
        "script": "if command -v swiftlint > /dev/null; then\n  swiftlint lint --config \"${SRCROOT}/.swiftlint.yml\"\nfi\n"}]
      """#
    ),
    (
      "spm_01",
      """
      [{"operation": "set-format", "object_version": "53", "compatibility_version": "Xcode 11.4"},
       {"operation": "add-package", "package": "https://github.com/sindresorhus/KeyboardShortcuts",
        "up_to_next_minor": "0.1.1", "products": "KeyboardShortcuts", "targets": "Plash",
        "phase_position": "after:AppCenter.framework"}]
      """
    ),
    // The commit wrote an object on more lines, and changed nothing.
    ("sync_group_01", #"[{"operation": "add-synced-folder", "path": "SynchronizedRootGroups"}]"#),
  ]
}
