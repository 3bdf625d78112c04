import Foundation
import MPaaSModules
import Testing

/// A registry written as the JSON of `mpaas sdk resolve`.
func resolverInput(_ text: String) throws -> ResolverInput {
  try Data(text.utf8).withUnsafeBytes { try ResolverFile(reading: $0, file: "test").input }
}

func resolve(_ input: ResolverInput) throws -> [String: String]? {
  guard case .solved(let releases) = try ModuleResolver(input).resolve() else { return nil }
  return releases.mapValues(\.version.text)
}

func conflict(_ input: ResolverInput) throws -> ResolutionConflict {
  guard case .unsatisfiable(let conflict) = try ModuleResolver(input).resolve() else {
    throw ResolverTestError.solved
  }
  return conflict
}

enum ResolverTestError: Error { case solved }

extension ResolverInput {
  /// The request after the changes of a fix.
  func applying(_ fix: ResolutionConflict.Fix) -> ResolverInput {
    var input = self
    for change in fix.changes {
      switch change {
      case .require(let module, let old, let new):
        let place = input.roots.firstIndex { $0.name == module && $0.requirement.text == old.text }
        if let place { input.roots[place].requirement = new }
      case .remove(let module):
        if let place = input.roots.firstIndex(where: { $0.name == module }) { input.roots.remove(at: place) }
      case .rename(let module, let name):
        for place in input.roots.indices where input.roots[place].name == module { input.roots[place].name = name }
      case .raiseMinimum(_, let version): input.minimum = version
      }
    }
    return input
  }
}

/// Checks every explanation: it is short, it names what the project asks for, and what it offers works.
func check(_ conflict: ResolutionConflict, of input: ResolverInput, _ comment: String) throws {
  #expect((1...8).contains(conflict.lines.count), "\(comment)")
  let names = Set(input.roots.map(\.name))
  #expect(conflict.lines.contains { $0.values["module"].map(names.contains) ?? false }, "\(comment)")
  #expect(!conflict.fixes.isEmpty, "\(comment)")
  for fix in conflict.fixes {
    #expect(try resolve(input.applying(fix)) != nil, "\(comment): \(fix)")
  }
}

/// The rules that say whether a choice is one, written a second time and simply.
struct ResolverOracle {
  let input: ResolverInput
  let modules: [ModuleIndex]

  private func needs(_ dependency: ModuleDependency, _ owner: String) -> Bool {
    dependency.applies(on: input.platform)
      && (!dependency.isOptional || input.wanted[owner]?.contains(dependency.name) == true)
  }

  func isAvailable(_ release: ModuleRelease, in index: ModuleIndex) -> Bool {
    if release.version == input.locked[index.name] { return fitsPlatform(release) }
    let roots = input.roots.filter { $0.name == index.name }
    if release.yanked != nil, !roots.contains(where: { $0.requirement.exact == release.version }) { return false }
    if release.version.isPrerelease, !roots.contains(where: \.requirement.namesPrerelease),
      !index.releases.allSatisfy(\.version.isPrerelease)
    {
      return false
    }
    return fitsPlatform(release)
  }

  private func fitsPlatform(_ release: ModuleRelease) -> Bool {
    guard let platform = input.platform, !release.manifest.platforms.isEmpty else { return true }
    guard let needed = release.manifest.platforms[platform] else { return false }
    return input.minimum.map { needed <= $0 } ?? true
  }

  func isSolution(_ chosen: [String: ModuleRelease]) -> Bool {
    for root in input.roots {
      guard let release = chosen[root.name], root.requirement.contains(release.version) else { return false }
    }
    for (name, release) in chosen {
      guard let index = modules.first(where: { $0.name == name }), isAvailable(release, in: index) else { return false }
      for dependency in release.manifest.dependencies where dependency.applies(on: input.platform) {
        if let other = chosen[dependency.name] {
          guard dependency.requirement.contains(other.version) else { return false }
        } else if needs(dependency, name) {
          return false
        }
      }
      for conflict in release.manifest.conflicts where conflict.name != name {
        if let other = chosen[conflict.name], conflict.requirement.contains(other.version) { return false }
      }
    }
    return true
  }

  /// Only what is needed, from the roots on.
  func needed(_ chosen: [String: ModuleRelease]) -> [String: ModuleVersion] {
    var result: [String: ModuleVersion] = [:]
    var queue = input.roots.map(\.name)
    while let name = queue.popLast() {
      guard result[name] == nil, let release = chosen[name] else { continue }
      result[name] = release.version
      queue += release.manifest.dependencies.filter { needs($0, name) }.map(\.name)
    }
    return result
  }

  /// All solutions that hold nothing but what is needed, found by trying everything.
  func solutions() -> Set<[String: ModuleVersion]> {
    var found: Set<[String: ModuleVersion]> = []
    var chosen: [String: ModuleRelease] = [:]
    func visit(_ place: Int) {
      guard place < modules.count else {
        if isSolution(chosen) { found.insert(needed(chosen)) }
        return
      }
      let name = modules[place].name
      chosen[name] = nil
      visit(place + 1)
      for release in modules[place].releases {
        chosen[name] = release
        visit(place + 1)
      }
      chosen[name] = nil
    }
    visit(0)
    return found
  }
}
