import MPaaSSupport

/// A module as a user asks for it: `NAME`, or `NAME@REQUIREMENT`.
package struct ModuleRequest: Sendable, Equatable {
  package let name: String
  /// nil for the newest version.
  package let requirement: String?

  /// - Throws: `ModuleError` `module-add-word` where it is no name, or none with a requirement.
  package init(_ word: String) throws(ModuleError) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let requirement = parts.count > 1 ? parts[1] : nil
    guard let name = parts.first, ModuleName.isValid(name),
      requirement.map({ !$0.isEmpty && VersionRequirement($0) != nil }) ?? true
    else { throw ModuleError(.moduleAddWord, ["word": word]) }
    self.name = name
    self.requirement = requirement
  }
}

extension ModuleError.Code {
  static var moduleAddWord: Self { Self("module-add-word", exit: .usage) }
}
