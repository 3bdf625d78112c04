// swift-tools-version: 6.2
// The kit's libraries as `make install` puts them under share/mpaas: what apps link, and plug-ins with their tools.
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
    .executable(name: "mpaas-dao-compile", targets: ["DAOTool"]),
    .executable(name: "mpaas-flag-keys", targets: ["FlagKeysTool"]),
    .plugin(name: "RuntimeTable", targets: ["RuntimeTable"]),
    .plugin(name: "DAO", targets: ["DAO"]),
    .plugin(name: "FlagKeys", targets: ["FlagKeys"]),
    .library(name: "MPaaSFramework", targets: ["MPaaSFramework"]),
    .library(name: "MPaaSHotpatch", targets: ["MPaaSHotpatch", "CHotpatchClient"]),
    .library(name: "MPaaSFlags", targets: ["MPaaSFlags"]),
    .library(name: "MPaaSPinyin", targets: ["MPaaSPinyin"]),
    .library(name: "MPaaSTheme", targets: ["MPaaSTheme"]),
    .library(name: "MPaaSLogs", targets: ["MPaaSLogs", "CAppLog"]),
    .library(name: "MPaaSLogUpload", targets: ["MPaaSLogUpload"]),
    .library(name: "MPaaSStorage", targets: ["MPaaSStorage"]),
    .library(name: "MPaaSAppServices", targets: ["MPaaSAppServices"]),
    .library(name: "MPaaSRecords", targets: ["MPaaSRecords"]),
    .library(name: "MPaaSRPC", targets: ["MPaaSRPC"]),
    .library(name: "MPaaSSecurity", targets: ["MPaaSSecurity", "CSecurity"]),
    .library(name: "MPaaSPerformance", targets: ["MPaaSPerformance"]),
    .library(name: "MPaaSSigning", targets: ["MPaaSSigning"]),
    .library(name: "MPaaSTransfer", targets: ["MPaaSTransfer"]),
    .library(name: "MPaaSDAO", targets: ["MPaaSDAO"]),
    .library(name: "MPaaSDAORuntime", targets: ["MPaaSDAORuntime"]),
    .library(name: "MPaaSTrust", targets: ["MPaaSTrust"]),
  ],
  traits: [.trait(name: "Crypto", description: "Compiles swift-crypto: for all that signs or encrypts")],
  dependencies: [
    .package(path: "packages/swift-crypto")
  ],
  targets: [
    .target(name: "MPaaSFramework", dependencies: ["MPaaSLock", "MPaaSTime"], swiftSettings: strict),

    // The program of the plug-in of the same name: the typed table of a MobileRuntime.plist.
    .executableTarget(
      name: "RuntimeTableTool", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
      swiftSettings: strict),
    .plugin(
      name: "RuntimeTable", capability: .buildTool(), dependencies: ["RuntimeTableTool"], path: "plugins/RuntimeTable"),
    // For the plug-in DAO: classes of DAO documents.
    .executableTarget(
      name: "DAOTool", dependencies: ["MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    // For the plug-in FlagKeys: an enumeration of flags.
    .executableTarget(
      name: "FlagKeysTool", dependencies: ["MPaaSFlagTools", "MPaaSFlags", "MPaaSSupport"], swiftSettings: strict),
    .plugin(name: "DAO", capability: .buildTool(), dependencies: ["DAOTool"], path: "plugins/DAO"),
    .plugin(name: "FlagKeys", capability: .buildTool(), dependencies: ["FlagKeysTool"], path: "plugins/FlagKeys"),
    .target(name: "MPaaSConfig", dependencies: ["MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    .target(name: "MPaaSDeclarations", swiftSettings: strict),

    // The library catches crashes and writes their reports; the command reads and symbolicates them.
    .target(
      name: "CrashReporter",
      dependencies: ["CCrashHandler", "MPaaSLock", "MPaaSTime", "MPaaSBase", "MPaaSCrashReport"],
      swiftSettings: strict),
    .target(name: "MPaaSCrashReport", dependencies: ["MPaaSBase"], swiftSettings: strict),
    .target(
      name: "MPaaSPerformance", dependencies: ["CPerformance", "CrashReporter", "MPaaSBase", "MPaaSLock", "MPaaSTime"],
      swiftSettings: strict),

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

    .target(
      name: "MPaaSTheme", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSPinyin", dependencies: ["MPaaSLock", "MPaaSSupport", "CAtomicWord", "CPinyinData"],
      swiftSettings: strict),
    .target(
      name: "MPaaSRPC",
      dependencies: [
        "MPaaSFramework", "MPaaSSigning", "MPaaSTransfer", "MPaaSSQLite", "MPaaSDigests", "MPaaSJSON", "MPaaSXML",
        "MPaaSLock", "MPaaSRandom", "MPaaSSupport", "MPaaSTime", "CContentCoding",
      ],
      swiftSettings: strict),
    // Checks at run time: debuggers, foreign code, hooks.
    .target(
      name: "MPaaSSecurity", dependencies: ["CSecurity", "MPaaSDigests", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSSigning",
      dependencies: ["MPaaSVerification", "MPaaSDigests", "MPaaSSupport", cryptoKit, cryptoExtrasKit],
      swiftSettings: strict),
    .target(name: "MPaaSJSON", dependencies: ["MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSFlags", dependencies: ["MPaaSBuckets", "MPaaSPattern", "MPaaSLock", "MPaaSSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSFlagTools", dependencies: ["MPaaSDeclarations", "MPaaSFlags", "MPaaSPattern", "MPaaSSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSAppServices",
      dependencies: [
        "MPaaSFramework", "MPaaSVerification", "MPaaSBuckets", "MPaaSDeltas", "MPaaSDigests", "MPaaSLock",
        "MPaaSSupport", "MPaaSFlags", "MPaaSTransfer", "MPaaSTime", "MPaaSProtocol",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSLogs",
      dependencies: [
        "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CLogRing", "CAppLog", "CLibZstd",
        cryptoKit,
      ],
      swiftSettings: strict, linkerSettings: [archive("zstd")]),
    .target(
      name: "MPaaSLogUpload",
      dependencies: [
        "MPaaSLogs", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime",
        "CLogRing", "MPaaSArchive",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSStorage",
      dependencies: [
        "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CAtomicWord", "CLibCrypto",
        "CLogRing", cryptoKit,
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSRecords", dependencies: ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSDAO",
      dependencies: ["MPaaSDAORuntime", "MPaaSSQLite", "MPaaSSupport", "MPaaSXML", "CSQLite"],
      swiftSettings: strict),
    // What compiled documents link: no XML, no interpreter.
    .target(
      name: "MPaaSDAORuntime",
      dependencies: ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CSQLite", cryptoKit],
      swiftSettings: strict),
    .target(
      name: "MPaaSDAOCompiler", dependencies: ["MPaaSDAO", "MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    .target(name: "MPaaSProtocol", swiftSettings: strict),
    .target(name: "MPaaSArchive", dependencies: ["MPaaSSupport", "CArchive"], swiftSettings: strict),
    .target(
      name: "MPaaSXML", dependencies: ["CExpat"], swiftSettings: strict, linkerSettings: [archive("expat")]),
    .target(
      name: "MPaaSDeltas", dependencies: ["MPaaSSupport", "CLibZstd"], swiftSettings: strict,
      linkerSettings: [archive("zstd")]),
    // The one hash that users and devices are drawn by.
    .target(name: "MPaaSBuckets", swiftSettings: strict),
    // Random numbers that a seed repeats.
    .target(name: "MPaaSRandom", swiftSettings: strict),
    // Regular expressions in linear time, of RE2's language.
    .target(name: "MPaaSPattern", swiftSettings: strict),

    // C: system libraries, and thin shims over them
    systemLibrary("CLibunwind", apt: "libunwind-dev", brew: "libunwind"),
    .target(name: "CProcessMaps"),
    .target(name: "CSecurity", dependencies: ["CProcessMaps"]),
    .target(
      name: "CUnwind", dependencies: ["CLibunwind", "CProcessMaps"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CAtomicWord"),
    .target(name: "CHotpatchClient"),
    .target(name: "CLua", linkerSettings: [archive("lua5.4"), .linkedLibrary("m")]),
    .target(
      name: "CCrashHandler", dependencies: ["CProcessMaps", "CUnwind"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPerformance", dependencies: ["CCrashHandler", "CUnwind"]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    systemLibrary("CExpat", apt: "libexpat1-dev", brew: "expat"),
    systemLibrary("CLibZ", apt: "zlib1g-dev", brew: "zlib"),
    systemLibrary("CLibZstd", apt: "libzstd-dev", brew: "zstd"),
    .target(
      name: "CContentCoding", dependencies: ["CLibZ", "CLibZstd"],
      linkerSettings: [archive("z"), archive("zstd"), .linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CArchive", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPinyinData"),
    .target(name: "CLogRing"),
    .target(name: "CLibCrypto"),
    .target(name: "CAppLog"),
    .target(name: "CSQLite", linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
  ],
  cxxLanguageStandard: .cxx17
)

// As in the repository's own manifest: what Apple's privacy reports ask of libraries goes into apps with them.
for target in package.targets
where package.products.contains(where: { $0 is Product.Library && $0.name == target.name }) {
  #if os(macOS)
    target.resources = (target.resources ?? []) + [.process("PrivacyInfo.xcprivacy")]
  #else
    target.exclude.append("PrivacyInfo.xcprivacy")
  #endif
}
