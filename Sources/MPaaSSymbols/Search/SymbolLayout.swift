import MPaaSSupport

/// The arrangement of symbol files by their build in a folder or at a server.
///
/// - Source: symbolicator, "Symbol Server Compatibility"; SSQP Key Conventions; GDB manual, "Separate Debug Files";
///   LLDB, "Symbols on macOS", file-mapped UUID directories; debuginfod(8).
package enum SymbolLayout: String, Sendable, Hashable, CaseIterable, Codable {
  case debuginfod
  /// Sentry's: `<2 digits>/<rest>/debuginfo`.
  case unified
  /// `<name>/<breakpad ID>/<name>.sym`.
  case breakpad
  /// Microsoft's with file names as they are.
  case symstore
  /// The same below a folder of the file name's first two characters.
  case symstoreIndex2 = "symstore-index2"
  /// Microsoft's with file names in lower case.
  case ssqp
  /// File-mapped UUID directories.
  case lldb
  /// A `.build-id` folder.
  case gdb
  /// The usual layout for each kind of file: LLDB's, GDB's and Breakpad's.
  case native

  /// The file and the build that are wanted.
  package struct Query: Sendable, Equatable {
    package var buildID: BuildID
    package var role: SymbolRole
    /// The image's file name; some layouts need it.
    package var name: String?

    package init(_ buildID: BuildID, _ role: SymbolRole, name: String? = nil) {
      self.buildID = buildID
      self.role = role
      self.name = name
    }
  }

  /// The paths below the root where a file may be, without `/` in front; none where the layout has no place for it.
  package func paths(for query: Query) -> [String] {
    let hex = query.buildID.hex
    let isDebug = query.role == .debugInfo
    guard isDebug || [.executable, .breakpad].contains(query.role), hex.count > 2 else { return [] }
    switch self {
    case .debuginfod: return query.role == .breakpad ? [] : ["buildid/\(hex)/\(query.role.rawValue)"]
    case .unified: return ["\(hex.prefix(2))/\(hex.dropFirst(2))/\(query.role.rawValue)"]
    case .breakpad: return query.role == .breakpad ? breakpadPaths(query) : []
    case .symstore, .ssqp: return (query.role == .breakpad ? breakpadPaths(query) : microsoftPaths(query))
    case .symstoreIndex2: return SymbolLayout.symstore.paths(for: query).map { "\($0.prefix(2))/\($0)" }
    case .lldb:
      return query.role == .breakpad || !isUUID(query) ? [] : [uuidPath(query.buildID) + (isDebug ? "" : ".app")]
    case .gdb: return SymbolLayout.buildIDPaths(query).map { ".build-id/" + $0 }
    case .native:
      if query.role == .breakpad { return breakpadPaths(query) }
      return SymbolLayout.lldb.paths(for: query) + SymbolLayout.buildIDPaths(query)
    }
  }

  private static func buildIDPaths(_ query: Query) -> [String] {
    guard query.role != .breakpad else { return [] }
    let hex = query.buildID.hex
    return ["\(hex.prefix(2))/\(hex.dropFirst(2))" + (query.role == .debugInfo ? ".debug" : "")]
  }

  /// Sixteen bytes are a Mach-O file's UUID, most often.
  private func isUUID(_ query: Query) -> Bool { query.buildID.bytes.count == 16 }

  private func uuidPath(_ id: BuildID) -> String {
    let digits = id.hex.uppercased()
    var parts: [Substring] = []
    var rest = digits[...]
    for _ in 0..<5 {
      parts.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return (parts + [rest]).joined(separator: "/")
  }

  private func breakpadPaths(_ query: Query) -> [String] {
    guard let name = query.name, SymbolLayout.isPlain(name) else { return [] }
    var file = name
    for ending in [".exe", ".dll", ".pdb"] where name.lowercased().hasSuffix(ending) {
      file = String(name.dropLast(ending.count))
    }
    let swapped = BreakpadID(query.buildID, isMachO: false).text
    let plain = BreakpadID(query.buildID, isMachO: true).text
    let ids = isUUID(query) ? [plain, swapped] : [swapped]
    return ids.map { "\(name)/\($0)/\(file).sym" }
  }

  private func microsoftPaths(_ query: Query) -> [String] {
    let hex = query.buildID.hex
    if query.role == .debugInfo {
      let elf = "_.debug/elf-buildid-sym-\(hex)/_.debug"
      return isUUID(query) ? ["_.dwarf/mach-uuid-sym-\(hex)/_.dwarf", elf] : [elf]
    }
    guard let given = query.name, SymbolLayout.isPlain(given) else { return [] }
    let name = self == .ssqp ? given.lowercased() : given
    let elf = "\(name)/elf-buildid-\(hex)/\(name)"
    return isUUID(query) ? ["\(name)/mach-uuid-\(hex)/\(name)", elf] : [elf]
  }

  /// Tells whether a name, which comes out of a report, is no way to another folder.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}

extension SymbolLayout {
  /// The places of the file below a folder of an unknown layout, each once.
  static func localPaths(for query: Query) -> [String] {
    var seen: Set<String> = []
    var paths = allCases.filter { $0 != .debuginfod }.flatMap { $0.paths(for: query) }
    // A cache of debuginfod's client.
    if query.role != .breakpad { paths.append("\(query.buildID.hex)/\(query.role.rawValue)") }
    return paths.filter { seen.insert($0).inserted }
  }

  /// Tells whether a folder's names tell that a layout arranges it: going through all of it would take long and find
  /// nothing.
  static func arranges(_ names: [String]) -> Bool {
    let folders = names.filter { !$0.hasPrefix(".") }
    guard folders.count >= 16 else { return false }
    let arranged = folders.filter { name in
      [2, 4, 32, 40].contains(name.utf8.count) && BuildID(hex: name) != nil && !name.contains("-")
    }
    return arranged.count * 10 >= folders.count * 9
  }
}
