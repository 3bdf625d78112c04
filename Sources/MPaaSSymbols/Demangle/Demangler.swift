/// Turns the names that linkers see into those that programmers wrote.
///
/// Swift names go through the runtime's own demangler, those of Swift up to 3 through a reader of ours; C++ and Rust
/// (v0 and legacy) through the readers beside this file.
/// A name that is not mangled, or not by these rules, comes back as it is. Names are bounded in length and in what
/// they may grow to, so that one made up to cost time costs none.
package struct Demangler: Sendable, Hashable {
  package enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
    /// All that the name says: modules, types, generic arguments.
    case full
    /// The parts that a reader of a crash needs: no modules and argument types (Swift), no parameters and template
    /// arguments (C++), no hash (Rust).
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

  /// The language whose rules a name is mangled by, told by how it begins (and ends, for legacy Rust).
  package static func language(of symbol: String) -> Language? {
    var symbol = symbol
    return symbol.withUTF8 { language(of: UnsafeRawBufferPointer($0)) }
  }

  private static func language(of symbol: UnsafeRawBufferPointer) -> Language? {
    if symbol.begins(with: "$") { return isSwift(symbol) ? .swift : nil }
    guard symbol.begins(with: "_") else { return nil }
    // Mach-O puts an underscore before every name.
    let hasExtra = symbol.begins(with: "__Z") || symbol.begins(with: "__R") || symbol.begins(with: "___Z")
    let name = hasExtra ? UnsafeRawBufferPointer(rebasing: symbol[1...]) : symbol
    if name.begins(with: "_Z") || name.begins(with: "__Z") { return LegacyRustName.matches(name) ? .rust : .cxx }
    if name.begins(with: "_R"), name.count > 2, CxxName.isLetter(name[2]) || RustName.isDigit(name[2]) { return .rust }
    return isSwift(name) || OldSwiftName.matches(name) ? .swift : nil
  }

  /// True where a name begins as those of Swift 4 and later.
  private static func isSwift(_ name: UnsafeRawBufferPointer) -> Bool {
    if name.begins(with: "_T0") { return true }
    let mark = name.begins(with: "_") ? 1 : 0
    guard name.count > mark + 1, name[mark] == UInt8(ascii: "$") else { return false }
    switch name[mark + 1] {
    case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "e"): return true
    default: return false
    }
  }

  /// Bytes of a name, mangled or not; the longest of real programs are below a tenth of this.
  static let longest = 1 << 16
}

extension UnsafeRawBufferPointer {
  /// True where the bytes from `start` on begin with those of `text`.
  @inline(__always)
  func begins(with text: StaticString, at start: Int = 0) -> Bool {
    let wanted = text.utf8CodeUnitCount
    guard start >= 0, start <= count, count - start >= wanted else { return false }
    for index in 0..<wanted where self[start &+ index] != text.utf8Start[index] { return false }
    return true
  }
}
