import MPaaSSupport
import MPaaSSymbols

/// The findings about one Mach-O image by itself.
struct MachOFindings {
  let facts: MachOFacts
  let place: ScanPlace

  var all: [ScanFinding] {
    guard facts.kind == .executable || facts.kind == .sharedLibrary else {
      return ImportFindings(names: facts.calledNames, place: place).all
    }
    return protections + searchPaths + ImportFindings(names: facts.calledNames, place: place).all
  }

  private var protections: [ScanFinding] {
    var found: [ScanFinding] = []
    // A library is loaded anywhere, whatever its flags say.
    if facts.kind == .executable, !facts.pie {
      found.append(ScanFinding(.notPositionIndependent, place, "MH_PIE"))
    }
    if facts.allowStackExecution { found.append(ScanFinding(.executableStack, place, "MH_ALLOW_STACK_EXECUTION")) }
    if !facts.writableAndExecutable.isEmpty {
      found.append(ScanFinding(.writableCode, place, facts.writableAndExecutable.joined(separator: ", ")))
    }
    if facts.canaryState == .no { found.append(ScanFinding(.noCanary, place, "___stack_chk_fail")) }
    if facts.debugMap { found.append(ScanFinding(.debugMap, place, "N_STAB")) }
    return found
  }

  private var searchPaths: [ScanFinding] {
    var found: [ScanFinding] = []
    for path in facts.runPaths where SearchPath.isOutside(machO: path) {
      found.append(ScanFinding(.runPathOutside, place, path))
    }
    for library in facts.libraries where library.kind != .own && SearchPath.isOutside(machO: library.name) {
      found.append(ScanFinding(.libraryOutside, place, library.name))
    }
    return found
  }
}

/// The folders that a loader may take libraries from, beside those of the app and of the system.
enum SearchPath {
  private static let systems = ["/usr/lib/", "/System/", "/Library/Apple/", "/System/Cryptexes/"]

  /// Tells whether a path of a Mach-O image leads out of the app, to where the system keeps nothing.
  static func isOutside(machO path: String) -> Bool {
    if path.hasPrefix("@") { return false }
    return !systems.contains { (path + "/").hasPrefix($0) }
  }

  /// Tells whether a path of an ELF file leads to where others may put a library, or to the current folder.
  static func isOutside(elf path: Substring) -> Bool {
    if path.isEmpty { return true }
    if path.hasPrefix("$ORIGIN") || path.hasPrefix("${ORIGIN}") { return false }
    let own = ["/usr/lib", "/lib", "/usr/lib64", "/lib64", "/system/lib", "/vendor/lib", "/apex/"]
    return !own.contains { path == $0 || path.hasPrefix($0 + "/") || ($0.hasSuffix("/") && path.hasPrefix($0)) }
  }
}
