internal import MPaaSLock

/// Stands for a function of the app that a patch replaces before the app has entered it.
final class AwaitedTarget: PatchTarget {
  private struct Content {
    var target: (any PatchTarget)?
    var replacement: Replacement?
  }

  let name: String
  private let content = Lock<Content>(Content())

  init(_ name: String) {
    self.name = name
  }

  var hasArrived: Bool { target != nil }
  private var target: (any PatchTarget)? { content.withLock { $0.target } }

  /// Hands the replacement on to the function that is there now.
  func arrive(_ target: any PatchTarget) {
    let replacement = content.withLock { content in
      content.target = target
      return content.replacement
    }
    if let replacement { target.install(replacement) }
  }

  var signature: SymbolList.Signature { target?.signature ?? SymbolList.Signature([], .any) }

  var replacement: Replacement? {
    let (target, replacement) = content.withLock { ($0.target, $0.replacement) }
    return target.map(\.replacement) ?? replacement
  }

  func install(_ replacement: Replacement?) {
    let target = content.withLock { content in
      content.replacement = replacement
      return content.target
    }
    target?.install(replacement)
  }

  func callOriginal(
    _ stack: PatchStack, first: Int32, frame: UnsafeMutableRawPointer?
  ) throws -> HostResult {
    guard let target else { throw PatchValueError("the app has no function '\(name)' yet") }
    return try target.callOriginal(stack, first: first, frame: frame)
  }
}
