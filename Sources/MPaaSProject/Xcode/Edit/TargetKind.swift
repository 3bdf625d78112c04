/// The products of a target, by the words of the command line.
package enum TargetKind: String, EditChoice {
  case application = "app"
  case framework
  case staticLibrary = "static-library"
  case tool
  case bundle
  case unitTests = "unit-tests"
  case interfaceTests = "ui-tests"
  case appExtension = "app-extension"
  /// Makes nothing: builds other targets and runs scripts.
  case aggregate

  /// Xcode's identifier; nil for what makes nothing.
  var productType: String? {
    switch self {
    case .application: "com.apple.product-type.application"
    case .framework: "com.apple.product-type.framework"
    case .staticLibrary: "com.apple.product-type.library.static"
    case .tool: "com.apple.product-type.tool"
    case .bundle: "com.apple.product-type.bundle"
    case .unitTests: "com.apple.product-type.bundle.unit-test"
    case .interfaceTests: "com.apple.product-type.bundle.ui-testing"
    case .appExtension: "com.apple.product-type.app-extension"
    case .aggregate: nil
    }
  }

  var fileType: String {
    switch self {
    case .application: "wrapper.application"
    case .framework: "wrapper.framework"
    case .staticLibrary: "archive.ar"
    case .tool, .aggregate: "compiled.mach-o.executable"
    case .bundle, .unitTests, .interfaceTests: "wrapper.cfbundle"
    case .appExtension: "wrapper.app-extension"
    }
  }

  func productName(_ name: String) -> String {
    switch self {
    case .application: name + ".app"
    case .framework: name + ".framework"
    case .staticLibrary: "lib" + name + ".a"
    case .tool, .aggregate: name
    case .bundle: name + ".bundle"
    case .unitTests, .interfaceTests: name + ".xctest"
    case .appExtension: name + ".appex"
    }
  }

  var phases: [FileKind.Phase] {
    switch self {
    case .framework: [.headers, .sources, .frameworks, .resources]
    case .staticLibrary, .tool: [.sources, .frameworks]
    case .aggregate: []
    default: [.sources, .frameworks, .resources]
    }
  }

  var isTest: Bool { self == .unitTests || self == .interfaceTests }
}

/// The systems that a target is built for.
package enum TargetPlatform: String, EditChoice {
  case iOS = "ios"
  case macOS = "macos"
  case tvOS = "tvos"
  case watchOS = "watchos"
  case visionOS = "visionos"

  /// The value of `SDKROOT`.
  var sdk: String {
    switch self {
    case .iOS: "iphoneos"
    case .macOS: "macosx"
    case .tvOS: "appletvos"
    case .watchOS: "watchos"
    case .visionOS: "xros"
    }
  }

  var deploymentSetting: String {
    switch self {
    case .iOS: "IPHONEOS_DEPLOYMENT_TARGET"
    case .macOS: "MACOSX_DEPLOYMENT_TARGET"
    case .tvOS: "TVOS_DEPLOYMENT_TARGET"
    case .watchOS: "WATCHOS_DEPLOYMENT_TARGET"
    case .visionOS: "XROS_DEPLOYMENT_TARGET"
    }
  }

  /// The value of `TARGETED_DEVICE_FAMILY`; nil where there is one kind only that needs no saying.
  var deviceFamily: String? {
    switch self {
    case .iOS: "1,2"
    case .macOS: nil
    case .tvOS: "3"
    case .watchOS: "4"
    case .visionOS: "7"
    }
  }

  init?(sdk: String) {
    guard let found = Self.allCases.first(where: { $0.sdk == sdk }) else { return nil }
    self = found
  }
}
