package import MPaaSSupport

/// A kind of finding: its word, which `mpaas explain` knows, its weight, and the requirement that it is of.
package struct ScanRule: Sendable, Hashable {
  package let id: DiagnosticID
  package let severity: ScanSeverity
  /// The control of OWASP's MASVS 2; nil where it is of none.
  package let masvs: String?

  package init(id: DiagnosticID, _ severity: ScanSeverity, _ masvs: String? = nil) {
    self.id = id
    self.severity = severity
    self.masvs = masvs
  }
}

extension ScanRule {
  // What the compiler and the linker could have done.
  static let notPositionIndependent = ScanRule(id: DiagnosticID("scan-no-pie"), .high, "MASVS-CODE-4")
  static let executableStack = ScanRule(id: DiagnosticID("scan-stack-executable"), .high, "MASVS-CODE-4")
  static let writableCode = ScanRule(id: DiagnosticID("scan-writable-code"), .high, "MASVS-CODE-4")
  static let noCanary = ScanRule(id: DiagnosticID("scan-no-canary"), .medium, "MASVS-CODE-4")
  static let noFortify = ScanRule(id: DiagnosticID("scan-no-fortify"), .low, "MASVS-CODE-4")
  static let noRelro = ScanRule(id: DiagnosticID("scan-no-relro"), .medium, "MASVS-CODE-4")
  static let partialRelro = ScanRule(id: DiagnosticID("scan-partial-relro"), .low, "MASVS-CODE-4")
  static let textRelocations = ScanRule(id: DiagnosticID("scan-text-relocations"), .high, "MASVS-CODE-4")
  static let runPathOutside = ScanRule(id: DiagnosticID("scan-rpath-outside"), .medium, "MASVS-CODE-4")
  static let libraryOutside = ScanRule(id: DiagnosticID("scan-library-outside"), .medium, "MASVS-CODE-4")
  static let debugMap = ScanRule(id: DiagnosticID("scan-debug-map"), .low, "MASVS-RESILIENCE-3")

  // What the code calls.
  static let weakHash = ScanRule(id: DiagnosticID("scan-weak-hash"), .medium, "MASVS-CRYPTO-1")
  static let weakCipher = ScanRule(id: DiagnosticID("scan-weak-cipher"), .medium, "MASVS-CRYPTO-1")
  static let weakRandom = ScanRule(id: DiagnosticID("scan-weak-random"), .low, "MASVS-CRYPTO-1")
  static let unboundedC = ScanRule(id: DiagnosticID("scan-c-unbounded"), .low, "MASVS-CODE-4")
  static let gets = ScanRule(id: DiagnosticID("scan-c-gets"), .high, "MASVS-CODE-4")
  static let temporaryName = ScanRule(id: DiagnosticID("scan-c-temporary-name"), .low, "MASVS-CODE-4")
  static let shell = ScanRule(id: DiagnosticID("scan-shell"), .low, "MASVS-CODE-4")
  static let pasteboard = ScanRule(id: DiagnosticID("scan-pasteboard"), .info, "MASVS-PLATFORM-3")
  static let ptrace = ScanRule(id: DiagnosticID("scan-ptrace"), .info, "MASVS-RESILIENCE-4")

  // What an app of Apple's systems says of itself.
  static let arbitraryLoads = ScanRule(id: DiagnosticID("scan-ats-arbitrary"), .high, "MASVS-NETWORK-1")
  static let transportException = ScanRule(id: DiagnosticID("scan-ats-exception"), .medium, "MASVS-NETWORK-1")
  static let urlScheme = ScanRule(id: DiagnosticID("scan-url-scheme"), .info, "MASVS-PLATFORM-1")
  static let usageMissing = ScanRule(id: DiagnosticID("scan-usage-missing"), .medium, "MASVS-PRIVACY-3")
  static let fileSharing = ScanRule(id: DiagnosticID("scan-file-sharing"), .low, "MASVS-STORAGE-2")
  static let privacyUndeclared = ScanRule(id: DiagnosticID("scan-privacy-undeclared"), .medium, "MASVS-PRIVACY-3")

  // What an app of Android says of itself.
  static let debuggable = ScanRule(id: DiagnosticID("scan-android-debuggable"), .high, "MASVS-RESILIENCE-4")
  static let testOnly = ScanRule(id: DiagnosticID("scan-android-test-only"), .high, "MASVS-RESILIENCE-4")
  static let backup = ScanRule(id: DiagnosticID("scan-android-backup"), .low, "MASVS-STORAGE-2")
  static let cleartext = ScanRule(id: DiagnosticID("scan-android-cleartext"), .high, "MASVS-NETWORK-1")
  static let exported = ScanRule(id: DiagnosticID("scan-android-exported"), .medium, "MASVS-PLATFORM-1")
  static let exportUnsaid = ScanRule(id: DiagnosticID("scan-android-export-unsaid"), .medium, "MASVS-PLATFORM-1")
  static let oldSystem = ScanRule(id: DiagnosticID("scan-android-old-system"), .low, "MASVS-CODE-1")

  // What could not be read as what it says it is, and what was not read.
  static let malformed = ScanRule(id: DiagnosticID("malformed"), .medium)
  static let unread = ScanRule(id: DiagnosticID("scan-unread"), .info)
  static let factMissing = ScanRule(id: DiagnosticID("scan-fact-missing"), .high)

  /// All kinds, in the order of their texts.
  package static let all: [ScanRule] = [
    notPositionIndependent, executableStack, writableCode, noCanary, noFortify, noRelro, partialRelro,
    textRelocations, runPathOutside, libraryOutside, debugMap, weakHash, weakCipher, weakRandom, unboundedC, gets,
    temporaryName, shell, pasteboard, ptrace, arbitraryLoads, transportException, urlScheme, usageMissing,
    fileSharing, privacyUndeclared, debuggable, testOnly, backup, cleartext, exported, exportUnsaid, oldSystem,
    malformed, unread, factMissing,
  ]
}
