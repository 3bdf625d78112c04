// swift-tools-version: 6.2
// The kit's libraries as `make install` puts them under share/mpaas: only what apps link, and the plug-in with its tool.
// Nothing here is fetched: what the libraries depend on lies in packages/. A test compares the targets with those of
// the repository's own manifest.
import PackageDescription

/// Settings that every Swift target of ours has.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// On Linux the C libraries are linked from their static archives: each shared library costs start-up time.
func archive(_ name: String) -> LinkerSetting {
  .linkedLibrary(":lib\(name).a", .when(platforms: [.linux]))
}

func systemLibrary(_ name: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, providers: [.apt([apt]), .brew([brew])])
}

/// A library of another package, which is compiled only with one of the traits.
func product(_ name: String, of package: String, _ traits: String...) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: Set(traits)))
}

let crypto = product("Crypto", of: "swift-crypto", "Crypto")
/// The same for what apps link: Apple's systems have CryptoKit and Security, and compile none of it.
let withoutCryptoKit: TargetDependencyCondition? = .when(
  platforms: [.linux, .android, .windows, .wasi, .openbsd], traits: ["Crypto"])
let cryptoKit = Target.Dependency.product(name: "Crypto", package: "swift-crypto", condition: withoutCryptoKit)
let cryptoExtrasKit = Target.Dependency.product(
  name: "CryptoExtras", package: "swift-crypto", condition: withoutCryptoKit)
let cryptoExtras = product("CryptoExtras", of: "swift-crypto", "Crypto")

let package = Package(
  name: "mpaaskit",
  platforms: [.macOS(.v15), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
  products: [
    .library(name: "CrashReporter", targets: ["CrashReporter"]),
    .executable(name: "mpaas-runtime-table", targets: ["RuntimeTableTool"]),
    .plugin(name: "RuntimeTable", targets: ["RuntimeTable"]),
    .library(name: "MPaaSFramework", targets: ["MPaaSFramework"]),
    .library(name: "MPaaSHotpatch", targets: ["MPaaSHotpatch", "CHotpatchClient"]),
    .library(name: "MPaaSTrust", targets: ["MPaaSTrust"]),
  ],
  traits: [.trait(name: "Crypto", description: "Compiles swift-crypto: for MPaaSHotpatch and MPaaSTrust")],
  dependencies: [
    .package(path: "packages/swift-crypto")
  ],
  targets: [
    .target(name: "MPaaSFramework", dependencies: ["MPaaSLock", "MPaaSTime"], swiftSettings: strict),

    // What the plug-in of the same name runs: the typed table of a MobileRuntime.plist.
    .executableTarget(
      name: "RuntimeTableTool", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
      swiftSettings: strict),
    .plugin(
      name: "RuntimeTable", capability: .buildTool(), dependencies: ["RuntimeTableTool"], path: "plugins/RuntimeTable"),
    .target(name: "MPaaSConfig", dependencies: ["MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    .target(name: "MPaaSDeclarations", swiftSettings: strict),

    // What catches crashes and writes their reports; what reads and symbolicates them is the command's.
    .target(
      name: "CrashReporter",
      dependencies: ["CCrashHandler", "MPaaSLock", "MPaaSTime", "MPaaSBase", "MPaaSCrashReport"],
      swiftSettings: strict),
    .target(name: "MPaaSCrashReport", dependencies: ["MPaaSBase"], swiftSettings: strict),

    .target(
      name: "MPaaSHotpatch",
      dependencies: [
        "MPaaSVerification", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CHotpatchClient", "CLua",
      ],
      swiftSettings: strict),
    .target(name: "MPaaSAge", dependencies: ["MPaaSSupport", cryptoKit], swiftSettings: strict),
    .target(
      name: "MPaaSVerification",
      dependencies: [
        "MPaaSAge", "MPaaSTransfer", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", cryptoKit,
        cryptoExtrasKit,
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSTrust", dependencies: ["MPaaSVerification", "MPaaSSupport", crypto, cryptoExtras],
      swiftSettings: strict),
    .target(
      name: "MPaaSTransfer",
      dependencies: ["MPaaSSQLite", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CCurl"],
      swiftSettings: strict),
    .target(
      name: "MPaaSSQLite", dependencies: ["MPaaSSupport", "MPaaSTime", "CSQLite", cryptoKit], swiftSettings: strict),
    .target(name: "MPaaSDigests", dependencies: ["MPaaSSupport", cryptoKit], swiftSettings: strict),
    .target(name: "MPaaSSupport", dependencies: ["MPaaSLock", "MPaaSBase"], swiftSettings: strict),
    .target(name: "MPaaSBase", dependencies: ["MPaaSLock"], swiftSettings: strict),
    .target(name: "MPaaSTime", swiftSettings: strict),
    .target(name: "MPaaSLock", dependencies: ["CAtomicWord"], swiftSettings: strict),

    // C: system libraries, and thin shims over them
    systemLibrary("CLibunwind", apt: "libunwind-dev", brew: "libunwind"),
    .target(
      name: "CUnwind", dependencies: ["CLibunwind"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CAtomicWord"),
    .target(name: "CHotpatchClient"),
    .target(name: "CLua", linkerSettings: [archive("lua5.4"), .linkedLibrary("m")]),
    .target(
      name: "CCrashHandler", dependencies: ["CUnwind"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CSQLite", linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
  ],
  cxxLanguageStandard: .cxx17
)

// As in the repository's own manifest: what Apple's privacy reports ask of libraries goes into apps with them.
for target in package.targets
where target.name == "MPaaSTransfer"
  || package.products.contains(where: { $0 is Product.Library && $0.name == target.name })
{
  #if os(macOS)
    target.resources = (target.resources ?? []) + [.process("PrivacyInfo.xcprivacy")]
  #else
    target.exclude.append("PrivacyInfo.xcprivacy")
  #endif
}
