import CDemangle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Demangler {
  /// The runtime's reading of a name, with the compiler's suffixes after it as C++ tools write them.
  func swift(_ symbol: String) -> String? {
    var symbol = symbol
    return symbol.withUTF8 { swift(UnsafeRawBufferPointer($0)) }
  }

  private func swift(_ symbol: UnsafeRawBufferPointer) -> String? {
    if OldSwiftName.matches(symbol) {
      guard let full = OldSwiftName.demangle(symbol) else { return nil }
      return mode == .simplified ? SwiftSimplifier.simplify(full) : full
    }
    let cut = symbol.firstIndex(of: UInt8(ascii: ".")) ?? symbol.count
    let name = UnsafeRawBufferPointer(rebasing: symbol[..<cut])
    guard SwiftNameCheck.isSafe(name), let full = Self.askRuntime(name) else { return nil }
    if mode == .simplified { return SwiftSimplifier.simplify(full) }
    return cut == symbol.count ? full : full + Self.clone(String(decoding: symbol[cut...], as: UTF8.self))
  }

  /// The runtime's text of a name that may be asked for, with types as programmers write them.
  private static func askRuntime(_ name: UnsafeRawBufferPointer) -> String? {
    // In spite of the length, the runtime looks for a NUL behind the name.
    let text = withUnsafeTemporaryAllocation(byteCount: name.count + 1, alignment: 1) { terminated in
      terminated.copyMemory(from: name)
      terminated[name.count] = 0
      return terminated.baseAddress.flatMap {
        mpaas_demangle_swift($0.assumingMemoryBound(to: CChar.self), name.count)
      }
    }
    guard let text else { return nil }
    defer { free(text) }
    let length = strlen(text)
    guard length <= longest else { return nil }
    return SwiftSugar.apply(UnsafeRawBufferPointer(start: text, count: length))
  }

  func rust(_ symbol: String) -> String? {
    if let legacy = LegacyRustName(Self.withoutExtraUnderscore(symbol)) {
      let path = legacy.path.joined(separator: "::")
      return mode == .simplified ? path : path + "::" + legacy.hash + Self.clone(legacy.suffix)
    }
    guard let name = RustName.demangle(Self.withoutExtraUnderscore(symbol)) else { return nil }
    guard mode == .simplified, let clone = name.range(of: " [clone ") else { return name }
    return String(name[..<clone.lowerBound])
  }

  /// The reading of the C++ ABI's library; by our own reader the short form, which it does not have, and names past the
  /// 1024 bytes at which GCC's library gives up.
  ///
  /// Substitutions can make a name grow exponentially. Our reader's output is bounded, so a long name goes to the
  /// library only after the reader got through it.
  func cxx(_ symbol: String) -> String? {
    let name = Self.withoutExtraUnderscore(symbol)
    if mode == .simplified { return CxxName.demangle(name, isShort: true) }
    var bounded: String?
    if name.utf8.count > Self.harmlessLength {
      bounded = CxxName.demangle(name, isShort: false)
      if bounded == nil { return nil }
    }
    guard let text = mpaas_demangle_cxx(name) else { return bounded }
    defer { free(text) }
    return String(cString: text)
  }

  /// A C++ name of so many bytes cannot grow past a few hundred kilobytes.
  private static let harmlessLength = 128

  /// Mach-O puts an underscore before every name.
  static func withoutExtraUnderscore(_ symbol: String) -> String {
    symbol.hasPrefix("__") ? String(symbol.dropFirst()) : symbol
  }

  /// The suffixes of a name, as `.part.0.cold`, in the form that C++ tools give them: ` [clone .part.0] [clone .cold]`.
  static func clone(_ suffix: some StringProtocol) -> String {
    var clones = ""
    for part in suffix.split(separator: ".") {
      // A number or a hash belongs to the word before it.
      let isWord = part.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
      if !isWord, !clones.isEmpty {
        clones.removeLast()
        clones += ".\(part)]"
      } else {
        clones += " [clone .\(part)]"
      }
    }
    return clones
  }
}

extension String {
  /// The first place of `text`.
  func range(of text: String) -> Range<String.Index>? {
    let wanted = Array(text.utf8)
    var start = startIndex
    while let hit = self[start...].utf8.firstIndex(of: wanted[0]) {
      if self[hit...].utf8.starts(with: wanted) { return hit..<utf8.index(hit, offsetBy: wanted.count) }
      start = utf8.index(after: hit)
    }
    return nil
  }
}
