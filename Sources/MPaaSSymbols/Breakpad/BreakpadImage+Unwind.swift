extension BreakpadImage {
  /// The `STACK CFI` records; nil where there are none, or they are of a processor that nothing unwinds.
  package var unwindSource: (any UnwindSource)? {
    guard !table.frames.isEmpty, let architecture = UnwindArchitecture.named(architecture, isApple: isMachO) else {
      return nil
    }
    return BreakpadUnwind(image: self, architecture: architecture)
  }
}

/// The rules of a Breakpad symbol file; addresses count from the module's load address.
private struct BreakpadUnwind: UnwindSource {
  let image: BreakpadImage
  let architecture: UnwindArchitecture

  func rules(at address: UInt64) -> UnwindRules? {
    guard let found = image.stackCFI(at: address) else { return nil }
    return StackCFI(initial: found.initial, changes: found.changes.map(\.rules), architecture: architecture)?.rules
  }
}
