import Foundation
import MPaaSTestSupport
import Testing

@Suite("The architecture") struct ArchitectureTests {
  /// The imports of ours that each target may have.
  static let allowed: [String: Set<String>] = [
    "mpaas": ["CommandKit", "MPaaSCommands", "MPaaSSupport"],
    "mpaas-server": ["MPaaSServer", "MPaaSServing", "MPaaSSupport", "ServingKit"],
    "OrderBook": ["CrashReporter", "COrderBook", "MPaaSHotpatch", "MPaaSPerformance", "MPaaSTrust"],
    "MPaaSCommands": Set(commands.keys).union(["CommandKit"]),
    "CommandKit": ["ServingKit", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport"],
    "ServingKit": ["MPaaSTerminal", "MPaaSSupport"],
    "NetworkServingKit": [
      "ServingKit", "MPaaSNetworkConditions", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport",
    ],
    "PinyinServingKit": ["ServingKit", "MPaaSPinyin", "MPaaSSupport"],
    "PushServingKit": ["ServingKit", "MPaaSPush", "MPaaSProtocol", "MPaaSTerminal", "MPaaSSupport"],
    "MockServingKit": ["ServingKit"],
    "MPaaSMock": [
      "MPaaSRandom", "MPaaSTimeZones", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSPattern", "MPaaSXML", "MPaaSLock",
      "MPaaSSupport",
    ],
    "MPaaSMockServing": ["MPaaSLock", "MPaaSMock", "MPaaSPush", "MPaaSSupport"],
    "MPaaSSecurity": ["CSecurity", "MPaaSDigests", "MPaaSSupport"],
    "MPaaSSecurityTools": [
      "CProcessMaps", "CSecurity", "CUnwind", "MPaaSSecurity", "MPaaSSymbols", "MPaaSSupport", "MPaaSToolSupport",
    ],
    "MPaaSCPD": ["MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSPush": ["MPaaSTimeZones", "MPaaSLock", "MPaaSProtocol", "MPaaSSupport"],
    "MPaaSPushServing": ["MPaaSPush", "MPaaSLock", "MPaaSSupport"],
    "MPaaSRPC": [
      "MPaaSFramework", "MPaaSSigning", "MPaaSTransfer", "MPaaSSQLite", "MPaaSDigests", "MPaaSJSON", "MPaaSXML",
      "MPaaSLock", "MPaaSRandom", "MPaaSSupport", "MPaaSTime", "CContentCoding",
    ],
    "MPaaSServing": [
      "MockServingKit", "NetworkServingKit", "PinyinServingKit", "PushServingKit", "ServingKit", "MPaaSGatewayCalls",
      "MPaaSHAR", "MPaaSHTTPServer", "MPaaSJSON", "MPaaSLock", "MPaaSMock", "MPaaSMockImport", "MPaaSMockRecording",
      "MPaaSMockServing", "MPaaSNetwork", "MPaaSOpenAPI", "MPaaSPact", "MPaaSPinyin", "MPaaSProtocol", "MPaaSPush",
      "MPaaSPushServing", "MPaaSSigning", "MPaaSSupport", "MPaaSSymbols", "MPaaSTerminal", "MPaaSToolSupport",
      "MPaaSTransfer", "MPaaSTransferTools",
    ],
    "MPaaSServer": [
      "MPaaSAppPackage", "MPaaSQRCode", "MPaaSTimeZones", "MPaaSArchive", "MPaaSCrash", "MPaaSSymbols", "MPaaSTerminal",
      "MPaaSProtocol",
      "MPaaSDatabase", "MPaaSDigests",
      "MPaaSSupport",
      "CCompression", "MPaaSCrashReport", "MPaaSToolSupport", "MPaaSFlags", "MPaaSFlagTools", "MPaaSPush",
      "MPaaSObjectStore", "MPaaSPushServing", "MPaaSTransfer", "MPaaSTransferTools", "MPaaSModules",
    ],
    "MPaaSKitUpdate": [
      "MPaaSArchive", "MPaaSDeltas", "MPaaSDigests", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransfer", "MPaaSTrust",
    ],
    "MPaaSAppServices": [
      "MPaaSFramework", "MPaaSVerification", "MPaaSBuckets", "MPaaSDeltas", "MPaaSDigests", "MPaaSLock",
      "MPaaSSupport", "MPaaSFlags", "MPaaSTransfer", "MPaaSTime", "MPaaSProtocol",
    ],
    "MPaaSAppServicesTools": [
      "MPaaSAppServices", "MPaaSXML", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSSupport",
      "MPaaSLogs", "MPaaSLogUpload", "MPaaSProtocol", "MPaaSTransfer",
    ],
    "MPaaSLogs": [
      "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CLogRing", "CAppLog", "CLibZstd",
    ],
    "MPaaSLogUpload": [
      "MPaaSLogs", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime",
      "CLogRing", "MPaaSArchive",
    ],
    "MPaaSLogReading": [
      "MPaaSLogs", "MPaaSLogUpload", "MPaaSTrust", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests", "MPaaSSupport",
      "MPaaSTime", "CLogScan", "CCompression", "CLibZ", "CLibZstd", "MPaaSToolSupport", "MPaaSArchive",
    ],
    "MPaaSLogHandler": ["MPaaSLogs"],
    "MPaaSStorage": [
      "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CAtomicWord", "CLogRing",
    ],
    "MPaaSStorageImport": ["MPaaSConfig", "MPaaSStorage", "MPaaSSupport"],
    "MPaaSRecords": ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport"],
    "MPaaSProtocol": [],
    "MPaaSSQLite": ["MPaaSSupport", "MPaaSTime", "CSQLite"],
    "MPaaSDatabase": ["MPaaSSQLite", "MPaaSSupport", "CPostgres"],
    "MPaaSJSON": ["MPaaSSupport"],
    "MPaaSRandom": [],
    "MPaaSTimeZones": ["MPaaSLock", "MPaaSSupport"],
    "MPaaSYAML": ["MPaaSJSON", "MPaaSSupport", "CLibYAML"],
    "MPaaSJSONSchema": ["MPaaSJSON", "MPaaSPattern", "MPaaSSupport"],
    "MPaaSOpenAPI": [
      "MPaaSRandom", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSPattern", "MPaaSYAML", "MPaaSLock", "MPaaSSupport",
    ],
    "MPaaSPact": ["MPaaSRandom", "MPaaSJSON", "MPaaSPattern", "MPaaSXML", "MPaaSSupport"],
    "MPaaSProject": [
      "MPaaSArchive", "MPaaSConfig", "MPaaSDeclarations", "MPaaSJSON", "MPaaSJSONSchema", "MPaaSModules",
      "MPaaSOpenAPI", "MPaaSPinyin", "MPaaSProfile", "MPaaSTOML", "MPaaSSupport", "MPaaSToolSupport",
    ],
    "MPaaSDemo": ["MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSPipelines": [
      "MPaaSDigests", "MPaaSModules", "MPaaSProject", "MPaaSSymbols", "MPaaSTOML", "MPaaSTransfer", "MPaaSSupport",
      "MPaaSToolSupport",
    ],
    "MPaaSConfig": ["MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSScan": [
      "MPaaSAppPackage", "MPaaSCodeSignature", "MPaaSConfig", "MPaaSDigests", "MPaaSSecrets", "MPaaSSymbols",
      "MPaaSTOML", "MPaaSSupport", "MPaaSToolSupport",
    ],
    "MPaaSAppPackage": ["MPaaSCodeSignature", "MPaaSConfig", "MPaaSDigests", "MPaaSSupport", "CLibZ"],
    "MPaaSQRCode": [],
    "MPaaSProfile": ["MPaaSSupport", "MPaaSToolSupport", "CContentCoding"],
    "MPaaSSampling": [
      "CPerfEvents", "CProcessMaps", "CTrace", "CUnwind", "MPaaSCrash", "MPaaSCrashReport", "MPaaSProfile",
      "MPaaSSupport", "MPaaSSymbols", "MPaaSToolSupport",
    ],
    "MPaaSSecrets": ["MPaaSPattern", "MPaaSTOML", "MPaaSLock", "MPaaSSupport"],
    "MPaaSCodeSignature": ["MPaaSConfig", "MPaaSDigests", "MPaaSPattern", "MPaaSSupport"],
    "MPaaSTheme": ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSLanguages": ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSDeclarations": [],
    "MPaaSFlags": ["MPaaSBuckets", "MPaaSPattern", "MPaaSLock", "MPaaSSupport"],
    "MPaaSFlagTools": ["MPaaSDeclarations", "MPaaSFlags", "MPaaSPattern", "MPaaSSupport"],
    "MPaaSBuckets": [],
    "MPaaSFlagPublishing": [
      "MPaaSAppServices", "MPaaSFlagTools", "MPaaSFlags", "MPaaSLock", "MPaaSLogUpload", "MPaaSLogs", "MPaaSProtocol",
      "MPaaSTime", "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSupport",
    ],
    "FlagKeysTool": ["MPaaSFlagTools", "MPaaSFlags", "MPaaSSupport"],
    "MPaaSPattern": [],
    "MPaaSDAO": ["MPaaSDAORuntime", "MPaaSSQLite", "MPaaSSupport", "MPaaSXML", "CSQLite"],
    "MPaaSDAORuntime": ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CSQLite"],
    "MPaaSDAOCompiler": ["MPaaSDAO", "MPaaSDeclarations", "MPaaSSupport"],
    "DAOTool": ["MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSFramework": ["MPaaSLock", "MPaaSTime"],
    "MPaaSNetwork": [
      "MPaaSRandom", "MPaaSNetworkConditions", "MPaaSTOML", "MPaaSSupport", "CTunnel", "MPaaSToolSupport",
    ],
    "MPaaSNetworkConditions": ["MPaaSRandom", "MPaaSTOML", "MPaaSSupport", "CTunnel", "MPaaSToolSupport"],
    "MPaaSPinyin": ["MPaaSLock", "MPaaSSupport", "CAtomicWord", "CPinyinData"],
    "RuntimeTableTool": ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSModules": [
      "MPaaSVerification", "MPaaSTransfer", "MPaaSTOML", "MPaaSDigests", "MPaaSSupport", "MPaaSArchive", "CFileTree",
      "MPaaSToolSupport",
    ],
    "MPaaSModuleTools": [
      "MPaaSModules", "MPaaSTrust", "MPaaSTrustTools", "MPaaSSymbols", "MPaaSTOML", "MPaaSDigests", "MPaaSSupport",
      "MPaaSArchive",
    ],
    "MPaaSTOML": ["MPaaSSupport"],
    "MPaaSXML": ["CExpat"],
    "MPaaSHotpatch": [
      "MPaaSVerification", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CLua", "CHotpatchClient",
    ],
    "MPaaSHotpatchTools": [
      "MPaaSArchive", "MPaaSHotpatch", "MPaaSProtocol", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDigests",
      "MPaaSSupport", "MPaaSTime", "CLua", "MPaaSToolSupport",
    ],
    "MPaaSAge": ["MPaaSSupport"],
    "MPaaSVerification": ["MPaaSAge", "MPaaSTransfer", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime"],
    "MPaaSSigning": ["MPaaSVerification", "MPaaSDigests", "MPaaSSupport"],
    "MPaaSHAR": ["MPaaSJSON", "MPaaSSupport"],
    "MPaaSMockImport": ["MPaaSJSON", "MPaaSSupport"],
    "MPaaSMockRecording": ["MPaaSMock", "MPaaSHAR", "MPaaSLock", "MPaaSSupport"],
    "MPaaSGatewayCalls": ["MPaaSMock", "MPaaSSigning", "MPaaSJSON", "MPaaSSupport"],
    "MPaaSTrust": ["MPaaSVerification", "MPaaSSupport"],
    "MPaaSTrustTools": [
      "MPaaSTrust", "MPaaSTransfer", "MPaaSDigests", "MPaaSObjectStore", "MPaaSSupport", "MPaaSToolSupport",
      "MPaaSTransferTools",
    ],
    "MPaaSTerminal": ["MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSCrash": [
      "MPaaSArchive", "MPaaSProfile", "MPaaSSymbols", "MPaaSSupport", "CUnwind", "CTrace", "CLibunwind",
      "MPaaSCrashReport", "MPaaSToolSupport",
    ],
    "MPaaSSymbols": [
      "MPaaSTransfer", "MPaaSSupport", "MPaaSArchive", "CCompression", "CDemangle", "CLibZ", "CLibLZMA", "CLibZstd",
      "MPaaSToolSupport", "MPaaSTransferTools",
    ],
    "MPaaSTransfer": ["MPaaSSQLite", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CCurl"],
    "MPaaSTransferTools": ["MPaaSTransfer", "MPaaSSupport", "CCurl"],
    "MPaaSObjectStore": ["MPaaSTransfer", "MPaaSDigests", "MPaaSLock", "MPaaSXML", "MPaaSSupport"],
    "MPaaSHTTPServer": ["MPaaSSupport", "CMicroHTTP", "MPaaSTransferTools"],
    "CrashReporter": ["CCrashHandler", "MPaaSLock", "MPaaSTime", "MPaaSBase", "MPaaSCrashReport"],
    "MPaaSArchive": ["MPaaSSupport", "CArchive"],
    "MPaaSDeltas": ["MPaaSSupport", "CLibZstd"],
    "MPaaSDigests": ["MPaaSSupport"],
    "MPaaSCrashReport": ["MPaaSBase"],
    "MPaaSPerformance": ["CPerformance", "CrashReporter", "MPaaSBase", "MPaaSLock", "MPaaSTime"],
    "MPaaSToolSupport": ["MPaaSLock", "MPaaSSupport"],
    "MPaaSBase": ["MPaaSLock"],
    "MPaaSSupport": ["MPaaSLock", "MPaaSBase"],
    "MPaaSLock": ["CAtomicWord"],
    "MPaaSTime": [],
  ].merging(commands.mapValues { $0.union(["CommandKit", "MPaaSTerminal", "MPaaSSupport"]) }) { $1 }

  /// The imports that the commands of each noun may import, beside what all of them do.
  static let commands: [String: Set<String>] = [
    "KitCommands": [
      "MPaaSArchive", "MPaaSCrash", "MPaaSDemo", "MPaaSKitUpdate", "MPaaSNetworkConditions", "MPaaSProtocol",
      "MPaaSObjectStore", "MPaaSSymbols", "MPaaSToolSupport", "MPaaSTransfer", "MPaaSTransferTools",
    ],
    "KeyCommands": ["MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport"],
    "LogCommands": [
      "KeyCommands", "MPaaSLogReading", "MPaaSLogUpload", "MPaaSLogs", "MPaaSNetworkConditions", "MPaaSProtocol",
      "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSCrashReport", "MPaaSToolSupport", "MPaaSTransferTools",
      "MPaaSArchive",
    ],
    "CrashCommands": [
      "LogCommands", "ServingKit", "MPaaSCrash", "MPaaSLogReading", "MPaaSLogUpload",
      "MPaaSNetworkConditions", "MPaaSProfile", "MPaaSProtocol", "MPaaSSymbols", "MPaaSTransfer", "MPaaSCrashReport",
      "MPaaSToolSupport", "MPaaSTime",
    ],
    "ModuleCommands": [
      "KeyCommands", "ProjectCommands", "ServingKit", "MPaaSArchive", "MPaaSModules", "MPaaSModuleTools",
      "MPaaSObjectStore", "MPaaSProject", "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport",
      "MPaaSTransferTools",
    ],
    "HotpatchCommands": [
      "KeyCommands", "LogCommands", "MPaaSAppServicesTools", "MPaaSHotpatch", "MPaaSHotpatchTools", "MPaaSLogReading",
      "MPaaSLogUpload", "MPaaSNetworkConditions", "MPaaSProtocol", "MPaaSTime", "MPaaSTrust", "MPaaSTrustTools",
      "MPaaSToolSupport",
    ],
    "NetworkCommands": ["NetworkServingKit", "MPaaSNetworkConditions", "MPaaSTransfer", "MPaaSToolSupport"],
    "PinyinCommands": ["PinyinServingKit", "MPaaSPinyin"],
    "DAOCommands": ["MPaaSDAO", "MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSProject", "MPaaSSQLite"],
    "ProjectCommands": [
      "KeyCommands", "MPaaSJSON", "MPaaSProject", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport",
    ],
    "ServiceCommands": [
      "KeyCommands", "MPaaSAppServices", "MPaaSAppServicesTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSHotpatch",
      "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools", "MPaaSPush", "PushServingKit", "LogCommands",
      "MPaaSLogUpload", "MPaaSProtocol", "MPaaSToolSupport",
    ],
    "FlagCommands": [
      "KeyCommands", "LogCommands", "MPaaSAppServices", "MPaaSFlagPublishing", "MPaaSFlagTools", "MPaaSFlags",
      "MPaaSLogUpload", "MPaaSProtocol", "MPaaSToolSupport", "MPaaSTrust", "MPaaSTrustTools",
    ],
    "PerfCommands": [
      "CrashCommands", "MPaaSCrash", "MPaaSCrashReport", "MPaaSNetworkConditions", "MPaaSProfile", "MPaaSProject",
      "MPaaSSampling", "MPaaSToolSupport",
    ],
    "SecurityCommands": ["MPaaSSecurity", "MPaaSSecurityTools", "MPaaSToolSupport"],
    "RPCCommands": ["KeyCommands", "MPaaSConfig", "MPaaSRPC", "MPaaSSigning", "MPaaSTrust", "MPaaSTrustTools"],
    "ScanCommands": ["MPaaSCodeSignature", "MPaaSModules", "MPaaSScan", "MPaaSSecrets", "MPaaSToolSupport"],
    "StorageCommands": ["MPaaSSQLite", "MPaaSStorage", "MPaaSStorageImport"],
    "GatewayCommands": [
      "MPaaSRandom", "ConfigCommands", "MockServingKit", "MPaaSConfig", "MPaaSJSON", "MPaaSNetworkConditions",
      "MPaaSOpenAPI",
      "MPaaSPact", "MPaaSPattern", "MPaaSTime", "MPaaSTransfer",
    ],
    "CICommands": [
      "ModuleCommands", "ProjectCommands", "MPaaSModules", "MPaaSPipelines", "MPaaSProject", "MPaaSSymbols",
      "MPaaSTransfer",
    ],
    "CPDCommands": ["MPaaSCPD", "MPaaSToolSupport"],
    "ConfigCommands": [
      "MPaaSConfig", "MPaaSLanguages", "MPaaSProfile", "MPaaSProject", "MPaaSTheme", "MPaaSTransfer",
      "MPaaSToolSupport",
    ],
  ]

  /// Modules from outside, and shims of ours over libraries, by the targets that alone may know them.
  static let reserved: [String: Set<String>] = [
    "CArchive": ["MPaaSArchive"], "CExpat": ["MPaaSXML"], "CLibYAML": ["MPaaSYAML"],
    "ArgumentParser": Set(commands.keys).union(["CommandKit", "MPaaSCommands"]),
    // Both are one on Apple's systems; only what no phone app has to link takes the copy and its extras there.
    "Crypto": [
      "MPaaSAge", "MPaaSDigests", "MPaaSVerification", "MPaaSTrust", "MPaaSTrustTools", "MPaaSHotpatchTools",
      "MPaaSLogs", "MPaaSLogReading", "MPaaSStorage", "MPaaSStorageImport", "MPaaSDAORuntime", "MPaaSSQLite",
      "MPaaSPush", "MPaaSSigning", "MPaaSCodeSignature", "MPaaSServer",
    ],
    "CryptoKit": [
      "MPaaSAge", "MPaaSDigests", "MPaaSVerification", "MPaaSLogs", "MPaaSStorage", "MPaaSDAORuntime", "MPaaSSQLite",
    ],
    "Security": ["MPaaSVerification", "MPaaSStorage", "MPaaSSigning", "MPaaSRPC"],
    "CryptoExtras": [
      "MPaaSVerification", "MPaaSTrust", "MPaaSTrustTools", "MPaaSHotpatchTools", "MPaaSLogReading",
      "MPaaSStorageImport", "MPaaSPush", "MPaaSSigning", "MPaaSCodeSignature", "MPaaSServer",
    ],
    "Hummingbird": ["MPaaSServer"], "HummingbirdCore": ["MPaaSServer"],
    "SwiftASN1": ["MPaaSTrustTools", "MPaaSCodeSignature"],
    "Logging": ["MPaaSLogHandler", "MPaaSServer"],
    "TOMLKit": ["MPaaSTOML"],
    "NIOCore": ["MPaaSNetwork", "MPaaSServer", "MPaaSPushServing", "MPaaSMockServing"],
    "NIOPosix": ["MPaaSNetwork", "MPaaSServer", "MPaaSPushServing", "MPaaSMockServing"],
    "NIOHTTP1": ["MPaaSNetwork", "MPaaSMockServing"],
    "NIOHTTP2": ["MPaaSNetwork", "MPaaSPushServing", "MPaaSMockServing"],
    "NIOTLS": ["MPaaSMockServing", "MPaaSNetwork", "MPaaSPushServing"],
    "NIOSSL": ["MPaaSNetwork", "MPaaSServer", "MPaaSPushServing", "MPaaSMockServing"],
  ]

  struct Import: Sendable {
    let target: String
    let file: String
    let module: String
  }

  static let imports = PackageSource.all.flatMap { source in
    let target = String(source.file.prefix { $0 != "/" })
    return source.lines(with: ["import "]).compactMap { line -> Import? in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first, first.hasPrefix("@") || ["package", "public", "internal"].contains(first) {
        words.removeFirst()
      }
      guard words.first == "import", words.count >= 2 else { return nil }
      return Import(target: target, file: source.file, module: words[1])
    }
  }

  @Test("imports point downward only")
  func arrows() {
    let all = Self.imports
    #expect(all.count > 50)
    let ours = Set(Self.allowed.keys).union(Self.allowed.values.joined())
    for found in all where ours.contains(found.module) {
      let allowed = Self.allowed[found.target]
      #expect(allowed?.contains(found.module) == true, "\(found.file) must not import \(found.module)")
    }
  }

  @Test("each arrow that is allowed is one that is there")
  func unused() {
    let found = Dictionary(grouping: Self.imports, by: \.target).mapValues { Set($0.map(\.module)) }
    for (target, modules) in Self.allowed {
      // Link-time parts of what is imported need no import of their own.
      let missing = modules.subtracting(found[target] ?? []).filter { !$0.hasPrefix("C") || $0.hasSuffix("Commands") }
      #expect(missing == [], "\(target) imports none of these")
    }
  }

  @Test("a module from outside is known only to the target that it is for")
  func reservedModules() {
    for found in Self.imports {
      if let owners = Self.reserved[found.module] {
        #expect(owners.contains(found.target), "\(found.file) must not import \(found.module)")
      }
    }
  }

  @Test("Foundation comes in as FoundationEssentials, so that the command stays small")
  func essentials() {
    let whole = Set(Self.imports.filter { $0.module == "Foundation" }.map(\.file))
    // Sources for Objective-C are compiled for Apple's systems alone, which have no other Foundation.
    for source in PackageSource.all where whole.contains(source.file) && !source.has(["#if canImport(ObjectiveC)\n"]) {
      #expect(source.has(["#if canImport(FoundationEssentials)"]), "\(source.file) imports all of Foundation")
    }
  }

  @Test("an entry point holds wiring only, under 60 lines")
  func entryPoints() throws {
    let text = try String(contentsOf: Fixture.package.appending(path: "Sources/mpaas/main.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 60)
  }

  @Test("only the terminal and the entry points print")
  func printing() {
    for source in PackageSource.all where source.file.hasPrefix("MPaaS") || source.isOfCommands {
      // A printer of names has a `print` of its own.
      guard !source.file.hasPrefix("MPaaSTerminal"), !source.has(["func print("]),
        !source.file.contains("Demangle/RustName")
      else { continue }
      for line in source.lines(with: ["print("]) {
        let code = line.drop { $0 == " " }
        #expect(!code.hasPrefix("print("), "\(source.file) prints: \(code)")
      }
    }
  }
}
