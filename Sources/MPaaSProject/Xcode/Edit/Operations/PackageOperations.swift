import MPaaSSupport

/// The versions of a package that are taken.
package enum PackageRequirement: Sendable, Equatable {
  case from(String)
  case upToNextMinor(String)
  case exact(String)
  case range(from: String, to: String)
  case branch(String)
  case revision(String)

  package enum Kind: String, CaseIterable, Sendable {
    case from
    case upToNextMinor = "up_to_next_minor"
    case exact, range, branch, revision
  }

  /// - Throws: `edit-bad-word` for a range without `..<`.
  package init(_ kind: Kind, _ text: String) throws(ProjectEditError) {
    switch kind {
    case .from: self = .from(text)
    case .upToNextMinor: self = .upToNextMinor(text)
    case .exact: self = .exact(text)
    case .branch: self = .branch(text)
    case .revision: self = .revision(text)
    case .range:
      guard let dots = text.firstRange(of: "..<"), dots.lowerBound != text.startIndex, dots.upperBound != text.endIndex
      else { throw ProjectEditError(.badWord, ["word": text, "expected": "1.2.0..<2.0.0"]) }
      self = .range(from: String(text[..<dots.lowerBound]), to: String(text[dots.upperBound...]))
    }
  }

  /// Reads what is required; of several in a file the last kind counts.
  ///
  /// - Throws: `edit-bad-word` where the words of a command ask for several.
  static func reading(_ input: any EditInput) throws(ProjectEditError) -> Self? {
    var given: [(kind: Kind, text: String)] = []
    for kind in Kind.allCases {
      if let text = try input.text(kind.rawValue) { given.append((kind, text)) }
    }
    guard !input.isCommand || given.count < 2 else {
      let words = given.map { "--" + $0.kind.rawValue.replacing("_", with: "-") }.joined(separator: " ")
      throw ProjectEditError(.badWord, ["word": words, "expected": "--from 1.0.0"])
    }
    var requirement: Self?
    for (kind, text) in given { requirement = try Self(kind, text) }
    return requirement
  }

  var value: PBXValue {
    switch self {
    case .from(let version): ["kind": "upToNextMajorVersion", "minimumVersion": .string(version)]
    case .upToNextMinor(let version): ["kind": "upToNextMinorVersion", "minimumVersion": .string(version)]
    case .exact(let version): ["kind": "exactVersion", "version": .string(version)]
    case .range(let low, let high):
      ["kind": "versionRange", "maximumVersion": .string(high), "minimumVersion": .string(low)]
    case .branch(let name): ["branch": .string(name), "kind": "branch"]
    case .revision(let digest): ["kind": "revision", "revision": .string(digest)]
    }
  }
}

/// Adds a Swift package to the project, and its products to targets.
package struct AddPackage: ProjectOperation {
  package static var word: String { "add-package" }

  /// A URL, or a folder from the project's.
  package var place = ""
  /// nil for a folder, or for what is required already.
  package var requirement: PackageRequirement?
  package var products: [String] = []
  package var targets = TargetWords.unnamed
  package var position: EditPosition?
  package var phasePosition: EditPosition?
  /// Takes a folder without a package all the same.
  package var missing = false

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .path("package", \.place, .argument("package", "url-or-folder")),
      .texts("products", \.products, .option("add-package.product", "name")), .targets(\.targets),
      EditParameter("from", .option("add-package.from", "version")) { (input, package) throws(ProjectEditError) in
        package.requirement = try PackageRequirement.reading(input)
      },
      EditParameter("up_to_next_minor", .option("add-package.minor", "version")),
      EditParameter("exact", .option("add-package.exact", "version")),
      EditParameter("range", .option("add-package.range", "low..<high")),
      EditParameter("branch", .option("add-package.branch", "name")),
      EditParameter("revision", .option("add-package.revision", "digest")),
      .position(\.position), .phasePosition(\.phasePosition), .missing(\.missing),
    ]
  }

  package static let members = [
    "package", "from", "up_to_next_minor", "exact", "range", "branch", "revision", "products", "targets", "position",
    "phase_position", "missing",
  ]

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    if !missing, !PackagePlace.isURL(place), editor.package(place) == nil {
      try editor.expectOnDisk(PathWords.joined(PackagePlace.folder(place), "Package.swift"))
    }
    let owners = try products.isEmpty ? [] : editor.needed(targets)
    let package = try reference(&editor)
    for product in products {
      for target in owners { try add(product, of: package, to: target, &editor) }
    }
  }

  private func reference(_ editor: inout ProjectEditor) throws(ProjectEditError) -> ProjectEditor.ID {
    let project = try editor.project()
    if let known = editor.package(place) {
      try editor.insert(known, into: "packageReferences", of: project)
      if let requirement, editor.isa(known) == "XCRemoteSwiftPackageReference" {
        editor.set(known, "requirement", requirement.value)
      }
      return known
    }
    let id: ProjectEditor.ID
    if PackagePlace.isURL(place) {
      guard let requirement else {
        throw ProjectEditError(.badWord, ["word": place, "expected": "--from 1.0.0, --branch main"])
      }
      id = editor.add(
        "XCRemoteSwiftPackageReference", seed: PackagePlace.key(place),
        [("repositoryURL", .string(place)), ("requirement", requirement.value)])
    } else {
      id = editor.add(
        "XCLocalSwiftPackageReference", seed: PackagePlace.key(place),
        [("relativePath", .string(PackagePlace.folder(place)))])
    }
    try editor.insert(id, into: "packageReferences", of: project, at: position ?? .last)
    return id
  }

  private func add(
    _ product: String, of package: ProjectEditor.ID, to target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    let known = editor.products(of: target).first { id in
      editor.text(id, "productName") == product
        && [nil, package].contains(editor.text(id, "package"))
    }
    let id: ProjectEditor.ID
    if let known {
      id = known
    } else {
      var members: [(String, PBXValue)] = [("productName", .string(product))]
      if editor.isa(package) == "XCRemoteSwiftPackageReference" { members.append(("package", .string(package))) }
      id = editor.add("XCSwiftPackageProductDependency", seed: target + " " + product, members)
      try editor.insert(id, into: "packageProductDependencies", of: target)
    }
    try editor.addBuildFile(
      for: id, product: true, in: try editor.madePhase(.frameworks, of: target), at: phasePosition ?? .last)
  }
}

/// Takes products of a package out of targets, and the package out of the project where none is left.
package struct RemovePackage: ProjectOperation {
  package static var word: String { "remove-package" }

  /// A URL, a folder, or the last part of one.
  package var place = ""
  /// All where none is named.
  package var products: [String] = []
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("package", \.place, .argument("remove-package.package", "url-or-name")),
      .texts("products", \.products, .option("remove-package.product", "name")), .targets(\.targets, "all-target"),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let all = try editor.targets()
    let owners = try targets == .unnamed ? all : editor.named(targets)
    guard let package = editor.package(place) else { return removeUnowned(from: owners, among: all, &editor) }
    let isLocal = editor.isa(package) != "XCRemoteSwiftPackageReference"
    let known = isLocal ? editor.localProducts(package) : []
    let own = isLocal ? Set(products + known.names) : []
    func isOurs(_ id: ProjectEditor.ID, _ editor: ProjectEditor) -> Bool {
      let name = editor.text(id, "productName") ?? ""
      let isNamed = products.isEmpty || products.contains(name)
      // Products of a folder do not always say whose they are.
      return isNamed
        && (editor.text(id, "package") == package
          || isLocal && editor.text(id, "package") == nil && own.contains(name))
    }
    for target in owners {
      for id in editor.products(of: target) where isOurs(id, editor) { editor.removeProduct(id, of: target) }
      editor.removeEmptyProducts(of: target, among: all)
    }
    let isUsed = all.contains { target in
      editor.products(of: target).contains { id in
        let owner = editor.text(id, "package")
        return owner == package || owner == nil && own.contains(editor.text(id, "productName") ?? "")
      }
    }
    guard !isUsed, products.isEmpty && targets == .unnamed || !isLocal else { return }
    if isLocal, !known.isComplete { noteUnowned(all, besides: package, &editor) }
    try editor.removeReference(package)
  }

  /// Tells which products may still be of the package.
  private func noteUnowned(
    _ targets: [ProjectEditor.ID], besides package: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) {
    let others = editor.productsOfFolders(besides: package)
    let names = Set(
      targets.flatMap { editor.products(of: $0) }.filter { editor.text($0, "package") == nil }
        .compactMap { editor.text($0, "productName") })
    let rest = names.subtracting(others).sorted()
    if !rest.isEmpty { editor.note(.localProducts, place, ProjectEditor.shown(rest)) }
  }

  /// Takes named products out whose package is not in the project any more.
  private func removeUnowned(
    from owners: [ProjectEditor.ID], among all: [ProjectEditor.ID], _ editor: inout ProjectEditor
  ) {
    guard !products.isEmpty, !PackagePlace.isURL(place) else { return editor.note(.absent, place) }
    let others = editor.productsOfFolders(besides: nil)
    var removed: Set<String> = []
    for target in owners {
      for id in editor.products(of: target) where editor.text(id, "package") == nil {
        guard let name = editor.text(id, "productName"), products.contains(name), !others.contains(name) else {
          continue
        }
        editor.removeProduct(id, of: target)
        removed.insert(name)
      }
      editor.removeEmptyProducts(of: target, among: all)
    }
    for name in products where !removed.contains(name) { editor.note(.absent, name) }
  }
}

extension ProjectEditor {
  /// The products that a target takes from packages.
  func products(of target: ID) -> [ID] { list(target, "packageProductDependencies").filter { object($0) != nil } }

  /// The products that the manifests of local packages declare.
  func productsOfFolders(besides package: ID?) -> Set<String> {
    let packages = all("XCLocalSwiftPackageReference").filter { $0 != package }
    return Set(packages.flatMap { files.products(text($0, "relativePath") ?? ".")?.names ?? [] })
  }

  mutating func removeProduct(_ id: ID, of target: ID) {
    removeBuildFiles(for: id, of: [target])
    remove(id, from: "packageProductDependencies", of: target)
    drop(id)
  }

  /// The products that targets take from a local package as far as it is certain, whose entries don't name it.
  ///
  /// Those that its manifest declares; all without a package where it does not tell them all and nothing else in the
  /// project can be theirs.
  fileprivate func localProducts(_ package: ID) -> PackageProducts {
    let known = files.products(text(package, "relativePath") ?? ".") ?? PackageProducts([], isComplete: false)
    if known.isComplete { return known }
    // Before Xcode 15 a package was a reference to its folder.
    let folders = all("PBXFileReference").contains { id in
      ["folder", "wrapper"].contains(text(id, "lastKnownFileType") ?? "")
    }
    guard all("XCLocalSwiftPackageReference") == [package], !folders else { return known }
    let unowned = all("XCSwiftPackageProductDependency").filter { text($0, "package") == nil }
    return PackageProducts(known.names + unowned.compactMap { text($0, "productName") })
  }

  /// The package of a URL, a folder, or the last part of one.
  func package(_ place: String) -> ID? {
    let packages = all("XCRemoteSwiftPackageReference") + all("XCLocalSwiftPackageReference")
    func address(_ id: ID) -> String { text(id, "repositoryURL") ?? text(id, "relativePath") ?? "" }
    let key = PackagePlace.key(place)
    if let known = packages.first(where: { $0 == place || PackagePlace.key(address($0)) == key }) { return known }
    guard !place.contains("/") else { return nil }
    let named = packages.filter { PathWords.last(PackagePlace.key(address($0))) == key }
    return named.count == 1 ? named.first : nil
  }

  /// Takes an empty list away where other targets without products have none: Xcode writes empty ones since it makes
  /// them with targets.
  mutating func removeEmptyProducts(of target: ID, among all: [ID]) {
    let key = "packageProductDependencies"
    guard self[target, key] == [], !all.contains(where: { $0 != target && self[$0, key] == [] }) else { return }
    set(target, key, PBXValue?.none)
  }

  mutating func removeReference(_ package: ID) throws(ProjectEditError) {
    let project = try project()
    remove(package, from: "packageReferences", of: project)
    if list(project, "packageReferences").isEmpty { set(project, "packageReferences", PBXValue?.none) }
    drop(package)
  }
}

/// The places of packages.
enum PackagePlace {
  /// Tells whether it is no folder: `https://…`, `git@host:path`.
  static func isURL(_ place: String) -> Bool {
    place.contains("://")
      || (place.contains("@") && place.contains(":") && !place.hasPrefix("/") && !place.hasPrefix("."))
  }

  static func folder(_ place: String) -> String { PathWords.plain(place).isEmpty ? "." : PathWords.plain(place) }

  /// The common form of two ways of writing the same place.
  static func key(_ place: String) -> String {
    guard isURL(place) else { return PathWords.plain(place).lowercased() }
    var key = place.lowercased()
    while key.hasSuffix("/") { key.removeLast() }
    if key.hasSuffix(".git") { key.removeLast(4) }
    return key
  }
}
