/// The build settings that Xcode's templates give a new target, as far as they do not repeat those of the project.
struct TargetSettings {
  struct Host {
    /// The target's name.
    let name: String
    /// The app's, without its end: `Shop` of `Shop.app`.
    let product: String
  }

  let kind: TargetKind
  /// nil where neither the target nor the project says.
  let platform: TargetPlatform?
  /// nil for settings without an identifier of the bundle.
  let bundleIdentifier: String?
  /// nil where the project says it for all.
  let swiftVersion: String?
  /// The target of the app that tests run in.
  let host: Host?
  /// The target's own settings beside its kind; they come last.
  let own: [(String, PBXValue)]

  /// In the order of their keys.
  var members: [PBXMember] {
    var settings: [String: PBXValue] = ["PRODUCT_NAME": productName]
    if kind != .aggregate {
      settings["CODE_SIGN_STYLE"] = "Automatic"
      if let swiftVersion { settings["SWIFT_VERSION"] = .string(swiftVersion) }
      if kind != .tool, let family = platform?.deviceFamily { settings["TARGETED_DEVICE_FAMILY"] = .string(family) }
    }
    if hasBundle { settings.merge(bundle) { $1 } }
    settings.merge(ofKind) { $1 }
    for (key, value) in own { settings[key] = value }
    return settings.sorted { $0.key < $1.key }.map { PBXMember($0.key, $0.value) }
  }

  private var productName: PBXValue {
    kind == .framework ? "$(TARGET_NAME:c99extidentifier)" : "$(TARGET_NAME)"
  }

  private var hasBundle: Bool { ![.staticLibrary, .tool, .aggregate].contains(kind) }

  private var bundle: [String: PBXValue] {
    var settings: [String: PBXValue] = [
      "CURRENT_PROJECT_VERSION": "1", "GENERATE_INFOPLIST_FILE": "YES", "MARKETING_VERSION": "1.0",
    ]
    if let bundleIdentifier { settings["PRODUCT_BUNDLE_IDENTIFIER"] = .string(bundleIdentifier) }
    return settings
  }

  private var isMac: Bool { platform == .macOS }

  private func runpaths(_ own: String...) -> PBXValue { .strings(["$(inherited)"] + own) }

  private var ofKind: [String: PBXValue] {
    switch kind {
    case .application: application
    case .framework: framework
    case .staticLibrary:
      isMac ? ["SKIP_INSTALL": "YES"] : ["OTHER_LDFLAGS": "-ObjC", "SKIP_INSTALL": "YES"]
    case .bundle: ["SKIP_INSTALL": "YES", "WRAPPER_EXTENSION": "bundle"]
    case .appExtension:
      [
        "LD_RUNPATH_SEARCH_PATHS": isMac
          ? runpaths("@executable_path/../Frameworks", "@executable_path/../../../../Frameworks")
          : runpaths("@executable_path/Frameworks", "@executable_path/../../Frameworks"),
        "SKIP_INSTALL": "YES",
      ]
    case .unitTests: unitTests
    case .interfaceTests: host.map { ["TEST_TARGET_NAME": .string($0.name)] } ?? [:]
    case .tool, .aggregate: [:]
    }
  }

  private var application: [String: PBXValue] {
    if isMac { return ["LD_RUNPATH_SEARCH_PATHS": runpaths("@executable_path/../Frameworks")] }
    var settings = ["LD_RUNPATH_SEARCH_PATHS": runpaths("@executable_path/Frameworks")]
    guard platform == .iOS else { return settings }
    // Apps without a life cycle of scenes do not start where they are built with the SDK of iOS 27.
    settings["INFOPLIST_KEY_UIApplicationSceneManifest_Generation"] = "YES"
    settings["INFOPLIST_KEY_UIApplicationSupportsIndirectInputEvents"] = "YES"
    settings["INFOPLIST_KEY_UILaunchScreen_Generation"] = "YES"
    let upright = "UIInterfaceOrientationPortrait"
    let sides = "UIInterfaceOrientationLandscapeLeft UIInterfaceOrientationLandscapeRight"
    settings["INFOPLIST_KEY_UISupportedInterfaceOrientations_iPad"] =
      .string("\(upright) \(upright)UpsideDown \(sides)")
    settings["INFOPLIST_KEY_UISupportedInterfaceOrientations_iPhone"] = .string("\(upright) \(sides)")
    return settings
  }

  private var framework: [String: PBXValue] {
    [
      "DEFINES_MODULE": "YES", "DYLIB_COMPATIBILITY_VERSION": "1", "DYLIB_CURRENT_VERSION": "1",
      "DYLIB_INSTALL_NAME_BASE": "@rpath", "INSTALL_PATH": "$(LOCAL_LIBRARY_DIR)/Frameworks",
      "LD_RUNPATH_SEARCH_PATHS": isMac
        ? runpaths("@executable_path/../Frameworks", "@loader_path/Frameworks")
        : runpaths("@executable_path/Frameworks", "@loader_path/Frameworks"),
      "SKIP_INSTALL": "YES", "VERSIONING_SYSTEM": "apple-generic", "VERSION_INFO_PREFIX": "",
    ]
  }

  private var unitTests: [String: PBXValue] {
    guard let product = host?.product else { return [:] }
    let test = "$(BUILT_PRODUCTS_DIR)/\(product).app/$(BUNDLE_EXECUTABLE_FOLDER_PATH)/\(product)"
    return ["BUNDLE_LOADER": "$(TEST_HOST)", "TEST_HOST": .string(test)]
  }
}
