import MPaaSCrashReport
import MPaaSSymbols

/// A function's name without what differs between builds, compilers and tools: what grouping compares.
///
/// Template arguments, parameters, results, qualifiers, hashes, clone suffixes and specialisations go; closures, lambdas
/// and blocks get the name of the function that they are written in. Swift, Objective-C, C++, Rust and Java-like names
/// are told apart by their shape, as the reports themselves do not say the language.
enum CanonicalName {
  /// The canonical name of a call; nil where the call has no name that says anything.
  ///
  /// - Parameter module: The name of the image; a leading component of the same name goes, as only some tools write it.
  static func of(_ call: CrashReport.Call, module: String) -> String? {
    var text = call.function
    if let symbol = call.symbol, Demangler.language(of: symbol) == .swift {
      text = CrashText.name(call)
    } else if Demangler.language(of: text) != nil {
      // Formats that keep the linker's names; the parts of async functions go with CrashText's rule.
      var mangled = call
      mangled.symbol = text
      text = Demangler.language(of: text) == .swift ? CrashText.name(mangled) : simplified.demangle(text)
    }
    guard !saysNothing(text) else { return nil }
    let name = of(text)
    return saysNothing(name) ? nil : withoutModule(name, module)
  }

  /// The canonical form of a demangled name.
  static func of(_ name: String) -> String {
    guard name.utf8.count <= longest else { return String(name.prefix(256)) }
    let (stem, wasBlock) = withoutSuffixes(name[...])
    var text = String(RuntimeCode.undecorated(String(stem)))
    if let method = objectiveC(text, isBlock: wasBlock) { return method }
    if let method = go(text) { return method }
    if wasBlock, text.hasPrefix("__") { text = String(text.dropFirst(2).drop { $0 == "_" }) }
    if let witness = witness(text) { text = witness }
    text = withoutDiscriminators(text)
    let places = text.split(separator: " in ").map(String.init)
    if !text.holds("::"), places.count > 1 {
      return places.prefix(8).map { plain($0) }.filter { !$0.isEmpty }.joined(separator: " in ")
    }
    let short = plain(text)
    return short.isEmpty ? text : short
  }

  private static let simplified = Demangler(mode: .simplified)
  /// Bytes; longer names are cut, not read.
  private static let longest = 1 << 14

  /// Names that tools write where they know none.
  private static func saysNothing(_ name: String) -> Bool {
    if name.isEmpty || name.hasPrefix("0x") || name.hasPrefix("___lldb_unnamed_symbol") { return true }
    return placeholders.contains(name)
  }

  private static let placeholders: Set<String> = [
    "???", "??", "<redacted>", "<deduplicated_symbol>", "<unknown>", "<compiler-generated>", "<stripped>", "(null)",
    "unknown", "_mh_execute_header", "__mh_execute_header", "_mh_dylib_header",
  ]

  /// `Shop.Cart.add` of the image `Shop` is `Cart.add`.
  private static func withoutModule(_ name: String, _ module: String) -> String {
    guard !name.holds("::"), !module.isEmpty, name.hasPrefix(module) else { return name }
    let rest = name.dropFirst(module.count)
    return rest.first == "." && rest.count > 1 ? String(rest.dropFirst()) : name
  }
}

// MARK: - Suffixes

extension CanonicalName {
  /// Parts of names behind a dot that the compiler added: they number clones and pieces of one function.
  private static let cloneWords: Set<Substring> = [
    "cold", "warm", "hot", "unlikely", "llvm", "part", "constprop", "isra", "lto_priv", "resume", "destroy", "cleanup",
    "localalias", "__uniq", "specialized", "outlined", "abi0", "abiinternal",
  ]

  /// The name without clone suffixes, symbol versions and marks of tools, and whether it was a block's.
  private static func withoutSuffixes(_ name: Substring) -> (Substring, wasBlock: Bool) {
    var rest = name
    var wasBlock = false
    for _ in 0..<16 {
      let before = rest.utf8.count
      while rest.last == " " { rest = rest.dropLast() }
      for mark in ["[inlined]", "[async]", "@plt"] where rest.hasSuffix(mark) { rest = rest.dropLast(mark.count) }
      if let open = rest.place(of: " [clone ", isLast: true), rest.hasSuffix("]") { rest = rest[..<open.lowerBound] }
      if let open = rest.place(of: " (.", isLast: true), rest.hasSuffix(")") { rest = rest[..<open.lowerBound] }
      if let version = rest.place(of: "@@", isLast: true), version.lowerBound > rest.startIndex {
        rest = rest[..<version.lowerBound]
      }
      rest = withoutClone(rest)
      rest = withoutHash(rest)
      if let block = withoutBlock(rest) {
        rest = block
        wasBlock = true
      }
      if rest.utf8.count == before { break }
    }
    return (rest, wasBlock)
  }

  private static func withoutClone(_ name: Substring) -> Substring {
    var rest = name
    // Numbers and hashes go only with the word before them: `f.part.3`, `f.llvm.123`, `f.cold`.
    for _ in 0..<3 {
      guard let dot = rest.lastIndex(of: "."), dot > rest.startIndex else { return name }
      let word = rest[rest.index(after: dot)...]
      rest = rest[..<dot]
      if cloneWords.contains(word) { return rest }
      guard !word.isEmpty, word.allSatisfy(\.isHexDigit) else { return name }
      if rest.hasSuffix("_block_invoke") || isNumberedBlock(rest) { return rest }
    }
    return name
  }

  /// Legacy Rust's `::h` and 16 hexadecimal digits.
  private static func withoutHash(_ name: Substring) -> Substring {
    guard let mark = name.place(of: "::h", isLast: true) else { return name }
    let hash = name[mark.upperBound...]
    return hash.count == 16 && hash.allSatisfy(\.isHexDigit) ? name[..<mark.lowerBound] : name
  }

  /// `f_block_invoke`, `f_block_invoke_2` without the mark of a block; nil for other names.
  private static func withoutBlock(_ name: Substring) -> Substring? {
    if name.hasSuffix("_block_invoke") { return name.dropLast(13) }
    guard isNumberedBlock(name), let mark = name.place(of: "_block_invoke_", isLast: true) else { return nil }
    return name[..<mark.lowerBound]
  }

  private static func isNumberedBlock(_ name: Substring) -> Bool {
    guard let mark = name.place(of: "_block_invoke_", isLast: true) else { return false }
    return name[mark.upperBound...].allSatisfy { $0.isASCII && $0.isNumber }
  }
}

// MARK: - Languages

extension CanonicalName {
  /// `-[Class(Category) method:]` as `-[Class method:]`; also of a block in one, `__21-[Class method:]`.
  private static func objectiveC(_ name: String, isBlock: Bool) -> String? {
    var text = name[...]
    if isBlock, text.hasPrefix("__") { text = text.dropFirst(2).drop { $0.isASCII && $0.isNumber } }
    guard text.hasPrefix("-[") || text.hasPrefix("+["), let end = text.firstIndex(of: "]"),
      let space = text[..<end].firstIndex(of: " ")
    else { return nil }
    let type = text[..<space].prefix { $0 != "(" }
    return String(type) + String(text[space...end])
  }

  /// Go's `shop/cart.(*Cart).Add.func1` as `shop/cart.Cart.Add`; nil for names that only look like it or do not.
  private static func go(_ name: String) -> String? {
    let marks = name.holds(".(*") || name.holds("[...]") || name.holds("[go.shape.")
    guard !name.holds("::"), !name.contains(" "), marks || !name.contains("(") else { return nil }
    var scan = NameScan(name.replacing(".(*", with: ".").replacing(").", with: "."))
    var parts = scan.withoutBrackets().split(separator: ".", omittingEmptySubsequences: false)
    let count = parts.count
    while parts.count > 2, let last = parts.last, isGoClosure(last) || isNumber(last) && isNumbered(parts.dropLast()) {
      parts.removeLast()
    }
    let last = parts.removeLast()
    parts.append(last.hasSuffix("-fm") ? last.dropLast(3) : last)
    return marks || parts.count < count || last.hasSuffix("-fm") ? parts.joined(separator: ".") : nil
  }

  /// `func1`, `gowrap2`, `deferwrap1`, `dwrap`: what Go numbers of a function's closures.
  private static func isGoClosure(_ part: Substring) -> Bool {
    ["func", "gowrap", "deferwrap", "dwrap", "dwrap·"].contains { word in
      part.hasPrefix(word) && isNumber(part.dropFirst(word.count))
    }
  }

  private static func isNumbered(_ parts: ArraySlice<Substring>) -> Bool {
    parts.last.map { isGoClosure($0) || isNumber($0) || $0 == "dwrap" } ?? false
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// A type's own member, `Cart.remove`, of what calls it for a protocol, `Removing.remove(at:) in conformance Cart`.
  private static func witness(_ name: String) -> String? {
    guard let mark = name.place(of: " in conformance ") else { return nil }
    let (member, rest) = (name[..<mark.lowerBound], name[mark.upperBound...])
    guard let colon = rest.place(of: " : ") else {
      guard let dot = member.firstIndex(of: ".") else { return String(member) }
      return String(rest) + member[dot...]
    }
    // In full, `Shop.Removing.remove(at: Swift.Int) -> () in conformance Shop.Cart : Shop.Removing in Shop`.
    let interface = rest[colon.upperBound...].prefix { $0 != " " } + "."
    guard member.hasPrefix(interface) else { return String(member) }
    return String(rest[..<colon.lowerBound]) + "." + member.dropFirst(interface.count)
  }

  /// Private Swift names, `(add in _6F5902AC237024BDD0C176CB93063DC4)`, as `add`.
  private static func withoutDiscriminators(_ name: String) -> String {
    var result = ""
    var rest = name[...]
    while let mark = rest.place(of: " in _"), let open = rest[..<mark.lowerBound].lastIndex(of: "("),
      let close = rest[mark.upperBound...].firstIndex(of: ")"),
      rest[mark.upperBound..<close].allSatisfy(\.isHexDigit)
    {
      result += rest[..<open] + rest[rest.index(after: open)..<mark.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// A name without all that stands in brackets, without results and qualifiers, component by component.
  private static func plain(_ name: String) -> String {
    var scan = NameScan(name)
    var text = scan.withoutBrackets()
    if let arrow = text.place(of: " ->") { text = String(text[..<arrow.lowerBound]) }
    for word in [" const", " volatile", " noexcept", " async", " throws", " infix", " prefix", " postfix", "&", " "] {
      while text.hasSuffix(word), !text.hasSuffix("operator&"), !text.hasSuffix("operator&&") {
        text = String(text.dropLast(word.count))
      }
    }
    text = withoutResult(text)
    if text.holds("::") { return components(text) }
    if text.contains("$") { text = java(text) }
    return text.split(separator: " ").filter { !$0.hasPrefix("#") }.joined(separator: " ")
  }

  /// `void app::run`: templates and Java methods have their result before them.
  private static func withoutResult(_ text: String) -> String {
    if let mark = text.place(of: "operator", isLast: true) {
      guard let space = text[..<mark.lowerBound].lastIndex(of: " ") else { return text }
      return String(text[text.index(after: space)...])
    }
    guard let space = text.lastIndex(of: " ") else { return text }
    let last = text[text.index(after: space)...]
    return last.hasPrefix("#") || last.isEmpty ? text : String(last)
  }

  /// C++ and Rust: lambdas, anonymous and inline namespaces go.
  private static func components(_ text: String) -> String {
    var parts: [Substring] = []
    var endsInLambda = false
    for part in text.split(separator: "::") {
      let isLambda = part.hasPrefix("$_") || part.hasPrefix("{") || part.hasPrefix("'lambda") || part == "lambda"
      if isLambda {
        endsInLambda = true
        continue
      }
      if endsInLambda, part.hasPrefix("operator") || part == "__invoke" || part == "_FUN" { continue }
      if inlineNamespaces.contains(part) { continue }
      endsInLambda = false
      parts.append(part)
    }
    return parts.joined(separator: "::")
  }

  private static let inlineNamespaces: Set<Substring> = [
    "__1", "__2", "__cxx11", "__ndk1", "_V2", "_GLOBAL__N_1", "`anonymous namespace'",
  ]

  /// `Cart.lambda$add$0` as `Cart.add`, `Cart$1.run` as `Cart.run`, `Cart$$Lambda$14.run` as `Cart.run`.
  private static func java(_ text: String) -> String {
    text.split(separator: ".").map { part -> Substring in
      if part.hasPrefix("lambda$") {
        let inner = part.dropFirst(7)
        return inner.lastIndex(of: "$").map { inner[..<$0] } ?? inner
      }
      if let lambda = part.place(of: "$$"), lambda.lowerBound > part.startIndex { return part[..<lambda.lowerBound] }
      guard let dollar = part.lastIndex(of: "$"), dollar > part.startIndex else { return part }
      let number = part[part.index(after: dollar)...]
      return number.allSatisfy { $0.isASCII && $0.isNumber } ? part[..<dollar] : part
    }.joined(separator: ".")
  }
}
