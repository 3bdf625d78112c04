/// Tells code of language runtimes and of the system from that of programs.
enum RuntimeCode {
  /// Whether an image belongs to the system; the program's own never does.
  static func isSystem(_ image: CrashReport.Image?, main: CrashReport.Image?) -> Bool {
    guard let image else { return false }
    if image == main { return false }
    return isSystem(path: image.path, name: image.name)
  }

  /// Whether a file with this path belongs to the system, where it is not the program itself.
  static func isSystem(path: String, name: String) -> Bool {
    folders.contains { path.hasPrefix($0) } || libraries.contains { name.hasPrefix($0) }
      || simulators.contains { path.contains($0) }
  }

  private static let folders = [
    "/usr/lib/", "/lib/", "/lib32/", "/lib64/", "/usr/libexec/", "/System/", "/Library/Apple/", "/Developer/",
    "/private/preboot/", "/apex/", "/system/", "C:\\Windows\\", "[", "linux-vdso", "linux-gate",
  ]

  /// What the system's own files lie below on a developer's machine.
  private static let simulators = ["/RuntimeRoot/", ".app/Contents/Developer/"]

  /// Whether a call is of a language's runtime or library, wherever its code lies.
  static func isRuntime(_ call: CrashReport.Call) -> Bool {
    if let symbol = call.symbol, let module = swiftModule(symbol) { return swiftModules.contains(module) }
    if let file = call.file, sources.contains(where: { file.contains($0) }) { return true }
    let name = call.function
    if name.hasPrefix(trapName) || name.hasPrefix("thunk for ") || name.hasPrefix("reabstraction thunk") { return true }
    let plain = undecorated(name)
    if call.file.map({ $0.hasSuffix("<compiler-generated>") }) ?? true, isLibraryType(plain) { return true }
    let function = plain.prefix { $0 != "(" && $0 != "@" }
    return functions.contains(String(function)) || prefixes.contains { plain.hasPrefix($0) }
  }

  /// Whether a demangled name is of a type of Swift's library, whose generic code is compiled into programs.
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

  /// How the compiler names the inlined call of a check that traps.
  static let trapName = "Swift runtime failure: "

  private static let libraries = [
    "libswift", "libc.so", "libc-", "libstdc++", "libc++", "libgcc_s", "libpthread", "ld-linux", "ld-musl", "libunwind",
    "libdispatch", "libBlocksRuntime", "libm.so", "libFoundation", "lib_Foundation", "libasan", "libtsan", "libubsan",
  ]

  private static let swiftModules: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials", "Dispatch",
  ]

  private static let sources = ["/swift/stdlib/", "/swift-foundation/", "/sysdeps/", "/libstdc++-v3/"]

  private static let functions: Set<String> = [
    "abort", "raise", "gsignal", "kill", "tgkill", "pthread_kill", "__pthread_kill", "__pthread_kill_implementation",
    "__pthread_kill_internal", "__GI_raise", "__GI_abort", "__restore_rt", "killpg",
    "__stack_chk_fail", "__stack_chk_fail_local", "__fortify_fail", "__chk_fail", "__assert_fail", "__assert_fail_base",
    "__assert", "__assert_rtn", "__libc_message", "__libc_fatal", "malloc_printerr", "malloc_consolidate", "malloc",
    "calloc", "realloc", "free", "cfree", "posix_memalign", "aligned_alloc", "_int_malloc", "_int_free", "_int_realloc",
    "unlink_chunk", "sysmalloc", "tcache_get", "tcache_put", "operator new", "operator delete", "operator new[]",
    "operator delete[]", "exit", "_exit", "__run_exit_handlers",
    "_assertionFailure", "_fatalErrorMessage", "fatalError", "preconditionFailure", "assertionFailure", "precondition",
    "assert", "_precondition", "_preconditionFailure", "_debugPrecondition", "terminate", "objc_exception_throw",
    "__abort_with_payload", "abort_with_payload", "abort_with_payload_wrapper_internal", "__exceptionPreprocess",
    "_objc_terminate", "abort_message", "demangling_terminate_handler", "malloc_vreport", "malloc_report",
    "malloc_error_break", "_sigtramp", "_pthread_start", "_pthread_body", "_pthread_wqthread", "start_wqthread",
    "start",
    "objc_msgSend", "objc_release", "objc_retain", "_objc_fatal", "_start", "start_thread", "clone", "__clone",
    "clone3", "__clone3", "__libc_start_main", "__libc_start_call_main", "__libc_start_main_impl", "thread_start",
  ]

  private static let prefixes =
    [
      "swift_", "_swift_", "swift::", "_Unwind_", "__cxa_", "__cxxabiv1::", "__gxx_", "std::", "__gnu_cxx::", "Swift.",
      "__asan_", "__ubsan_", "__tsan_", "__sanitizer", "__interceptor_", "core::panicking::", "std::panicking::",
      "rust_begin_unwind", "rust_panic", "core::option::", "core::result::", "__mem", "__str", "__wcs",
      "__GI_mem", "__GI_str", "_dl_", "__vdso_",
      "+[NSException raise", "-[NSException raise", "-[NSAssertionHandler handleFailure", "objc_msgSend_",
      "_objc_msgSend",
    ] + stringFunctions

  /// The C library's functions on memory and strings, which its own code calls with suffixes such as `_avx_unaligned`.
  private static let stringFunctions = [
    "memcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "strlen", "strnlen", "strcpy", "strncpy", "strcat",
    "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strdup", "strtol", "wcslen", "wmemset",
  ]

  /// What a Swift name is of, without what the compiler made of it: `specialized`, `closure #1 in`, ….
  static func undecorated(_ name: String) -> Substring {
    var rest = name[...]
    for _ in 0..<8 {
      let before = rest
      for word in [
        "specialized ", "merged ", "partial apply forwarder for ", "partial apply for ", "@objc ", "@nonobjc ",
        "static ", "virtual thunk to ", "non-virtual thunk to ", "dispatch thunk of ", "async function pointer to ",
        "protocol witness for ", "thunk for ",
      ] {
        if rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
      }
      if rest.hasPrefix("generic ") || rest.hasPrefix("function signature "), let of = rest.firstRange(of: "> of ") {
        rest = rest[of.upperBound...]
      }
      if rest.hasPrefix("("), let part = rest.firstRange(of: "partial function for "),
        rest[..<part.lowerBound].allSatisfy({ $0.isASCII }), rest[..<part.lowerBound].count < 24
      {
        rest = rest[part.upperBound...]
      }
      if rest.hasPrefix("closure #") || rest.hasPrefix("implicit closure #"), let place = rest.firstRange(of: " in ") {
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
