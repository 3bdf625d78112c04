package import MPaaSModules
import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

extension RepositoryEditor {
  /// Changes the modules of the repository in one edit.
  ///
  /// - Parameters:
  ///   - role: The role that vouches for new files; nil for the one that clients ask first for their names.
  ///   - edit: Changes of other targets in the same edit.
  /// - Throws: `TrustError`, those of modules among them.
  package func editModules(
    keys: [SigningKey], role: String? = nil, also edit: (inout RepositoryDraft) throws(TrustError) -> Void = { _ in },
    _ change: (inout ModuleShelf) throws(ModuleError) -> Void
  ) throws(TrustError) -> Outcome {
    try self.edit(keys: keys) { draft throws(TrustError) in
      do throws(ModuleError) {
        var shelf = try ModuleShelf(reading: &draft)
        try change(&shelf)
        do throws(TrustError) { try shelf.write(to: &draft, role: role) } catch { throw ModuleError(error) }
      } catch {
        throw error.trustError
      }
      try edit(&draft)
    }
  }

  /// Takes targets and versions of modules out of the offer.
  ///
  /// - Parameters:
  ///   - names: Targets, and modules as `NAME@VERSION`.
  ///   - isWhole: Whether the name of a module alone stands for all its versions.
  /// - Throws: `TrustError` of names that are not offered.
  package func remove(_ names: [String], wholeModules isWhole: Bool, keys: [SigningKey]) throws(TrustError) -> Outcome {
    var draft = try read()
    var targets: [String] = []
    var modules: [(name: String, version: ModuleVersion?)] = []
    for name in names {
      // A target may be called as a version is.
      if try draft.target(name) != nil {
        targets.append(name)
      } else if isWhole, ModuleName.isValid(name) {
        modules.append((name, nil))
      } else if let module = ModuleAtVersion(name) {
        modules.append((module.name, module.version))
      } else {
        targets.append(name)
      }
    }
    let (chosen, versions) = (targets, modules)
    func removeTargets(_ draft: inout RepositoryDraft) throws(TrustError) {
      for target in chosen { try draft.remove(target) }
    }
    guard !versions.isEmpty else {
      return try edit(keys: keys) { draft throws(TrustError) in try removeTargets(&draft) }
    }
    return try editModules(keys: keys, also: removeTargets) { shelf throws(ModuleError) in
      for module in versions { try shelf.remove(module.name, module.version) }
    }
  }
}

/// A version of a module, written `NAME@VERSION`.
package struct ModuleAtVersion: Sendable, Equatable {
  package let name: String
  package let version: ModuleVersion

  /// - Returns: nil where the text is no name with a version.
  package init?(_ text: String) {
    guard let sign = text.lastIndex(of: "@"), !text.contains("/") else { return nil }
    name = String(text[..<sign])
    guard ModuleName.isValid(name), let version = ModuleVersion(String(text[text.index(after: sign)...])) else {
      return nil
    }
    self.version = version
  }
}
