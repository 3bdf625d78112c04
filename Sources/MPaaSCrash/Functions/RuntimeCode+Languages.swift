import MPaaSSupport

/// Library code of languages that is compiled into programs: its names and its sources.
extension RuntimeCode {
  /// Tells whether a source file is a language's or the system's.
  static func isLibrarySource(_ file: String) -> Bool {
    sources.contains { file.holds($0) } || sourceFolders.contains { file.hasPrefix($0) }
  }

  private static let sources = [
    "/swift/stdlib/", "/swift-foundation/", "/swift-corelibs-", "/sysdeps/", "/libstdc++-v3/", "/libsanitizer/",
    "/compiler-rt/lib/", "/include/c++/", "/usr/include/", "/usr/lib/gcc/", "/lib/clang/",
    "/library/core/src/", "/library/std/src/", "/library/alloc/src/", "/library/panic_abort/src/",
    "/library/panic_unwind/src/", "/library/proc_macro/src/", "/library/backtrace/src/", "/libcore/", "/liballoc/",
    "/go/src/runtime/", "/swift/linux/", "/libdispatch/src/",
  ]

  /// Names that C libraries give their own sources, and folders of system packages with those of languages.
  private static let sourceFolders = [
    "./nptl/", "./csu/", "./stdlib/", "./malloc/", "./debug/", "./assert/", "./string/", "./stdio-common/", "./libio/",
    "./signal/", "./misc/", "./elf/", "./posix/", "./time/", "./math/", "./setjmp/", "./wcsmbs/", "./io/", "/rustc/",
    "/usr/lib/go-", "/usr/lib/go/src/", "/usr/local/go/src/", "/usr/share/go-", "/opt/go/src/",
  ]

  /// Tells whether a name is of Rust's libraries: a function of theirs, or their code for one of their types.
  static func isRust(_ name: String, _ plain: String) -> Bool {
    guard name.hasPrefix("<") else { return false }
    let inner = name.dropFirst()
    guard let mark = inner.place(of: " as ") else { return isRustLibrary(inner) }
    // `<Vec<T> as Index<I>>::index`; a trait of the program's, or a type of the program's, makes it the program's.
    return isRustLibrary(inner[..<mark.lowerBound]) && isRustLibrary(inner[mark.upperBound...])
  }

  private static func isRustLibrary(_ type: Substring) -> Bool {
    var rest = type
    for _ in 0..<16 {
      let before = rest
      for sign in ["&", "*", "[", "(", "<", "mut ", "const ", "dyn ", "for<'a> ", "!"] where rest.hasPrefix(sign) {
        rest = rest.dropFirst(sign.count)
      }
      if rest == before { break }
    }
    let head = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return head.isEmpty || rustHeads.contains(head)
      || head.count == 1 && head.first?.isUppercase == true && !rest.dropFirst().hasPrefix("::")
  }

  private static let rustHeads: Set<Substring> = [
    "core", "alloc", "std", "hashbrown", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "bool", "char", "str", "fn", "extern", "unsafe",
  ]

  /// Tells whether a name is of a package of Go's library, `sort.insertionSort_func`.
  static func isGo(_ name: String, file: String?) -> Bool {
    guard file?.hasSuffix(".go") ?? true, let end = name.firstIndex(where: { $0 == "." || $0 == "/" }),
      goPackages.contains(name[..<end]), !name.holds("::"), !name.contains(" "), !name.contains("(")
    else { return false }
    // A file of the program's own is no library's; assembly has none that ends so.
    return file == nil || name.hasPrefix("runtime.")
  }

  private static let goPackages: Set<Substring> = [
    "runtime", "sync", "sort", "strings", "bytes", "fmt", "os", "io", "net", "time", "errors", "reflect", "syscall",
    "strconv", "math", "context", "bufio", "encoding", "compress", "crypto", "container", "database", "embed", "expvar",
    "flag", "go", "hash", "html", "image", "index", "internal", "iter", "log", "maps", "mime", "path", "plugin",
    "regexp", "slices", "testing", "text", "unicode", "unique", "cmp", "archive", "vendor", "debug", "_cgo_topofstack",
    "crosscall1", "crosscall2", "type", "runtime_",
  ]

  /// Tells whether a C++ function without a file is of Swift's own runtime, by the types that it takes.
  static func isSwiftRuntime(_ name: String, file: String?) -> Bool {
    guard file == nil, name.holds("swift::") else { return false }
    return name.holds("(swift::") || name.holds(", swift::") || name.holds("<swift::")
      || name.holds(" swift::")
  }
}
