// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// True where an app has the kit as a dependency: from a repository, or built in the folder of a package of its own.
///
/// Such an app gets the traits that it asks for, and fetches nothing for the others. Who builds the kit gets all of them.
let isDependency =
  Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
  || Context.environment["PWD"].map { folder in
    folder != Context.packageDirectory
      && FileManager.default.fileExists(atPath: folder + "/Package.swift")
  } ?? false

/// Each has what those before it have, so that one is enough: SwiftPM hands several of them to the compiler in an order
/// that differs from one call to the next, and would compile all anew each time.
let traits: Set<Trait> = [
  .trait(
    name: "Crypto",
    description: "Fetches swift-crypto: for MPaaSHotpatch, MPaaSLogs, MPaaSStorage, MPaaSTransfer and MPaaSTrust"),
  .trait(name: "Logging", description: "Fetches swift-log, too: for MPaaSLogHandler"),
  .trait(name: "Network", description: "Fetches SwiftNIO and TOMLKit, too: for MPaaSNetwork"),
  .trait(name: "Server", description: "Fetches what the command and the server need, too"),
  .default(enabledTraits: isDependency ? [] : ["Server"]),
]

/// Settings that every Swift target of ours has.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Settings of tests, which a release build, too, compiles as they stand.
///
/// Optimizing them takes longer than running them. The compiler's front end takes the last word, which options of the call
/// would have otherwise.
let tested = strict + [.unsafeFlags(["-Xfrontend", "-Onone"], .when(configuration: .release))]

/// Settings of what is measured in millions of addresses: release builds optimize it for speed, not for size as the rest.
///
/// No library of apps may have it, since a package with flags of its own cannot be depended on.
let fast = strict + [.unsafeFlags(["-Xfrontend", "-O"], .when(configuration: .release))]

/// What tests crash or look up on purpose, and what the demo shows, keeps its debug information where a release build has
/// none.
let debuggable: SwiftSetting = .unsafeFlags(["-Xfrontend", "-g"], .when(configuration: .release))
/// For the compiler's front end, since `-g` would be taken back.
let clangDebuggable = ["-debug-info-kind=standalone", "-dwarf-version=5"].flatMap { ["-Xclang", $0] }
let debuggableC: CSetting = .unsafeFlags(clangDebuggable, .when(configuration: .release))
let debuggableCxx: CXXSetting = .unsafeFlags(clangDebuggable, .when(configuration: .release))

/// On Linux the C libraries are linked from their static archives: each shared library costs start-up time.
func archive(_ name: String) -> LinkerSetting {
  .linkedLibrary(":lib\(name).a", .when(platforms: [.linux]))
}

/// The commands of a noun and of those beside it, apart from others: they are compiled at the same time, and again only
/// where a capability of theirs has changed.
func commands(_ noun: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: "\(noun)Commands",
    dependencies: ["CommandKit", "MPaaSTerminal", "MPaaSSupport"] + dependencies + [argumentParser],
    swiftSettings: strict)
}

/// Settings that link the programs that users install on Linux: with the Swift runtime and the C++ library inside, and
/// without symbols, as exported ones would keep what nothing calls, and take 1.9 MB by themselves.
///
/// The compiler is not told: what it compiles serves tests and libraries, too. So the runtime's archives that it would
/// have noted in the objects are named here. GNU's linker packs the relocations of addresses (DT_RELR, which glibc 2.36
/// and later read): 2.4 MB less, and a millisecond less at each start. Its script leaves out 3.8 MB of tables for
/// unwinding.
let standalone: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-use-ld=bfd"]
      + ["_FoundationCShims", "_FoundationCollections", "swiftSynchronization"].map { "-l\($0)" }
      // Where scripts/bootstrap puts a link to libstdc++.a: where both are found, the linker takes the shared library,
      // which costs start-up and memory.
      + ["-L\(Context.packageDirectory)/.build/static-libraries", "-Xclang-linker", "-static-libgcc"]
      + [
        "-s", "--gc-sections", "--no-export-dynamic", "-z", "pack-relative-relocs", "-T",
        "\(Context.packageDirectory)/scripts/programs.ld",
      ].flatMap { ["-Xlinker", $0] },
    .when(platforms: [.linux], configuration: .release))
]

func systemLibrary(_ name: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, providers: [.apt([apt]), .brew([brew])])
}

/// A library of another package, which is fetched with a trait and with those that have what it has.
func product(_ name: String, of package: String, _ trait: String) -> Target.Dependency {
  let names = ["Crypto", "Logging", "Network", "Server"]
  return .product(name: name, package: package, condition: .when(traits: Set(names.drop { $0 != trait })))
}

let argumentParser = product("ArgumentParser", of: "swift-argument-parser", "Server")
let crypto = product("Crypto", of: "swift-crypto", "Crypto")
/// The same for what apps link: Apple's systems have CryptoKit and Security, and compile none of it.
let withoutCryptoKit: TargetDependencyCondition? = .when(
  platforms: [.linux, .android, .windows, .wasi, .openbsd], traits: ["Crypto", "Logging", "Network", "Server"])
let cryptoKit = Target.Dependency.product(name: "Crypto", package: "swift-crypto", condition: withoutCryptoKit)
let cryptoExtrasKit = Target.Dependency.product(
  name: "CryptoExtras", package: "swift-crypto", condition: withoutCryptoKit)
let cryptoExtras = product("CryptoExtras", of: "swift-crypto", "Crypto")
let asn1 = product("SwiftASN1", of: "swift-asn1", "Server")
let tomlKit = product("TOMLKit", of: "TOMLKit", "Network")
let nioCore = product("NIOCore", of: "swift-nio", "Network")
let nioPosix = product("NIOPosix", of: "swift-nio", "Network")
let nioEmbedded = product("NIOEmbedded", of: "swift-nio", "Network")
let nioHTTP1 = product("NIOHTTP1", of: "swift-nio", "Network")
let nioHTTP2 = product("NIOHTTP2", of: "swift-nio-http2", "Network")
let nioTLS = product("NIOTLS", of: "swift-nio", "Network")
let nioSSL = product("NIOSSL", of: "swift-nio-ssl", "Network")
let hummingbird = product("Hummingbird", of: "hummingbird", "Server")
let hummingbirdCore = product("HummingbirdCore", of: "hummingbird", "Server")
let httpTypes = product("HTTPTypes", of: "swift-http-types", "Server")
let nioHTTPTypes = product("NIOHTTPTypes", of: "swift-nio-extras", "Server")
let logging = product("Logging", of: "swift-log", "Logging")

/// Apart from the rest, since the compiler gives up on an expression as long as both.
let tests: [Target] = [
  .target(
    name: "MPaaSTestSupport", dependencies: ["MPaaSSupport"], path: "Tests/MPaaSTestSupport",
    swiftSettings: tested),
  .testTarget(name: "MPaaSTimeTests", dependencies: ["MPaaSTime"], swiftSettings: tested),
  .testTarget(name: "MPaaSLockTests", dependencies: ["MPaaSLock"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSYAMLTests", dependencies: ["MPaaSJSON", "MPaaSYAML", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSJSONSchemaTests", dependencies: ["MPaaSJSON", "MPaaSJSONSchema", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSOpenAPITests",
    dependencies: ["MPaaSJSON", "MPaaSJSONSchema", "MPaaSOpenAPI", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSMockServingTests",
    dependencies: ["MPaaSMock", "MPaaSMockServing", "MPaaSTestSupport", nioCore, nioEmbedded],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSMockTests", dependencies: ["MPaaSMock", "MPaaSJSON", "MPaaSLock", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSJSONTests", dependencies: ["MPaaSJSON", "MPaaSSupport"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSCPDTests", dependencies: ["MPaaSCPD", "MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPactTests",
    dependencies: [
      "MPaaSRandom", "MPaaSPact", "MPaaSJSON", "MPaaSPattern", "MPaaSXML", "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPatternTests", dependencies: ["MPaaSPattern", "MPaaSTestSupport"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSFlagsTests",
    dependencies: [
      "MPaaSBuckets", "MPaaSFlags", "MPaaSFlagTools", "MPaaSPattern", "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPushTests",
    dependencies: [
      "MPaaSTimeZones",
      "MPaaSPush", "MPaaSPushServing", "MPaaSProtocol", "MPaaSLock", "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSRPCTests",
    dependencies: [
      "MPaaSRPC", "RPCSubject", "MPaaSFramework", "MPaaSLock", "MPaaSSigning", "MPaaSSupport", "MPaaSTestSupport",
      "MPaaSTime",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPerformanceTests",
    dependencies: [
      "CPerformance", "MPaaSPerformance", "CrashReporter", "HangSubject", "MPaaSCrash", "MPaaSCrashReport",
      "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSecurityTests",
    dependencies: [
      "CSecurity", "MPaaSSecurity", "MPaaSSecurityTools", "MPaaSSymbols", "SecuritySubject", "MPaaSSupport",
      "MPaaSTestSupport", "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSupportTests", dependencies: ["MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSDigestsTests", dependencies: ["MPaaSDigests", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSigningTests", dependencies: ["MPaaSSigning", "MPaaSDigests", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSHARTests", dependencies: ["MPaaSHAR", "MPaaSJSON", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSMockImportTests",
    dependencies: ["MPaaSMockImport", "MPaaSMock", "MPaaSJSON", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSMockRecordingTests",
    dependencies: ["MPaaSMockRecording", "MPaaSMock", "MPaaSHAR", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSGatewayCallsTests",
    dependencies: [
      "MPaaSGatewayCalls", "MPaaSMock", "MPaaSSigning", "MPaaSJSON", "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSArchiveTests", dependencies: ["MPaaSArchive", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSTerminalTests", dependencies: ["MPaaSTerminal", "MPaaSTestSupport", "MPaaSSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSCodeSignatureTests",
    dependencies: ["MPaaSCodeSignature", "MPaaSConfig", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSecretsTests", dependencies: ["MPaaSSecrets", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSymbolsTests",
    dependencies: ["MPaaSSymbols", "MPaaSTransfer", "MPaaSSupport", "MPaaSTestSupport", "MPaaSTransferTools"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSProfileTests",
    dependencies: ["MPaaSProfile", "MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSSamplingTests",
    dependencies: [
      "CUnwind", "HangSubject", "MPaaSCrash", "MPaaSCrashReport", "MPaaSProfile", "MPaaSSampling", "MPaaSSupport",
      "MPaaSSymbols", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSQRCodeTests", dependencies: ["MPaaSQRCode", "MPaaSTestSupport"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSAppPackageTests",
    dependencies: [
      "MPaaSAppPackage", "MPaaSAppPackageTestSupport", "MPaaSDigests", "MPaaSSupport", "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  // Builds that tests of readers, of the server and of the command begin with.
  .target(
    name: "MPaaSAppPackageTestSupport", dependencies: ["MPaaSArchive", "MPaaSSupport"],
    path: "Tests/MPaaSAppPackageTestSupport", swiftSettings: tested),
  .testTarget(
    name: "MPaaSScanTests",
    dependencies: ["MPaaSCodeSignature", "MPaaSScan", "MPaaSSecrets", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSTransferTests",
    dependencies: [
      "MPaaSTransfer", "MPaaSHTTPServer", "TransferSubject", "MPaaSSupport", "MPaaSTestSupport", crypto,
      "MPaaSTransferTools",
    ],
    swiftSettings: tested),
  // A bucket that fails as a test says, for tests of objects and of the server.
  .target(
    name: "MPaaSObjectStoreTestSupport", dependencies: ["MPaaSTestSupport"], path: "Tests/MPaaSObjectStoreTestSupport",
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSObjectStoreTests",
    dependencies: [
      "MPaaSObjectStore", "MPaaSObjectStoreTestSupport", "MPaaSDigests", "MPaaSTransfer", "MPaaSSupport",
      "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSCrashReportTests", dependencies: ["MPaaSCrashReport", "MPaaSBase", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSCrashTests",
    dependencies: [
      "MPaaSCrash", "MPaaSProfile", "MPaaSSymbols", "MPaaSSupport", "MPaaSTestSupport", "MPaaSCrashReport",
      "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSTrustTests",
    dependencies: [
      "MPaaSAge", "MPaaSVerification", "MPaaSTrust", "MPaaSTrustTools", "MPaaSTransfer", "MPaaSSupport",
      "MPaaSTestSupport", crypto,
      cryptoExtras,
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSTrustToolsTests",
    dependencies: [
      "MPaaSTrustTools", "MPaaSTrust", "MPaaSHTTPServer", "MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport",
      "MPaaSTransferTools",
    ],
    swiftSettings: tested),
  // The bundles, rollouts and repositories that tests of the client and of its tools begin with.
  .target(
    name: "MPaaSHotpatchTestSupport",
    dependencies: [
      "MPaaSHotpatch", "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDigests", "MPaaSSupport",
      "MPaaSTestSupport",
    ],
    path: "Tests/MPaaSHotpatchTestSupport", swiftSettings: tested),
  .testTarget(
    name: "MPaaSHotpatchTests",
    dependencies: [
      "MPaaSHotpatch", "MPaaSHotpatchTools", "HotpatchSubject", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDigests",
      "MPaaSSupport", "MPaaSTestSupport", crypto, "CHotpatchClient", "MPaaSLock", "MPaaSHotpatchTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSHotpatchToolsTests",
    dependencies: [
      "MPaaSHotpatchTools", "MPaaSArchive", "MPaaSHotpatch", "MPaaSProtocol", "MPaaSTrust", "MPaaSSupport",
      "MPaaSTestSupport", "MPaaSToolSupport", "MPaaSHotpatchTestSupport", "MPaaSTrustTools",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSKitUpdateTests",
    dependencies: [
      "MPaaSKitUpdate", "MPaaSArchive", "MPaaSDigests", "MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport",
      "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "CLibZstd",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSTOMLTests", dependencies: ["MPaaSTOML", "MPaaSSupport", "MPaaSTestSupport"], swiftSettings: tested),
  // Signed registries of modules, for tests of modules, of the server and of the command.
  .target(
    name: "MPaaSModulesTestSupport",
    dependencies: [
      "MPaaSModules", "MPaaSModuleTools", "MPaaSArchive", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSupport",
      "MPaaSTestSupport",
    ],
    path: "Tests/MPaaSModulesTestSupport", swiftSettings: tested),
  .testTarget(
    name: "MPaaSModulesTests",
    dependencies: [
      "MPaaSModules", "MPaaSModuleTools", "MPaaSModulesTestSupport", "MPaaSArchive", "DownloadSubject", "StoreSubject",
      "MPaaSTrust", "MPaaSTrustTools", "MPaaSTransfer",
      "MPaaSTOML", "MPaaSDigests", "MPaaSSupport", "MPaaSTestSupport", crypto, "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSFrameworkTests", dependencies: ["MPaaSFramework", "MPaaSTerminal", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSDeclarationsTests", dependencies: ["MPaaSDeclarations", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSConfigTests", dependencies: ["MPaaSConfig", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSThemeTests", dependencies: ["MPaaSTheme", "MPaaSConfig", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSDAOTests",
    dependencies: ["MPaaSDAO", "MPaaSSQLite", "MPaaSStorage", "MPaaSSupport", "MPaaSTestSupport", "MPaaSXML"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSDAOCompilerTests",
    dependencies: ["MPaaSDAOCompiler", "MPaaSDAO", "MPaaSDeclarations", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSLanguagesTests", dependencies: ["MPaaSLanguages", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSProjectTests",
    dependencies: [
      "MPaaSProject", "MPaaSArchive", "MPaaSConfig", "MPaaSDeclarations", "MPaaSJSON", "MPaaSJSONSchema",
      "MPaaSOpenAPI", "MPaaSProfile", "MPaaSSupport",
      "MPaaSTestSupport", "MPaaSModules", "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPipelinesTests",
    dependencies: [
      "MPaaSPipelines", "MPaaSModules", "MPaaSProject", "MPaaSSymbols", "MPaaSTransfer", "MPaaSSupport",
      "MPaaSTestSupport", "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSPinyinTests", dependencies: ["MPaaSPinyin", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  // Apart from what supports all tests, so that a change of it compiles few of them again.
  .target(
    name: "MPaaSDatabaseTestSupport", dependencies: ["MPaaSDatabase", "MPaaSTestSupport"],
    path: "Tests/MPaaSDatabaseTestSupport",
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSDatabaseTests",
    dependencies: ["MPaaSDatabase", "MPaaSDatabaseTestSupport", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSSQLiteTests", dependencies: ["MPaaSSQLite", "MPaaSSupport", "MPaaSTestSupport", "MPaaSTime"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSStorageTests",
    dependencies: ["MPaaSAge", "MPaaSStorage", "MPaaSTime", "MPaaSSupport", "MPaaSTestSupport"], swiftSettings: tested
  ),
  .testTarget(
    name: "MPaaSStorageImportTests",
    dependencies: ["MPaaSStorageImport", "MPaaSStorage", "MPaaSConfig", "MPaaSSupport", "MPaaSTestSupport"],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSRecordsTests", dependencies: ["MPaaSRecords", "MPaaSTestSupport"], swiftSettings: tested),
  .testTarget(
    name: "MPaaSAppServicesTests",
    dependencies: [
      "MPaaSAppServices", "MPaaSAppServicesTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSFramework", "MPaaSLock",
      "MPaaSStorage", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSupport", "MPaaSTestSupport",
      "MPaaSFlags", "MPaaSTransfer", "MPaaSTime", "MPaaSProtocol",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSProtocolTests", dependencies: ["MPaaSProtocol"], swiftSettings: tested),
  // Logs and a server for them that tests of the writer, of uploads and of the readers begin with.
  .target(
    name: "MPaaSLogTestSupport",
    dependencies: [
      "MPaaSLogs", "MPaaSLogUpload", "MPaaSTrust", "MPaaSTransfer", "MPaaSProtocol", "MPaaSSupport", crypto,
    ],
    path: "Tests/MPaaSLogTestSupport", swiftSettings: tested),
  .testTarget(
    name: "MPaaSLogsTests",
    dependencies: [
      "MPaaSLogTestSupport", "MPaaSLogs", "MPaaSLogUpload", "MPaaSLogHandler", "MPaaSLogReading", "CAppLog",
      "LogSubject", "MPaaSTrust", "MPaaSTransfer",
      "MPaaSProtocol", "MPaaSSupport", "MPaaSTestSupport", crypto, cryptoExtras, logging,
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSLogReadingTests",
    dependencies: [
      "MPaaSLogTestSupport", "MPaaSLogReading", "MPaaSLogUpload", "MPaaSLogs", "CLogScan", "MPaaSTrust",
      "MPaaSTransfer", "MPaaSProtocol", "MPaaSSupport", "MPaaSTestSupport", "MPaaSToolSupport", "MPaaSTime",
      "MPaaSArchive",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSServerTests",
    dependencies: [
      "MPaaSAppServices",
      "MPaaSServer", "MPaaSAppPackageTestSupport", "TransferSubject", "MPaaSCrash", "MPaaSLogReading", "MPaaSLogUpload",
      "MPaaSLogs",
      "MPaaSDigests", "MPaaSTerminal",
      "MPaaSTransfer", "MPaaSProtocol", "MPaaSDatabase", "MPaaSDatabaseTestSupport", "MPaaSSupport",
      "MPaaSTestSupport", httpTypes, nioCore, nioPosix, nioHTTP1, nioHTTPTypes, nioSSL, nioEmbedded, crypto,
      cryptoExtras, "MPaaSFlagTools", "MPaaSFlags", "MPaaSObjectStoreTestSupport", "MPaaSPush", "MPaaSPushServing",
      "MPaaSModules", "MPaaSModulesTestSupport", "MPaaSArchive",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "MPaaSNetworkTests",
    dependencies: [
      "MPaaSNetwork", "MPaaSNetworkConditions", "MPaaSSupport", "MPaaSTestSupport", nioCore, nioPosix, nioHTTP1,
      nioHTTP2, nioSSL, nioEmbedded, "MPaaSToolSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "CrashReporterTests",
    dependencies: [
      "CrashReporter", "MPaaSCrash", "MPaaSSupport", "MPaaSTestSupport", "MPaaSCrashReport", "MPaaSSymbols",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "CommandKitTests", dependencies: ["CommandKit", "MPaaSTerminal", argumentParser],
    swiftSettings: tested),
  // Not dependent on the programs that it starts: it would be linked as they are. They are built with all tests.
  .testTarget(
    name: "CommandTests",
    dependencies: [
      "OrderBook", "StoreSubject", "MPaaSAppPackageTestSupport", "MPaaSModulesTestSupport", "MPaaSArchive",
      "MPaaSTestSupport",
    ],
    swiftSettings: tested),
  // The commands' definitions without the programs: what parses, and what their help has.
  .testTarget(
    name: "CommandDefinitionTests",
    dependencies: ["CommandKit", "MPaaSCommands", "MPaaSTerminal", argumentParser],
    swiftSettings: tested),
  .testTarget(name: "ArchitectureTests", dependencies: ["MPaaSTestSupport"], swiftSettings: tested),
]

let package = Package(
  name: "mpaaskit",
  defaultLocalization: "en",
  // What apps link is written for macOS 13, too, and checked for it; the command and the proxies need macOS 15.
  platforms: [.macOS(.v15), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
  products: [
    .executable(name: "mpaas", targets: ["mpaas"]),
    .executable(name: "mpaas-server", targets: ["mpaas-server"]),
    .executable(name: "orderbook", targets: ["OrderBook"]),
    .library(name: "CrashReporter", targets: ["CrashReporter"]),
    .executable(name: "mpaas-runtime-table", targets: ["RuntimeTableTool"]),
    .library(name: "MPaaSFlags", targets: ["MPaaSFlags"]),
    .library(name: "MPaaSFramework", targets: ["MPaaSFramework"]),
    .library(name: "MPaaSPinyin", targets: ["MPaaSPinyin"]),
    .library(name: "MPaaSTheme", targets: ["MPaaSTheme"]),
    .library(name: "MPaaSLogs", targets: ["MPaaSLogs", "CAppLog"]),
    .library(name: "MPaaSLogUpload", targets: ["MPaaSLogUpload"]),
    .library(name: "MPaaSLogHandler", targets: ["MPaaSLogHandler"]),
    .library(name: "MPaaSStorage", targets: ["MPaaSStorage"]),
    .library(name: "MPaaSAppServices", targets: ["MPaaSAppServices"]),
    .library(name: "MPaaSRecords", targets: ["MPaaSRecords"]),
    .library(name: "MPaaSSigning", targets: ["MPaaSSigning"]),
    .library(name: "MPaaSRPC", targets: ["MPaaSRPC"]),
    .library(name: "MPaaSSecurity", targets: ["MPaaSSecurity", "CSecurity"]),
    .library(name: "MPaaSPerformance", targets: ["MPaaSPerformance"]),
    .library(name: "MPaaSTransfer", targets: ["MPaaSTransfer"]),
    .library(name: "MPaaSDAO", targets: ["MPaaSDAO"]),
    .library(name: "MPaaSDAORuntime", targets: ["MPaaSDAORuntime"]),
    .executable(name: "mpaas-dao-compile", targets: ["DAOTool"]),
    .executable(name: "mpaas-flag-keys", targets: ["FlagKeysTool"]),
    .library(name: "MPaaSNetwork", targets: ["MPaaSNetwork"]),
    .library(name: "MPaaSHotpatch", targets: ["MPaaSHotpatch", "CHotpatchClient"]),
    .library(name: "MPaaSTrust", targets: ["MPaaSTrust"]),
  ],
  traits: traits,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    // Without its traits it does with the parts of Foundation that need no ICU.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
  ],
  targets: [
    // Programs
    .executableTarget(
      name: "mpaas", dependencies: ["CommandKit", "MPaaSCommands", "MPaaSSupport"], swiftSettings: strict,
      linkerSettings: standalone),
    .executableTarget(
      name: "mpaas-server", dependencies: ["MPaaSServer", "MPaaSServing", "MPaaSSupport", "ServingKit"],
      swiftSettings: strict, linkerSettings: standalone),
    .target(name: "COrderBook", publicHeadersPath: "include", cSettings: [debuggableC]),
    // Optimised in debug builds too, as apps are when they crash in the field: the demo shows inlined calls.
    .executableTarget(
      name: "OrderBook",
      dependencies: ["CrashReporter", "COrderBook", "MPaaSHotpatch", "MPaaSPerformance", "MPaaSTrust"],
      swiftSettings: strict + [.unsafeFlags(["-O"]), debuggable]),

    // For the plug-in RuntimeTable: the typed table of a MobileRuntime.plist.
    .executableTarget(
      name: "RuntimeTableTool", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
      swiftSettings: strict),

    // For the plug-in DAO: classes of DAO documents.
    .executableTarget(
      name: "DAOTool", dependencies: ["MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),

    // For the plug-in FlagKeys: an enumeration of flags.
    .executableTarget(
      name: "FlagKeysTool", dependencies: ["MPaaSFlagTools", "MPaaSFlags", "MPaaSSupport"], swiftSettings: strict),

    // For the plug-in CatalogueTexts: the catalog's texts as literals.
    .executableTarget(name: "CatalogueTool", swiftSettings: strict),
    .plugin(
      name: "CatalogueTexts", capability: .buildTool(), dependencies: ["CatalogueTool"], path: "plugins/CatalogueTexts"),

    // Surfaces
    .target(
      name: "CommandKit",
      dependencies: ["ServingKit", "MPaaSTerminal", "MPaaSSupport", argumentParser, "MPaaSToolSupport"],
      swiftSettings: strict),
    // What both programs have: the context, and the work that one hands to the other.
    .target(name: "ServingKit", dependencies: ["MPaaSTerminal", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "NetworkServingKit",
      dependencies: ["ServingKit", "MPaaSNetworkConditions", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport"],
      swiftSettings: strict),
    .target(
      name: "PinyinServingKit", dependencies: ["ServingKit", "MPaaSPinyin", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "PushServingKit",
      dependencies: ["ServingKit", "MPaaSPush", "MPaaSProtocol", "MPaaSTerminal", "MPaaSSupport"],
      swiftSettings: strict),
    .target(name: "MockServingKit", dependencies: ["ServingKit"], swiftSettings: strict),
    commands(
      "Kit",
      [
        "MPaaSArchive", "MPaaSCrash", "MPaaSDemo", "MPaaSKitUpdate", "MPaaSNetworkConditions", "MPaaSProtocol",
        "MPaaSObjectStore", "MPaaSSymbols", "MPaaSToolSupport", "MPaaSTransfer", "MPaaSTransferTools",
      ]),
    commands("Key", ["MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport"]),
    commands(
      "Log",
      [
        "KeyCommands", "MPaaSLogReading", "MPaaSLogUpload", "MPaaSLogs", "MPaaSNetworkConditions", "MPaaSProtocol",
        "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSCrashReport", "MPaaSToolSupport",
        "MPaaSTransferTools", "MPaaSArchive",
      ]),
    commands(
      "Crash",
      [
        "LogCommands", "ServingKit", "MPaaSCrash", "MPaaSLogReading", "MPaaSLogUpload",
        "MPaaSNetworkConditions", "MPaaSProfile", "MPaaSProtocol", "MPaaSSymbols", "MPaaSTransfer", "MPaaSCrashReport",
        "MPaaSToolSupport", "MPaaSTime",
      ]),
    commands(
      "Module",
      [
        "KeyCommands", "ProjectCommands", "ServingKit", "MPaaSArchive", "MPaaSModules", "MPaaSModuleTools",
        "MPaaSObjectStore", "MPaaSProject", "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport",
        "MPaaSTransferTools",
      ]),
    commands(
      "Hotpatch",
      [
        "KeyCommands", "LogCommands", "MPaaSAppServicesTools", "MPaaSHotpatch", "MPaaSHotpatchTools",
        "MPaaSLogReading", "MPaaSLogUpload", "MPaaSNetworkConditions", "MPaaSProtocol", "MPaaSTime", "MPaaSTrust",
        "MPaaSTrustTools", "MPaaSToolSupport",
      ]),
    commands("Network", ["NetworkServingKit", "MPaaSNetworkConditions", "MPaaSTransfer", "MPaaSToolSupport"]),
    commands("Pinyin", ["PinyinServingKit", "MPaaSPinyin"]),
    commands("DAO", ["MPaaSDAO", "MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSProject", "MPaaSSQLite"]),
    commands(
      "Project",
      ["KeyCommands", "MPaaSJSON", "MPaaSProject", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport"]),
    commands(
      "CI",
      [
        "ModuleCommands", "ProjectCommands", "MPaaSModules", "MPaaSPipelines", "MPaaSProject", "MPaaSSymbols",
        "MPaaSTransfer",
      ]),
    commands(
      "Config",
      [
        "MPaaSConfig", "MPaaSLanguages", "MPaaSProfile", "MPaaSProject", "MPaaSTheme", "MPaaSTransfer",
        "MPaaSToolSupport",
      ]),
    commands(
      "Perf",
      [
        "CrashCommands", "MPaaSCrash", "MPaaSCrashReport", "MPaaSNetworkConditions", "MPaaSProfile", "MPaaSProject",
        "MPaaSSampling", "MPaaSToolSupport",
      ]),
    commands("Security", ["MPaaSSecurity", "MPaaSSecurityTools", "MPaaSToolSupport"]),
    commands("CPD", ["MPaaSCPD", "MPaaSToolSupport"]),
    commands("RPC", ["KeyCommands", "MPaaSConfig", "MPaaSRPC", "MPaaSSigning", "MPaaSTrust", "MPaaSTrustTools"]),
    commands(
      "Gateway",
      [
        "ConfigCommands", "MockServingKit", "MPaaSConfig", "MPaaSJSON", "MPaaSNetworkConditions", "MPaaSOpenAPI",
        "MPaaSPact", "MPaaSPattern", "MPaaSRandom", "MPaaSTime", "MPaaSTransfer",
      ]),
    commands(
      "Scan", ["MPaaSCodeSignature", "MPaaSModules", "MPaaSScan", "MPaaSSecrets", "MPaaSToolSupport"]),
    commands("Storage", ["MPaaSSQLite", "MPaaSStorage", "MPaaSStorageImport"]),
    commands(
      "Flag",
      [
        "KeyCommands", "LogCommands", "MPaaSAppServices", "MPaaSFlagPublishing", "MPaaSFlagTools", "MPaaSFlags",
        "MPaaSLogUpload", "MPaaSProtocol", "MPaaSToolSupport", "MPaaSTrust", "MPaaSTrustTools",
      ]),
    commands(
      "Service",
      [
        "KeyCommands", "MPaaSAppServices", "MPaaSAppServicesTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSHotpatch",
        "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools", "MPaaSPush", "PushServingKit", "LogCommands",
        "MPaaSLogUpload", "MPaaSProtocol", "MPaaSToolSupport",
      ]),
    .target(
      name: "MPaaSCommands",
      dependencies: [
        "CICommands", "CPDCommands", "CommandKit", "ConfigCommands", "CrashCommands", "DAOCommands", "FlagCommands",
        "GatewayCommands", "HotpatchCommands", "KeyCommands", "KitCommands", "LogCommands", "ModuleCommands",
        "NetworkCommands", "PerfCommands", "PinyinCommands", "ProjectCommands", "RPCCommands", "ScanCommands",
        "SecurityCommands", "ServiceCommands", "StorageCommands", argumentParser,
      ],
      swiftSettings: strict),

    // What the second program does for commands that serve or proxy; `mpaas` holds nothing of it.
    .target(
      name: "MPaaSServing",
      dependencies: [
        "NetworkServingKit", "PinyinServingKit", "ServingKit", "MPaaSHTTPServer", "MPaaSNetwork", "MPaaSPinyin",
        "MPaaSSymbols", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransferTools",
        "MPaaSPush", "MPaaSPushServing", "PushServingKit", "MPaaSProtocol", "MPaaSTransfer",
        "MPaaSGatewayCalls", "MPaaSHAR", "MPaaSJSON", "MPaaSMock", "MPaaSMockImport", "MPaaSMockRecording",
        "MPaaSMockServing", "MPaaSOpenAPI", "MPaaSPact", "MPaaSLock", "MPaaSSigning", "MockServingKit",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSServer",
      dependencies: [
        "MPaaSAppPackage", "MPaaSQRCode", "MPaaSTimeZones", "MPaaSArchive",
        "MPaaSCrash", "MPaaSSymbols", "MPaaSTerminal", "MPaaSProtocol", "MPaaSDatabase", "MPaaSDigests", "MPaaSSupport",
        "CCompression", hummingbird, hummingbirdCore, httpTypes, logging, nioCore, nioPosix, nioHTTPTypes, nioSSL,
        "MPaaSCrashReport", "MPaaSToolSupport", "MPaaSFlags", "MPaaSFlagTools", "MPaaSPush",
        "MPaaSObjectStore", "MPaaSPushServing", "MPaaSTransfer", "MPaaSTransferTools", crypto, cryptoExtras,
        "MPaaSModules",
      ],
      swiftSettings: strict),

    // Presentation
    .target(
      name: "MPaaSTerminal", dependencies: ["MPaaSSupport", "MPaaSToolSupport"], exclude: ["Catalogue/Texts"],
      swiftSettings: strict,
      plugins: isDependency ? [] : ["CatalogueTexts"]),

    // Capabilities
    // Copied code, found by tokens; millions of lines in one call.
    .target(name: "MPaaSCPD", dependencies: ["MPaaSSupport", "MPaaSToolSupport"], swiftSettings: fast),
    .target(name: "MPaaSDemo", dependencies: ["MPaaSSupport", "MPaaSToolSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSKitUpdate",
      dependencies: [
        "MPaaSArchive", "MPaaSDeltas", "MPaaSDigests", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransfer",
        "MPaaSTrust",
      ],
      swiftSettings: strict),
    // Descriptions of calls by OpenAPI: model, checks, answers.
    .target(
      name: "MPaaSOpenAPI",
      dependencies: [
        "MPaaSRandom", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSPattern", "MPaaSYAML", "MPaaSLock", "MPaaSSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSPipelines",
      dependencies: [
        "MPaaSDigests", "MPaaSModules", "MPaaSProject", "MPaaSSymbols", "MPaaSTOML", "MPaaSTransfer", "MPaaSSupport",
        "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSProject",
      dependencies: [
        "MPaaSArchive", "MPaaSConfig", "MPaaSDeclarations", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSModules",
        "MPaaSOpenAPI", "MPaaSPinyin", "MPaaSProfile", "MPaaSTOML", "MPaaSSupport", "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    .target(name: "MPaaSConfig", dependencies: ["MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSTheme", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"], swiftSettings: strict),
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
    .target(
      name: "MPaaSLanguages", dependencies: ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport", "MPaaSToolSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSFlags", dependencies: ["MPaaSBuckets", "MPaaSPattern", "MPaaSLock", "MPaaSSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSFlagTools", dependencies: ["MPaaSDeclarations", "MPaaSFlags", "MPaaSPattern", "MPaaSSupport"],
      swiftSettings: strict),
    // What speaks to a server and signs, apart from what the build plug-in's tool links.
    .target(
      name: "MPaaSFlagPublishing",
      dependencies: [
        "MPaaSAppServices", "MPaaSFlagTools", "MPaaSFlags", "MPaaSLock", "MPaaSLogUpload", "MPaaSLogs", "MPaaSProtocol",
        "MPaaSTime", "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSupport",
      ],
      swiftSettings: strict),
    .target(name: "MPaaSFramework", dependencies: ["MPaaSLock", "MPaaSTime"], swiftSettings: strict),
    .target(
      name: "MPaaSPinyin", dependencies: ["MPaaSLock", "MPaaSSupport", "CAtomicWord", "CPinyinData"],
      swiftSettings: strict),
    .target(
      name: "MPaaSNetworkConditions",
      dependencies: ["MPaaSRandom", "MPaaSTOML", "MPaaSSupport", "CTunnel", "MPaaSToolSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSNetwork",
      dependencies: [
        "MPaaSRandom",
        "MPaaSNetworkConditions", "MPaaSTOML", "MPaaSSupport", "CTunnel", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL,
        "MPaaSToolSupport",
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
      name: "MPaaSLogReading",
      dependencies: [
        "MPaaSLogs", "MPaaSLogUpload", "MPaaSTrust", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests",
        "MPaaSSupport", "MPaaSTime", "CLogScan", "CCompression", "CLibZ", "CLibZstd", crypto, cryptoExtras,
        "MPaaSToolSupport", "MPaaSArchive",
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
      name: "MPaaSAppServices",
      dependencies: [
        "MPaaSFramework", "MPaaSVerification", "MPaaSBuckets", "MPaaSDeltas", "MPaaSDigests", "MPaaSLock",
        "MPaaSSupport", "MPaaSFlags", "MPaaSTransfer", "MPaaSTime", "MPaaSProtocol",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSAppServicesTools",
      dependencies: [
        "MPaaSAppServices", "MPaaSXML", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDeltas", "MPaaSDigests",
        "MPaaSSupport", "MPaaSLogs", "MPaaSLogUpload", "MPaaSProtocol", "MPaaSTransfer",
      ],
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
    // The same from outside of the process, and the data of apps.
    .target(
      name: "MPaaSSecurityTools",
      dependencies: [
        "CProcessMaps", "CSecurity", "CUnwind", "MPaaSSecurity", "MPaaSSymbols", "MPaaSSupport", "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSPush",
      dependencies: ["MPaaSTimeZones", "MPaaSLock", "MPaaSProtocol", "MPaaSSupport", crypto, cryptoExtras],
      swiftSettings: strict),
    // Connections to providers, and their double; the only part of notifications that knows SwiftNIO.
    .target(
      name: "MPaaSPushServing",
      dependencies: ["MPaaSPush", "MPaaSLock", "MPaaSSupport", nioCore, nioPosix, nioHTTP2, nioSSL],
      swiftSettings: strict),
    .target(
      name: "MPaaSStorageImport", dependencies: ["MPaaSConfig", "MPaaSStorage", "MPaaSSupport", crypto, cryptoExtras],
      swiftSettings: strict),
    .target(
      name: "MPaaSRecords", dependencies: ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport"], swiftSettings: strict),
    .target(name: "MPaaSLogHandler", dependencies: ["MPaaSLogs", logging], swiftSettings: strict),
    .target(
      name: "MPaaSModules",
      dependencies: [
        "MPaaSVerification", "MPaaSTransfer", "MPaaSTOML", "MPaaSDigests", "MPaaSSupport", "MPaaSArchive", "CFileTree",
        "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    // The publisher's side of modules, with keys that sign.
    .target(
      name: "MPaaSModuleTools",
      dependencies: [
        "MPaaSModules", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSymbols", "MPaaSTOML", "MPaaSDigests", "MPaaSSupport",
        "MPaaSArchive",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSHotpatch",
      dependencies: [
        "MPaaSVerification", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CHotpatchClient", "CLua",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSHotpatchTools",
      dependencies: [
        "MPaaSArchive", "MPaaSHotpatch", "MPaaSProtocol", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDigests",
        "MPaaSSupport", "MPaaSTime", "CLua", crypto, cryptoExtras, "MPaaSToolSupport",
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
      name: "MPaaSSigning",
      dependencies: ["MPaaSVerification", "MPaaSDigests", "MPaaSSupport", cryptoKit, cryptoExtrasKit],
      swiftSettings: strict),
    .target(name: "MPaaSHAR", dependencies: ["MPaaSJSON", "MPaaSSupport"], swiftSettings: strict),
    .target(name: "MPaaSMockImport", dependencies: ["MPaaSJSON", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSMockRecording", dependencies: ["MPaaSMock", "MPaaSHAR", "MPaaSLock", "MPaaSSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSGatewayCalls", dependencies: ["MPaaSMock", "MPaaSSigning", "MPaaSJSON", "MPaaSSupport"],
      swiftSettings: strict),
    .target(
      name: "MPaaSTrust", dependencies: ["MPaaSVerification", "MPaaSSupport", crypto, cryptoExtras],
      swiftSettings: strict),
    .target(
      name: "MPaaSTrustTools",
      dependencies: [
        "MPaaSTrust", "MPaaSTransfer", "MPaaSDigests", "MPaaSSupport", asn1, crypto, cryptoExtras, "MPaaSToolSupport",
        "MPaaSObjectStore", "MPaaSTransferTools",
      ],
      swiftSettings: strict),
    .target(
      name: "MPaaSCrash",
      dependencies: [
        "MPaaSArchive", "MPaaSProfile", "MPaaSSymbols", "MPaaSSupport", "CUnwind", "CLibunwind", "CTrace",
        "MPaaSCrashReport", "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    // Code signatures of Mach-O images, seals of bundles, provisioning profiles.
    .target(
      name: "MPaaSCodeSignature",
      dependencies: [
        "MPaaSConfig", "MPaaSDigests", "MPaaSPattern", "MPaaSSupport", asn1, crypto, cryptoExtras,
      ],
      swiftSettings: strict),
    // Sampled stacks: model, file formats, trees, differences; millions of samples in one call.
    .target(
      name: "MPaaSProfile", dependencies: ["MPaaSSupport", "MPaaSToolSupport", "CContentCoding"], swiftSettings: fast),
    // Samples of live processes by events of the kernel or by stops, their memory, and their starts.
    .target(
      name: "MPaaSSampling",
      dependencies: [
        "CPerfEvents", "CProcessMaps", "CTrace", "CUnwind", "MPaaSCrash", "MPaaSCrashReport", "MPaaSProfile",
        "MPaaSSupport", "MPaaSSymbols", "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    // Secrets in files of any kind, by rules in gitleaks' format.
    .target(
      name: "MPaaSSecrets", dependencies: ["MPaaSPattern", "MPaaSTOML", "MPaaSLock", "MPaaSSupport"],
      swiftSettings: fast),
    .target(
      name: "MPaaSSymbols",
      dependencies: [
        "MPaaSTransfer", "MPaaSSupport", "MPaaSArchive", "CCompression", "CLibZ", "CLibLZMA", "CLibZstd", "CDemangle",
        "MPaaSToolSupport", "MPaaSTransferTools",
      ],
      swiftSettings: fast),
    // Finished apps and libraries: facts, findings, lists of parts.
    .target(
      name: "MPaaSScan",
      dependencies: [
        "MPaaSAppPackage", "MPaaSCodeSignature", "MPaaSConfig", "MPaaSDigests", "MPaaSSecrets", "MPaaSSymbols",
        "MPaaSTOML", "MPaaSSupport", "MPaaSToolSupport",
      ],
      swiftSettings: strict),
    // Builds for phones as files: zips by their directories, Android's compiled files, the facts of a build.
    .target(
      name: "MPaaSAppPackage",
      dependencies: ["MPaaSCodeSignature", "MPaaSConfig", "MPaaSDigests", "MPaaSSupport", "CLibZ"],
      swiftSettings: strict),
    // Texts as squares that cameras read.
    .target(name: "MPaaSQRCode", swiftSettings: strict),
    .target(
      name: "MPaaSTransfer",
      dependencies: ["MPaaSSQLite", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CCurl"],
      swiftSettings: strict),
    .target(
      name: "MPaaSTransferTools", dependencies: ["MPaaSTransfer", "MPaaSSupport", "CCurl"], swiftSettings: strict),
    // Objects of buckets that speak S3.
    .target(
      name: "MPaaSObjectStore",
      dependencies: ["MPaaSTransfer", "MPaaSDigests", "MPaaSLock", "MPaaSXML", "MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSHTTPServer", dependencies: ["MPaaSSupport", "CMicroHTTP", "MPaaSTransferTools"],
      swiftSettings: strict),
    .target(name: "MPaaSCrashReport", dependencies: ["MPaaSBase"], swiftSettings: strict),
    // What an app does with its time: hangs, ends, spans.
    .target(
      name: "MPaaSPerformance", dependencies: ["CPerformance", "CrashReporter", "MPaaSBase", "MPaaSLock", "MPaaSTime"],
      swiftSettings: strict),
    .target(
      name: "CrashReporter",
      dependencies: ["CCrashHandler", "MPaaSLock", "MPaaSTime", "MPaaSBase", "MPaaSCrashReport"],
      swiftSettings: strict),

    // Protocol
    .target(name: "MPaaSProtocol", swiftSettings: strict),

    // Support
    .target(
      name: "MPaaSSQLite", dependencies: ["MPaaSSupport", "MPaaSTime", "CSQLite", cryptoKit], swiftSettings: strict),
    .target(
      name: "MPaaSDatabase", dependencies: ["MPaaSSQLite", "MPaaSSupport", "CPostgres"], swiftSettings: strict),
    .target(name: "MPaaSArchive", dependencies: ["MPaaSSupport", "CArchive"], swiftSettings: strict),
    .target(name: "MPaaSDeclarations", swiftSettings: strict),
    // JSON as it was written: places, order, digits.
    .target(name: "MPaaSJSON", dependencies: ["MPaaSSupport"], swiftSettings: strict),
    .target(
      name: "MPaaSYAML", dependencies: ["MPaaSJSON", "MPaaSSupport", "CLibYAML"], swiftSettings: strict,
      linkerSettings: [archive("yaml")]),
    .target(
      name: "MPaaSJSONSchema", dependencies: ["MPaaSJSON", "MPaaSPattern", "MPaaSSupport"], swiftSettings: strict),
    // Contracts between consumers and providers, without connections.
    .target(
      name: "MPaaSPact", dependencies: ["MPaaSRandom", "MPaaSJSON", "MPaaSPattern", "MPaaSXML", "MPaaSSupport"],
      swiftSettings: strict),
    // The mock gateway's server; the only part of it that knows SwiftNIO.
    .target(
      name: "MPaaSMockServing",
      dependencies: [
        "MPaaSMock", "MPaaSPush", "MPaaSLock", "MPaaSSupport", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL, nioTLS,
      ],
      swiftSettings: strict),
    // The mock gateway's matching, templates and state, without a server.
    .target(
      name: "MPaaSMock",
      dependencies: [
        "MPaaSRandom", "MPaaSTimeZones", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSPattern", "MPaaSXML", "MPaaSLock",
        "MPaaSSupport",
      ],
      swiftSettings: strict),
    .target(name: "MPaaSTOML", dependencies: ["MPaaSSupport", tomlKit], swiftSettings: strict),
    .target(
      name: "MPaaSXML", dependencies: ["CExpat"], swiftSettings: strict, linkerSettings: [archive("expat")]),
    .target(
      name: "MPaaSDeltas", dependencies: ["MPaaSSupport", "CLibZstd"], swiftSettings: strict,
      linkerSettings: [archive("zstd")]),
    .target(name: "MPaaSDigests", dependencies: ["MPaaSSupport", cryptoKit], swiftSettings: strict),
    .target(name: "MPaaSToolSupport", dependencies: ["MPaaSSupport", "MPaaSLock"], swiftSettings: strict),
    .target(name: "MPaaSSupport", dependencies: ["MPaaSLock", "MPaaSBase"], swiftSettings: strict),
    .target(name: "MPaaSBase", dependencies: ["MPaaSLock"], swiftSettings: strict),
    .target(name: "MPaaSTime", swiftSettings: strict),
    // The one hash that users and devices are drawn by.
    .target(name: "MPaaSBuckets", swiftSettings: strict),
    // Random numbers that a seed repeats.
    .target(name: "MPaaSRandom", swiftSettings: strict),
    // The system's time zones, without ICU.
    .target(name: "MPaaSTimeZones", dependencies: ["MPaaSLock", "MPaaSSupport"], swiftSettings: strict),
    // Regular expressions in linear time, of RE2's language.
    .target(name: "MPaaSPattern", swiftSettings: strict),
    .target(name: "MPaaSLock", dependencies: ["CAtomicWord"], swiftSettings: strict),

    // C: system libraries, and thin shims over them
    systemLibrary("CLibunwind", apt: "libunwind-dev", brew: "libunwind"),
    systemLibrary("CExpat", apt: "libexpat1-dev", brew: "expat"),
    systemLibrary("CLibYAML", apt: "libyaml-dev", brew: "libyaml"),
    systemLibrary("CLibZ", apt: "zlib1g-dev", brew: "zlib"),
    systemLibrary("CLibLZMA", apt: "liblzma-dev", brew: "xz"),
    systemLibrary("CLibZstd", apt: "libzstd-dev", brew: "zstd"),
    .target(name: "CProcessMaps"),
    .target(name: "CSecurity", dependencies: ["CProcessMaps"]),
    .target(
      name: "CUnwind", dependencies: ["CLibunwind", "CProcessMaps"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CHotpatchClient"),
    .target(name: "CLua", linkerSettings: [archive("lua5.4"), .linkedLibrary("m")]),
    .target(name: "CAtomicWord"),
    .target(name: "CTrace"),
    .target(name: "CPerfEvents", dependencies: ["CUnwind"]),
    .target(
      name: "CCrashHandler", dependencies: ["CProcessMaps", "CUnwind"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPerformance", dependencies: ["CCrashHandler", "CUnwind"]),
    .target(
      name: "CCompression", dependencies: ["CLibZ", "CLibLZMA", "CLibZstd"],
      linkerSettings: [archive("deflate"), archive("z"), archive("lzma"), archive("zstd")]),
    .target(
      name: "CContentCoding", dependencies: ["CLibZ", "CLibZstd"],
      linkerSettings: [archive("z"), archive("zstd"), .linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CArchive", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CFileTree"),
    .target(name: "CDemangle"),
    .target(name: "CPinyinData"),
    .target(name: "CTunnel"),
    .target(name: "CSQLite", linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
    .target(name: "CLogRing"),
    .target(name: "CLogScan"),
    .target(name: "CLibCrypto"),
    .target(name: "CAppLog"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CMicroHTTP", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

    // The programs that crash on purpose, as built and optimised; one source, seen through a link the second time.
    .target(
      name: "Faults", path: "Tests/CrashMatrix/Faults",
      cSettings: [.unsafeFlags(["-O0", "-fstack-protector-all", "-UNDEBUG"]), debuggableC],
      cxxSettings: [.unsafeFlags(["-O0"]), debuggableCxx]),
    .executableTarget(
      name: "CrashMatrix", dependencies: ["CrashReporter", "CCrashHandler", "Faults"],
      path: "Tests/CrashMatrix/Program", swiftSettings: tested + [debuggable]),
    .target(
      name: "FaultsOptimized", path: "Tests/CrashMatrixOptimized/Faults",
      cSettings: [.unsafeFlags(["-O2", "-fstack-protector-all", "-UNDEBUG"]), debuggableC],
      cxxSettings: [.unsafeFlags(["-O2"]), debuggableCxx]),
    .executableTarget(
      name: "CrashMatrixOptimized", dependencies: ["CrashReporter", "CCrashHandler", "FaultsOptimized"],
      path: "Tests/CrashMatrixOptimized/Program",
      swiftSettings: strict + [.unsafeFlags(["-O"]), debuggable, .define("OPTIMIZED")]),

    // The program that hangs on purpose.
    .target(
      name: "HangFaults", path: "Tests/HangFaults", cSettings: [.unsafeFlags(["-O1"])]),
    .executableTarget(
      name: "HangSubject", dependencies: ["HangFaults", "MPaaSPerformance", "CrashReporter"], path: "Tests/HangSubject",
      swiftSettings: strict),

    // What publishes and follows until a test kills it.
    .executableTarget(
      name: "HotpatchSubject",
      dependencies: ["MPaaSHotpatch", "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSupport"],
      path: "Tests/HotpatchSubject", swiftSettings: strict),

    // What logs, and what uploads, until a test kills it.
    .executableTarget(
      name: "LogSubject", dependencies: ["MPaaSLogs", "MPaaSTrust"], path: "Tests/LogSubject",
      swiftSettings: strict),
    .executableTarget(
      name: "TransferSubject", dependencies: ["MPaaSTransfer", "MPaaSSupport"], path: "Tests/TransferSubject",
      swiftSettings: strict),

    // The program that puts calls into a queue until a test kills it.
    .executableTarget(
      name: "RPCSubject", dependencies: ["MPaaSRPC", "MPaaSSupport"], path: "Tests/RPCSubject", swiftSettings: strict),

    // What looks at itself while a test attacks it; scripts/bench/security times it.
    .executableTarget(
      name: "SecuritySubject", dependencies: ["CSecurity", "MPaaSSecurity"], path: "Tests/SecuritySubject",
      swiftSettings: strict),

    // What brings archives until a test kills it; scripts/bench/downloads times it.
    .executableTarget(
      name: "DownloadSubject", dependencies: ["MPaaSModules", "MPaaSTransfer", "MPaaSSupport"],
      path: "Tests/DownloadSubject", swiftSettings: strict),

    // What adds and places modules until a test kills it; scripts/bench/store measures with it.
    .executableTarget(
      name: "StoreSubject", dependencies: ["MPaaSModules", "MPaaSDigests", "MPaaSSupport"], path: "Tests/StoreSubject",
      swiftSettings: strict),

    // Times calls of functions that hotpatches may replace; scripts/bench/hotpatch builds and runs it.
    .executableTarget(
      name: "HotpatchBench", dependencies: ["MPaaSHotpatch"], path: "scripts/bench/HotpatchBench",
      swiftSettings: strict),

    // Times evaluations of flags; scripts/bench/services builds and runs it.
    .executableTarget(
      name: "FlagBench", dependencies: ["MPaaSFlags", "MPaaSPattern", "MPaaSSupport"], path: "scripts/bench/FlagBench",
      exclude: ["allocations.c"],
      swiftSettings: strict),

    // Times calls to servers above their transport; scripts/bench/rpc builds and runs it.
    .executableTarget(
      name: "RPCBench", dependencies: ["MPaaSFramework", "MPaaSRPC", "MPaaSSigning", "MPaaSSupport"],
      path: "scripts/bench/RPCBench",
      swiftSettings: strict),
    // Times updates of badges and the counts after them; scripts/bench/services builds and runs it.
    .executableTarget(
      name: "BadgeBench", dependencies: ["MPaaSAppServices"], path: "scripts/bench/BadgeBench", swiftSettings: strict),

    // Times the sender of notifications; scripts/bench/services builds and runs it.
    .executableTarget(
      name: "PushBench", dependencies: ["MPaaSPush", "MPaaSPushServing", "MPaaSSupport"],
      path: "scripts/bench/PushBench", swiftSettings: strict),

    // Times modules, events and messages; scripts/bench/framework builds and runs it.
    .executableTarget(
      name: "FrameworkBench", dependencies: ["MPaaSFramework"], path: "scripts/bench/FrameworkBench",
      swiftSettings: strict),

    // Times conversion and search; scripts/bench/pinyin builds and runs it.
    .executableTarget(
      name: "PinyinBench", dependencies: ["MPaaSPinyin", "MPaaSSupport"], path: "scripts/bench/PinyinBench",
      swiftSettings: strict),

    // Times proxies and their conditions; scripts/bench/network builds and runs it.
    .executableTarget(
      name: "NetworkBench", dependencies: ["MPaaSNetwork", nioCore, nioPosix],
      path: "scripts/bench/NetworkBench", swiftSettings: strict),

    // Time the log's writer and search, uploads, and the server; the scripts of their names build and run them.
    .executableTarget(
      name: "LogBench", dependencies: ["MPaaSLogReading", "MPaaSLogs", "MPaaSTrust", "MPaaSSupport"],
      path: "scripts/bench/LogBench", swiftSettings: strict),
    .executableTarget(
      name: "TransferBench", dependencies: ["MPaaSTransfer", "MPaaSSupport"], path: "scripts/bench/TransferBench",
      swiftSettings: strict),
    .executableTarget(
      name: "ServerBench", dependencies: ["MPaaSSupport", nioCore, nioPosix, nioHTTP1],
      path: "scripts/bench/ServerBench", swiftSettings: strict),

    // Times the key-value store beside SQLite; scripts/bench/storage builds and runs it.
    .executableTarget(
      name: "StorageBench", dependencies: ["MPaaSSQLite", "MPaaSStorage", "MPaaSSupport"],
      path: "scripts/bench/StorageBench", swiftSettings: strict),

    .executableTarget(
      name: "PlistBench", dependencies: ["MPaaSConfig"], path: "scripts/bench/PlistBench",
      swiftSettings: strict),
    .executableTarget(
      name: "LanguageBench", dependencies: ["MPaaSLanguages", "MPaaSSupport"], path: "scripts/bench/LanguageBench",
      swiftSettings: strict),
  ] + tests,
  cxxLanguageStandard: .cxx17
)

// Gives made bytes to readers under sanitizers; scripts/sanitizers/readers builds and runs it.
if let libFuzzer = Context.environment["MPAAS_FUZZING"] {
  package.targets.append(
    .executableTarget(
      name: "ReaderFuzz",
      dependencies: [
        "MPaaSAppPackage", "MPaaSCPD", "MPaaSDAO", "MPaaSProfile", "MPaaSScan", "MPaaSSecrets", "MPaaSStorage",
        "MPaaSSupport",
      ],
      path: "scripts/sanitizers/ReaderFuzz", swiftSettings: strict,
      linkerSettings: [.unsafeFlags([libFuzzer, "-lstdc++"])]))
}

// What Apple's privacy reports ask of libraries goes into apps with them. Elsewhere a resource would only link all of
// Foundation.
for target in package.targets
where package.products.contains(where: { $0 is Product.Library && $0.name == target.name }) {
  #if os(macOS)
    target.resources = (target.resources ?? []) + [.process("PrivacyInfo.xcprivacy")]
  #else
    target.exclude.append("PrivacyInfo.xcprivacy")
  #endif
}

// Build plug-ins for apps. The kit itself uses neither, and would compile all that their programs are made of a second
// time, for the machine that builds.
if isDependency {
  package.products += ["RuntimeTable", "DAO", "FlagKeys"].map { .plugin(name: $0, targets: [$0]) }
  package.targets += [
    .plugin(
      name: "RuntimeTable", capability: .buildTool(), dependencies: ["RuntimeTableTool"], path: "plugins/RuntimeTable"),
    .plugin(name: "DAO", capability: .buildTool(), dependencies: ["DAOTool"], path: "plugins/DAO"),
    .plugin(name: "FlagKeys", capability: .buildTool(), dependencies: ["FlagKeysTool"], path: "plugins/FlagKeys"),
  ]
}
