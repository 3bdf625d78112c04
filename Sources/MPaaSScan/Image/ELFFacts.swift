import MPaaSSupport
package import MPaaSSymbols

/// The facts of one ELF file.
package struct ELFFacts: Sendable {
  package enum Independence: String, Sendable { case no, yes, library, object }
  package enum Relro: String, Sendable { case no, partial, full }

  package let architecture: String
  package let kind: ObjectKind
  package let nx: Bool
  package let canary: Bool
  package let canaryState: ScanState
  package let fortify: ScanState
  /// Functions that check the size of what they write to.
  package let fortified: [String]
  /// Functions that have a form that checks, and were called without.
  package let fortifiable: [String]
  package let pie: Independence
  package let relro: Relro
  package let rpath: String?
  package let runpath: String?
  package let symbols: Bool
  package let needed: [String]
  package let soname: String?
  package let textRelocations: Bool
  package let buildID: String?
  package let imports: [String]
  /// Functions of a library that others may put their own in the place of.
  package let interposable: Int
  package let branchProtection: ScanState
  package let returnProtection: ScanState
  package let androidLevel: UInt32?
  package let segments: [ELFSegment]
  package let sections: [(name: String, size: UInt64)]
  package let isSwift: Bool

  package init(_ image: ELFImage) {
    architecture = image.architecture
    kind = image.kind
    let dynamic = image.dynamic
    let names = image.dynamicNames
    imports = names.imported
    segments = image.segments
    sections = image.sections.map { (image.name(of: $0), $0.size) }
    let imported = Set(imports)
    isSwift =
      sections.contains { $0.name.hasPrefix("swift5_") || $0.name.hasPrefix(".rustc") || $0.name == ".gopclntab" }
      || dynamic?.needed.contains { $0.hasPrefix("libswift") } == true
    // Without a stack segment the loader takes the old default, which is executable.
    let stack = image.segments.first { $0.type == ELFSegment.stack }
    nx = stack.map { !$0.isExecutable } ?? (image.header.machine == .ppc64)
    let guards = ["__stack_chk_fail", "__intel_security_cookie"]
    var hasCanary = guards.contains { imported.contains($0) }
    if !hasCanary, dynamic?.needed.isEmpty != false {
      hasCanary = guards.contains { image.hasStaticSymbol($0) }
    }
    canary = hasCanary
    fortified = imports.filter(Fortify.isChecked)
    fortifiable = imports.filter { Fortify.names.contains($0) }
    androidLevel = image.androidLevel
    canaryState = CanaryEvidence.state(
      has: hasCanary, isOtherwiseSafe: isSwift || !fortified.isEmpty, called: imports.lazy.map { $0[...] })
    fortify = Fortify.state(
      checked: fortified, unchecked: fortifiable, mayTell: !isSwift && androidLevel == nil)
    switch image.header.type {
    case .executable: pie = .no
    case .sharedObject:
      let hasLoader = image.segments.contains { $0.type == ELFSegment.interpreter }
      pie = hasLoader || dynamic?.isPositionIndependentProgram == true ? .yes : .library
    default: pie = .object
    }
    let hasRelro = image.segments.contains { $0.type == ELFSegment.readOnlyAfterRelocation }
    relro = !hasRelro ? .no : dynamic?.bindsAtOnce == true ? .full : .partial
    rpath = dynamic?.rpath
    runpath = dynamic?.runpath
    symbols = image.hasStaticSymbols
    needed = dynamic?.needed ?? []
    soname = dynamic?.soname
    textRelocations = dynamic?.hasTextRelocations ?? false
    buildID = image.buildID.map { $0.bytes.hexadecimal }
    interposable = pie == .library && dynamic?.isSymbolic != true ? names.exportedFunctions : 0
    let features = image.codeFeatures
    func state(_ bit: UInt32) -> ScanState {
      guard [.x86_64, .i386, .aarch64].contains(image.header.machine) else { return .notApplicable }
      return features.map { $0 & bit != 0 ? .yes : .no } ?? .unknown
    }
    branchProtection = state(1)
    returnProtection = state(2)
  }

  /// The segments that are loaded writable and executable at once.
  package var writableAndExecutable: [Int] {
    segments.indices.filter { segments[$0].type == ELFSegment.load && segments[$0].flags & 3 == 3 }
  }
}

/// The functions of C's library that have a form which checks sizes (`_FORTIFY_SOURCE`).
enum Fortify {
  static let names: Set<String> = [
    "asprintf", "confstr", "dprintf", "explicit_bzero", "fgets", "fgetws", "fprintf", "fread", "getcwd",
    "getdomainname", "getgroups", "gethostname", "getlogin_r", "gets", "getwd", "longjmp", "mbsrtowcs", "mbstowcs",
    "memcpy", "memmove", "mempcpy", "memset", "poll", "ppoll", "pread", "pread64", "printf", "read", "readlink",
    "readlinkat", "realpath", "recv", "recvfrom", "snprintf", "sprintf", "stpcpy", "stpncpy", "strcat", "strcpy",
    "strncat", "strncpy", "swprintf", "syslog", "ttyname_r", "vasprintf", "vdprintf", "vfprintf", "vprintf",
    "vsnprintf", "vsprintf", "vswprintf", "vsyslog", "wcrtomb", "wcscat", "wcscpy", "wcsncat", "wcsncpy",
    "wcsrtombs", "wcstombs", "wctomb", "wmemcpy", "wmemmove", "wmemset",
  ]

  /// Those whose form that checks is taken wherever they are called; the others only where a size is known.
  private static let always: Set<String> = [
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf", "dprintf", "asprintf",
  ]

  static func isChecked(_ name: String) -> Bool {
    guard name.hasPrefix("__"), name.hasSuffix("_chk") else { return false }
    return names.contains(String(name.dropFirst(2).dropLast(4)))
  }

  static func state(checked: [String], unchecked: [String], mayTell: Bool) -> ScanState {
    if !checked.isEmpty { return .yes }
    if unchecked.isEmpty { return .notApplicable }
    return mayTell && unchecked.contains { always.contains($0) } ? .no : .unknown
  }
}
