package import MPaaSCrashReport
import MPaaSSymbols

extension CrashText {
  /// The uncaught exception; else the first line of the last words; where nothing was said, what the compiler called
  /// the trap.
  ///
  /// Optimised Swift prints nothing: there the check that failed stands in the name of an inlined call,
  /// `Swift runtime failure: Index out of range`.
  package static func message(_ report: CrashReport) -> String? {
    if let thrown = report.thrown { return thrown.name + (thrown.reason.map { ": " + $0 } ?? "") }
    // Standard error may hold anything beside the runtime's words.
    let words = report.lastWords.filter { $0.key != "stderr" }
    let texts = words.sorted { $0.key < $1.key }.flatMap(\.value)
    if let line = texts.lazy.flatMap({ $0.split(whereSeparator: \.isNewline) }).first { return String(line) }
    guard let index = report.faultingThread, report.threads.indices.contains(index) else { return nil }
    let calls = report.threads[index].frames.first?.calls ?? []
    let name = calls.lazy.map(\.function).first { $0.hasPrefix(RuntimeCode.trapName) }
    return name.map { String($0.dropFirst(RuntimeCode.trapName.count)) }
  }

  /// A function's name as people call it: `Ladder.level(at:)` for a Swift name with modules, types and results.
  ///
  /// The parts that an async function is cut into at its suspension points have the function's own name.
  package static func name(_ call: CrashReport.Call) -> String {
    guard let symbol = call.symbol, Demangler.language(of: symbol) == .swift else {
      return wholeFunction(call.function)
    }
    let whole = wholeFunction(symbol)
    let name = Demangler(mode: .simplified).demangle(whole)
    return name == whole ? call.function : name
  }

  /// A Swift symbol without `TY1_` or `TQ1_` at its end, which number the parts of an async function.
  ///
  /// Source: swift/docs/ABI/Mangling.rst, "await resume" and "suspend resume" partial functions.
  private static func wholeFunction(_ symbol: String) -> String {
    guard symbol.hasSuffix("_") else { return symbol }
    let stem = symbol.dropLast().reversed().drop { $0.isASCII && $0.isNumber }
    let text = String(stem.reversed())
    return text.hasSuffix("TY") || text.hasSuffix("TQ") ? String(text.dropLast(2)) : symbol
  }
}
