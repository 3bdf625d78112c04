import MPaaSCrashReport

/// Tells code of language runtimes and of the system from that of programs.
enum RuntimeCode {
  /// Tells whether an image belongs to the system; the program's own never does.
  static func isSystem(_ image: CrashReport.Image?, main: CrashReport.Image?) -> Bool {
    guard let image else { return false }
    if image == main { return false }
    return isSystem(path: image.path, name: image.name)
  }

  /// Tells whether a file with this path belongs to the system, where it is not the program itself.
  static func isSystem(path: String, name: String) -> Bool {
    folders.contains { path.hasPrefix($0) } || libraries.contains { name.hasPrefix($0) }
      || simulators.contains { path.holds($0) }
  }

  private static let folders = [
    "/usr/lib/", "/lib/", "/lib32/", "/lib64/", "/usr/libexec/", "/System/", "/Library/Apple/", "/Developer/",
    "/private/preboot/", "/apex/", "/system/", "C:\\Windows\\", "[", "linux-vdso", "linux-gate",
  ]

  /// The folders on a developer's machine above the system's own files.
  private static let simulators = ["/RuntimeRoot/", ".app/Contents/Developer/"]

  /// Tells whether a call is of a language's runtime or library, wherever its code lies.
  static func isRuntime(_ call: CrashReport.Call) -> Bool {
    if let symbol = call.symbol, let module = swiftModule(symbol) { return swiftModules.contains(module) }
    if let file = call.file, isLibrarySource(file) { return true }
    let name = call.function
    if name.hasPrefix(trapName) || name.hasPrefix("thunk for ") { return true }
    let undecorated = undecorated(name)
    if undecorated.hasPrefix("reabstraction thunk") || undecorated.hasPrefix("merged reabstraction") { return true }
    if undecorated.hasPrefix("Swift.") || undecorated.hasPrefix("(extension in Swift):") { return true }
    if call.file.map({ $0.hasSuffix("<compiler-generated>") }) ?? true, isLibraryType(undecorated) { return true }
    let plain = CanonicalName.of(name)
    if isRust(name, plain) || isGo(plain, file: call.file) || isSwiftRuntime(name, file: call.file) { return true }
    // The inlined call of a closure has no name but this; the calls around it tell whose it is.
    if plain == "operator()" { return true }
    if isRuntimeName(plain) { return true }
    // Programs may have functions of these names, and then in files of their own.
    return call.file == nil && (isLibraryFunction(plain) || isReserved(plain, of: name))
  }

  /// Tells whether a demangled name is of a type of Swift's library, whose generic code is compiled into programs.
  ///
  /// Extensions that a program writes of such types have its file.
  private static func isLibraryType(_ name: Substring) -> Bool {
    guard let end = name.utf8.firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "<") }) else {
      return false
    }
    return swiftTypes.contains(name[..<end])
  }

  private static let swiftTypes: Set<Substring> = [
    "Array", "ArraySlice", "ContiguousArray", "Dictionary", "Set", "Optional", "String", "Substring", "Sequence",
    "BidirectionalCollection", "RandomAccessCollection", "MutableCollection",
    "RangeReplaceableCollection", "LazySequence", "LazyMapSequence", "LazyFilterSequence", "ClosedRange",
    "BinaryInteger", "FixedWidthInteger", "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer",
    "UnsafeMutableRawPointer", "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer",
    "UnsafeMutableRawBufferPointer", "ManagedBuffer", "AnyHashable", "_ArrayBuffer",
    "_ContiguousArrayBuffer", "_SliceBuffer", "_ArrayBufferProtocol", "_NativeDictionary", "_NativeSet",
    "__RawDictionaryStorage", "__RawSetStorage", "_StringGuts", "_StringObject", "_ContiguousArrayStorage",
  ]

  /// The compiler's name for the inlined call of a check that traps.
  static let trapName = "Swift runtime failure: "

  private static let libraries = [
    "libswift", "libc.so", "libc-", "libstdc++", "libc++", "libgcc_s", "libpthread", "ld-linux", "ld-musl", "libunwind",
    "libdispatch", "libBlocksRuntime", "libm.so", "libFoundation", "lib_Foundation", "libasan", "libtsan", "libubsan",
    "liblsan", "libmsan", "libclang_rt", "libgcc", "libgo.so", "libstd-",
  ]

  private static let swiftModules: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials", "Dispatch",
  ]

  /// The plain form of a Swift name, without what the compiler made of it: `specialized`, `closure #1 in`, ….
  static func undecorated(_ name: String) -> Substring {
    var rest = name[...]
    for _ in 0..<8 {
      let before = rest
      for word in [
        "specialized ", "merged ", "partial apply forwarder for ", "partial apply for ", "@objc ", "@nonobjc ",
        "static ", "virtual thunk to ", "non-virtual thunk to ", "dispatch thunk of ", "async function pointer to ",
        "protocol witness for ", "thunk for ", "default argument 0 of ", "nonisolated ",
      ] {
        if rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
      }
      if rest.hasPrefix("generic ") || rest.hasPrefix("function signature "), let of = rest.place(of: "> of ") {
        rest = rest[of.upperBound...]
      }
      if rest.hasPrefix("("), let part = rest.place(of: "partial function for "),
        rest[..<part.lowerBound].allSatisfy({ $0.isASCII }), rest[..<part.lowerBound].count < 24
      {
        rest = rest[part.upperBound...]
      }
      if rest.hasPrefix("closure #") || rest.hasPrefix("implicit closure #"), let place = rest.place(of: " in ") {
        rest = rest[place.upperBound...]
      }
      if rest == before { break }
    }
    return rest
  }

  /// The module that a mangled Swift symbol belongs to; nil for other symbols and where it does not say.
  ///
  /// Source: swift/docs/ABI/Mangling.rst, "Substitutions" and "Declaration contexts".
  static func swiftModule(_ symbol: String) -> String? {
    guard let prefix = ["$s", "_$s", "$S", "_$S", "$e", "_$e"].first(where: symbol.hasPrefix) else { return nil }
    var rest = symbol.dropFirst(prefix.count)
    if let (module, _) = identifier(rest) { return module }
    switch rest.popFirst() {
    case "s": return "Swift"
    case "S":
      guard let type = rest.popFirst() else { return nil }
      if type == "o" || type == "C" { return nil }
      if type == "c" {
        _ = rest.popFirst()
        return extended(rest) ?? "_Concurrency"
      }
      return extended(rest) ?? "Swift"
    default: return nil
    }
  }

  /// The module of an extension: an identifier with `E` behind it.
  private static func extended(_ text: Substring) -> String? {
    guard let (name, rest) = identifier(text), rest.first == "E" else { return nil }
    return name
  }

  /// An identifier with its length before it.
  private static func identifier(_ text: Substring) -> (String, Substring)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let length = Int(digits), length > 0, digits.first != "0" else { return nil }
    let rest = text.dropFirst(digits.count)
    guard rest.count >= length else { return nil }
    return (String(rest.prefix(length)), rest.dropFirst(length))
  }
}
