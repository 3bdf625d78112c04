/// Turns the names that linkers see into those that programmers wrote.
///
/// Swift names go through the runtime's own demangler, those of Swift up to 3 through a reader of ours; C++ and Rust (v0 and legacy) through the readers beside this file.
/// A name that is not mangled, or not by these rules, comes back as it is. Names are bounded in length and in what
/// they may grow to, so that one made up to cost time costs none.
package struct Demangler: Sendable, Hashable {
  package enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
    /// All that the name says: modules, types, generic arguments.
    case full
    /// What a reader of a crash needs: no modules and argument types (Swift), no parameters and template arguments
    /// (C++), no hash (Rust).
    case simplified
    /// The linker's name.
    case none
  }

  package enum Language: String, Sendable, Hashable, Codable {
    case swift, cxx, rust
  }

  package var mode: Mode

  package init(mode: Mode = .full) {
    self.mode = mode
  }

  /// The programmer's name of a symbol.
  package func demangle(_ symbol: String) -> String {
    guard mode != .none, symbol.utf8.count <= Self.longest, let language = Self.language(of: symbol) else {
      return symbol
    }
    switch language {
    case .swift: return swift(symbol) ?? symbol
    case .cxx: return cxx(symbol) ?? symbol
    case .rust: return rust(symbol) ?? symbol
    }
  }

  /// Which language's rules a name is mangled by, told by how it begins (and ends, for legacy Rust).
  package static func language(of symbol: String) -> Language? {
    var name = symbol[...]
    // Mach-O puts an underscore before every name.
    if name.hasPrefix("__Z") || name.hasPrefix("__R") || name.hasPrefix("___Z") { name = name.dropFirst() }
    if name.hasPrefix("_Z") || name.hasPrefix("__Z") { return LegacyRustName(String(name)) != nil ? .rust : .cxx }
    if name.hasPrefix("_R"), name.dropFirst(2).first.map({ $0.isASCII && ($0.isLetter || $0.isNumber) }) == true {
      return .rust
    }
    return swiftPrefixes.contains { name.hasPrefix($0) } || OldSwiftName.matches(name) ? .swift : nil
  }

  private static let swiftPrefixes = ["$s", "_$s", "$S", "_$S", "$e", "_$e", "_T0"]
  /// Bytes of a name, mangled or not; the longest of real programs are below a tenth of this.
  static let longest = 1 << 16
}
