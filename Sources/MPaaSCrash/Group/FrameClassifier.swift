import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// Says of each call of a stack what it is called and whose code it is; remembers what it said.
///
/// The same functions stand in the stacks of many reports, so a classifier is kept for as many of them as possible.
/// Its memory is bounded.
package struct FrameClassifier {
  /// The facts that grouping needs to know of a call.
  struct Facts {
    /// Nil where the report does not name it.
    let name: String?
    let module: String
    let verdict: Fingerprint.Verdict
    /// The line of the rule that makes stacks begin here.
    let sentinel: Int?
    /// The program's entry, which the crash says nothing by.
    let isEntry: Bool
    /// A failure's entry: its callees came after the fault, see `RuntimeCode.isFailure`.
    let isFailure: Bool
    /// Tells whether a rule said what the call is.
    let isRuled: Bool
  }

  private struct Key: Hashable {
    let function: String
    let symbol: String?
    let file: String?
    let image: ImageFacts
    let exception: String
    /// Only where a rule asks for it: the paths of one app differ on every device.
    let path: String?

    /// The rest seldom tells two calls apart.
    func hash(into hasher: inout Hasher) {
      hasher.combine(function.isEmpty ? image.module : function)
    }
  }

  /// The facts that the image of a frame tells of it.
  struct ImageFacts: Hashable {
    let module: String
    let isSystem: Bool
    /// Tells whether it is the program's own file, whose name says nothing.
    let isMain: Bool
    /// Tells whether the frame is in an image at all.
    let exists: Bool
  }

  package let rules: GroupingRules
  private let dependsOnException: Bool
  private let dependsOnPath: Bool
  private var known: [Key: Facts] = [:]
  private var knownImages: [String: ImageFacts] = [:]
  private let most: Int

  /// - Parameter most: How many calls, and how many images, it remembers.
  package init(rules: GroupingRules = GroupingRules(), most: Int = 100_000) {
    self.rules = rules
    self.most = most
    func depends(on subject: GroupingRules.Matcher.Subject) -> Bool {
      rules.rules.contains { $0.matchers.contains { $0.subject == subject } }
    }
    dependsOnException = depends(on: .exception)
    dependsOnPath = depends(on: .path) || depends(on: .module)
  }

  /// - Parameter isMain: Whether the image is the program itself, which is never the system's.
  mutating func facts(of image: CrashReport.Image?, isMain: Bool) -> ImageFacts {
    guard let image else { return ImageFacts(module: "", isSystem: false, isMain: false, exists: false) }
    if isMain { return ImageFacts(module: Self.module(image), isSystem: false, isMain: true, exists: true) }
    if let facts = knownImages[image.path] { return facts }
    if knownImages.count >= most { knownImages.removeAll(keepingCapacity: true) }
    let facts = ImageFacts(
      module: Self.module(image), isSystem: RuntimeCode.isSystem(path: image.path, name: image.name), isMain: false,
      exists: true)
    knownImages[image.path] = facts
    return facts
  }

  /// - Parameter call: Nil for a frame without symbols.
  mutating func facts(
    _ call: CrashReport.Call?, in imageFacts: ImageFacts, of image: CrashReport.Image?, exception: String
  ) -> Facts {
    let key = Key(
      function: call?.function ?? "", symbol: call?.symbol, file: call?.file, image: imageFacts,
      exception: dependsOnException ? exception : "", path: dependsOnPath ? image?.path : nil)
    if let facts = known[key] { return facts }
    if known.count >= most { known.removeAll(keepingCapacity: true) }
    let facts = classify(call, imageFacts, image, exception)
    known[key] = facts
    return facts
  }

  private func classify(
    _ call: CrashReport.Call?, _ imageFacts: ImageFacts, _ image: CrashReport.Image?, _ exception: String
  ) -> Facts {
    let module = imageFacts.module
    var name = call.flatMap { CanonicalName.of($0, module: module) }
    var verdict = Fingerprint.Verdict.counted
    var isFailure = false
    // The runtime's messengers are told from their callers in system code, too.
    if let call, RuntimeCode.isRuntime(call) {
      verdict = .runtime
      isFailure = RuntimeCode.isFailure(call)
      if !isFailure, !imageFacts.isSystem, let owner = CarriedClosure.owner(of: call.function) {
        name = owner
        verdict = .counted
      }
    } else if imageFacts.isSystem {
      verdict = .system
    } else if !imageFacts.exists, name == nil {
      verdict = .nowhere
    }
    var isRuled = false
    var sentinel: Int?
    for rule in rules.rules where matches(rule, call, name, image, module, exception) {
      isRuled = isRuled || rule.action != .sentinel
      switch rule.action {
      case .app: verdict = .counted
      case .notApp: verdict = .notApp(rule: rule.line)
      case .ignore: verdict = .ignored(rule: rule.line)
      case .prefix: verdict = .prefix(rule: rule.line)
      case .sentinel: sentinel = rule.line
      }
    }
    let isEntry = verdict == .counted && (name.map(Self.isEntry) ?? false)
    return Facts(
      name: name, module: module, verdict: verdict, sentinel: sentinel, isEntry: isEntry, isFailure: isFailure,
      isRuled: isRuled)
  }

  private static func isEntry(_ name: String) -> Bool {
    let last = name.split(whereSeparator: { $0 == "." || $0 == ":" }).last ?? ""
    return ["main", "$main", "start", "async_Main"].contains(last)
  }

  private func matches(
    _ rule: GroupingRules.Rule, _ call: CrashReport.Call?, _ name: String?, _ image: CrashReport.Image?,
    _ module: String, _ exception: String
  ) -> Bool {
    rule.matchers.allSatisfy { matcher in
      let pattern = matcher.pattern
      let fits =
        switch matcher.subject {
        case .function: [name, call?.function].contains { $0.map(pattern.matches) ?? false }
        case .module: pattern.matches(module) || pattern.matches(image?.name ?? "")
        case .path: pattern.matches(image?.path ?? "")
        case .file: pattern.matches(call?.file ?? "")
        case .family: Self.families(call).contains(pattern.text)
        case .exception: pattern.matches(exception)
        }
      return fits != matcher.isNegated
    }
  }

  /// The languages of a call by its names and its file; `native` is all that is compiled to machine code.
  private static func families(_ call: CrashReport.Call?) -> Set<String> {
    guard let call else { return ["native"] }
    let ending = call.file?.split(separator: "/").last?.split(separator: ".").last.map(String.init) ?? ""
    if ["java", "kt"].contains(ending) { return ["java"] }
    if let language = Demangler.language(of: call.symbol ?? call.function) { return [language.rawValue, "native"] }
    if call.function.hasPrefix("-[") || call.function.hasPrefix("+[") { return ["objc", "native"] }
    switch ending {
    case "swift", "rs", "c": return [ending == "rs" ? "rust" : ending, "native"]
    case "m", "mm": return ["objc", "native"]
    default: return [call.function.holds("::") ? "cxx" : "c", "native"]
    }
  }

  /// An image's name without versions, endings and the parts that debug builds are cut into.
  static func module(_ image: CrashReport.Image?) -> String {
    guard let image else { return "" }
    var name = image.name[...]
    if let last = name.split(separator: "\\").last { name = last }
    if name.hasSuffix(" (deleted)") { name = name.dropLast(10) }
    if let shared = name.place(of: ".so."), shared.lowerBound > name.startIndex { name = name[..<shared.lowerBound] }
    for ending in [".dylib", ".so", ".dll", ".exe", ".debug"] where name.hasSuffix(ending) && name.count > ending.count
    {
      name = name.dropLast(ending.count)
    }
    return String(name)
  }
}
