import MPaaSSupport
import MPaaSSymbols

/// The findings about bundles: what their lists say, and what their images use without saying so.
struct BundleFindings {
  private let bundles: [BundleFacts]
  private let index: BundleIndex
  /// Categories that the manifests of a bundle declare, by its path.
  private var declared: [String: Set<String>] = [:]
  /// Names of other images that the images of a bundle use, by its path.
  private var used: [String: Set<String>] = [:]
  /// The same for a bundle with all bundles in it.
  private var usedWithin: [String: Set<String>] = [:]

  init(_ report: ScanReport) {
    bundles = report.bundles
    index = BundleIndex(report.bundles)
    for manifest in report.privacyManifests {
      if let home = index.codeBundle(of: manifest.path) {
        declared[home.path, default: []].formUnion(manifest.categories)
      }
    }
    for image in report.images {
      guard let names = image.deviceImports else { continue }
      let wanted = names.filter { SystemCalls.isWanted($0) }
      for bundle in index.bundles(around: image.path) { usedWithin[bundle.path, default: []].formUnion(wanted) }
      if !isOfSwift(image.path), let home = index.codeBundle(of: image.path) {
        used[home.path, default: []].formUnion(wanted)
      }
    }
  }

  var all: [ScanFinding] {
    let apps = bundles.filter { ["app", "appex", "appclip"].contains($0.ending) }
    return apps.flatMap(said) + apps.filter { $0.ending == "app" }.flatMap(usages) + bundles.flatMap(reasons)
  }

  /// Findings that need nothing but the list.
  private func said(_ bundle: BundleFacts) -> [ScanFinding] {
    let place = ScanPlace(bundle.list)
    var found: [ScanFinding] = []
    if bundle.transport.allowsArbitraryLoads {
      found.append(ScanFinding(.arbitraryLoads, place, "NSAllowsArbitraryLoads"))
    }
    for exception in bundle.transport.kinds + bundle.transport.exceptions {
      found.append(ScanFinding(.transportException, place, exception))
    }
    for scheme in bundle.schemes { found.append(ScanFinding(.urlScheme, place, scheme)) }
    if bundle.sharesFiles { found.append(ScanFinding(.fileSharing, place, "UIFileSharingEnabled")) }
    for key in bundle.usages.keys.sorted() where bundle.usages[key]?.allSatisfy(\.isWhitespace) == true {
      found.append(ScanFinding(.usageMissing, place, key))
    }
    return found
  }

  /// Classes whose use asks the user, of an app and of the frameworks in it, without a text for the question.
  private func usages(_ app: BundleFacts) -> [ScanFinding] {
    let names = usedWithin[app.path] ?? []
    return SystemCalls.usages.compactMap { name, keys in
      guard names.contains(name), !keys.contains(where: { app.usages[$0] != nil }) else { return nil }
      let shown = name.dropFirst("_OBJC_CLASS_$_".count)
      return ScanFinding(.usageMissing, ScanPlace(app.list), "\(shown): \(keys.joined(separator: ", "))")
    }
  }

  /// Functions that need a reason, of the images that this bundle has and no bundle inside it.
  private func reasons(_ bundle: BundleFacts) -> [ScanFinding] {
    var byCategory: [String: Set<String>] = [:]
    for name in used[bundle.path] ?? [] {
      if let category = SystemCalls.reasons[name] { byCategory[category, default: []].insert(name) }
    }
    let declared = declared[bundle.path] ?? []
    return byCategory.keys.sorted().compactMap { category in
      guard !declared.contains(category) else { return nil }
      let names = (byCategory[category] ?? []).sorted().joined(separator: ", ")
      return ScanFinding(.privacyUndeclared, ScanPlace(bundle.list), "\(category): \(names)")
    }
  }

  /// The libraries of Swift itself, which come with Xcode.
  private func isOfSwift(_ path: String) -> Bool {
    let name = FileSystem.name(of: path)
    return name.hasPrefix("libswift") && name.hasSuffix(".dylib")
  }
}

extension ScannedImage {
  /// The names that an image for iPhones and their kin takes from others; nil for others.
  fileprivate var deviceImports: [String]? {
    guard case .machO(let facts) = facts, facts.isForDevices else { return nil }
    return facts.imports.names
  }
}
