import MPaaSSupport

/// The library that is linked with a target: a framework or a library of the system, or one of the project's own.
package struct LinkedWord: Sendable, Equatable {
  /// The path, from the system's root where it is the system's.
  let path: String
  /// nil for a path from the project's folder, or an absolute one.
  let sourceTree: String?

  var name: String { PathWords.last(path) }

  /// - Parameter word: A path (`Vendor/Pay.xcframework`), or what the system has: `CoreData`, `CoreData.framework`,
  ///   `libz.tbd`; with `isLibrary` also `z`.
  package init(_ word: String, isLibrary: Bool = false) {
    let end = word.lastIndex(of: ".").map { String(word[word.index(after: $0)...]) } ?? ""
    let isWhole = ["framework", "xcframework", "a", "tbd", "dylib"].contains(end)
    if word.contains("/") || end == "a" || end == "xcframework" {
      (path, sourceTree) = (PathWords.plain(word), nil)
    } else if isLibrary || (isWhole && end != "framework") {
      let name = isWhole ? word : (word.hasPrefix("lib") ? word : "lib" + word) + ".tbd"
      (path, sourceTree) = ("usr/lib/" + name, "SDKROOT")
    } else {
      (path, sourceTree) = ("System/Library/Frameworks/" + (isWhole ? word : word + ".framework"), "SDKROOT")
    }
  }
}

/// Links frameworks and libraries with targets, and embeds them in what the targets make.
package struct AddFramework: ProjectOperation {
  package static var word: String { "add-framework" }

  package var words: [String] = []
  package var isLibrary = false
  package var targets = TargetWords.unnamed
  /// Tells whether it is copied into the product.
  package var embeds = false
  /// Tells whether what is embedded is signed on the way; its headers stay behind in any case.
  package var signs = true
  /// Tells whether the product starts without it.
  package var isWeak = false
  package var links = true
  /// The group `Frameworks`, made where there is none, where it is nil.
  package var group: String?
  package var position: EditPosition?
  package var phasePosition: EditPosition?
  /// Adds files that are not on disk all the same.
  package var missing = false

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .paths("names", \.words, .argument("add-framework.names", "framework", .file([]))), .targets(\.targets),
      .flag("library", \.isLibrary), .flag("embed", \.embeds, .option("add-framework.embed")),
      .negatedFlag("sign", \.signs, .option("add-framework.no-sign", named: "no-sign")),
      .flag("weak", \.isWeak, .option("add-framework.weak")),
      .negatedFlag("link", \.links, .option("add-framework.no-link", named: "no-link")),
      .group(\.group, "frameworks-group"), .position(\.position), .phasePosition(\.phasePosition), .missing(\.missing),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let targets = try editor.needed(targets)
    for word in words {
      let linked = LinkedWord(word, isLibrary: isLibrary)
      if linked.sourceTree == nil, !missing { try editor.expectOnDisk(linked.path) }
      var others: [ProjectEditor.ID] = []
      for target in targets where try !addToFolder(linked, target, &editor) { others.append(target) }
      guard !others.isEmpty else { continue }
      let reference = try reference(linked, &editor)
      for target in others {
        if links {
          let settings: [(String, PBXValue)] = isWeak ? [("ATTRIBUTES", ["Weak"])] : []
          try editor.addBuildFile(
            for: reference, in: try editor.madePhase(.frameworks, of: target), settings: settings,
            at: phasePosition ?? .last)
        }
        // Libraries of the system are never in a product.
        if embeds, linked.sourceTree == nil {
          try editor.addBuildFile(
            for: reference, in: try editor.madePhase(.embed, of: target),
            settings: [("ATTRIBUTES", .strings(attributes))])
        }
      }
    }
  }

  private var attributes: [String] { (signs ? ["CodeSignOnCopy"] : []) + ["RemoveHeadersOnCopy"] }

  /// Links and embeds a framework by the synchronized folder that it lies in: the project gets no reference.
  ///
  /// - Returns: false where it lies in none, or has a reference.
  private func addToFolder(
    _ linked: LinkedWord, _ target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> Bool {
    guard linked.sourceTree == nil, try editor.linked(linked) == nil,
      let place = try editor.synchronized(linked.path, for: target)
    else { return false }
    let isBuilt = editor.draft.builds(place, target)
    guard try editor.set(place, built: links, by: target) else { return false }
    if isBuilt, links { editor.note(.synced, linked.path, place.folder.path) }
    if links, isWeak { try editor.set("attributesByRelativePath", ["Weak"], of: place, .target(target)) }
    if embeds {
      let phase = ExceptionSet.phase(try editor.madePhase(.embed, of: target))
      try editor.insert(place, into: "membershipExceptions", of: phase)
      try editor.set("attributesByRelativePath", .strings(attributes), of: place, phase)
    }
    return true
  }

  private func reference(
    _ linked: LinkedWord, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> ProjectEditor.ID {
    if let known = try editor.linked(linked) { return known }
    let parent: ProjectTree.Node
    if let group {
      parent = try editor.group(group)
    } else {
      parent = try editor.frameworksGroup()
    }
    var look = ProjectEditor.ReferenceLook()
    look.sourceTree = linked.sourceTree
    return try editor.reference(linked.path, in: parent, look, at: position ?? .last)
  }
}

/// Takes frameworks and libraries out of what targets link and embed, and out of the project where no target is left.
package struct RemoveFramework: ProjectOperation {
  package static var word: String { "remove-framework" }

  package var words: [String] = []
  package var isLibrary = false
  /// All where none is named.
  package var targets = TargetWords.unnamed

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .paths("names", \.words, .argument("remove-framework.names", "framework")), .targets(\.targets, "all-target"),
      .flag("library", \.isLibrary),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    let owners = try targets == .unnamed ? editor.targets() : editor.named(targets)
    let phases: Set<String> = ["PBXFrameworksBuildPhase", "PBXCopyFilesBuildPhase"]
    for word in words {
      guard let reference = try find(word, &editor) else {
        if try !removeFromFolder(LinkedWord(word, isLibrary: isLibrary), owners, &editor) { editor.note(.absent, word) }
        continue
      }
      let count = editor.removeBuildFiles(for: reference, of: owners, phases: phases)
      if count == 0, targets != .unnamed { editor.note(.absent, word) }
      for target in owners { try editor.removeEmptyEmbedPhase(of: target) }
      guard try !editor.isBuilt(reference), editor.isa(reference) == "PBXFileReference",
        editor.text(reference, "sourceTree") != "BUILT_PRODUCTS_DIR"
      else { continue }
      let parent = try editor.tree()[reference]?.parent
      try editor.detach(reference)
      editor.drop(reference)
      if let parent, editor.text(parent, "name") == "Frameworks", editor.text(parent, "path") == nil,
        editor.list(parent, "children").isEmpty
      {
        try editor.detach(parent)
        editor.drop(parent)
      }
    }
  }

  /// Takes a framework of a synchronized folder out of targets by an exception.
  private func removeFromFolder(
    _ linked: LinkedWord, _ owners: [ProjectEditor.ID], _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> Bool {
    guard linked.sourceTree == nil else { return false }
    var isThere = false
    for target in owners {
      guard let place = try editor.synchronized(linked.path, for: target) else { continue }
      if editor.draft.builds(place, target), try editor.set(place, built: false, by: target) { isThere = true }
      for phase in editor.phases(target) where editor.remove(place, from: .phase(phase)) { isThere = true }
      try editor.removeEmptyEmbedPhase(of: target)
    }
    return isThere
  }

  private func find(_ word: String, _ editor: inout ProjectEditor) throws(ProjectEditError) -> ProjectEditor.ID? {
    if let known = try editor.linked(LinkedWord(word, isLibrary: isLibrary)) { return known }
    let name = LinkedWord(word, isLibrary: isLibrary).name
    let isLinked = ["framework", "xcframework", "a", "tbd", "dylib"].contains { name.hasSuffix("." + $0) }
    return try isLinked ? editor.node(word.contains("/") ? word : name)?.id : nil
  }
}

extension ProjectEditor {
  /// The reference to a framework or library that is in the project already.
  mutating func linked(_ word: LinkedWord) throws(ProjectEditError) -> ID? {
    let tree = try tree()
    let path = word.sourceTree.map { "$(\($0))/" + word.path } ?? word.path
    if let known = tree.nodes.first(where: { !$0.isGroup && $0.path == path }) { return known.id }
    // References below the developer folder, as Xcode makes them, are the system's, too.
    guard word.sourceTree != nil else { return nil }
    return tree.nodes.first { node in
      !node.isGroup && node.name == word.name
        && (node.path.hasPrefix("$(SDKROOT)/") || node.path.hasPrefix("$(DEVELOPER_DIR)/"))
    }?.id
  }

  /// The group that Xcode keeps frameworks in.
  mutating func frameworksGroup() throws(ProjectEditError) -> ProjectTree.Node {
    let main = try mainGroup()
    let known = try tree().nodes.first { $0.isGroup && $0.parent == main && $0.name == "Frameworks" }
    if let known { return known }
    return try addGroup("Frameworks", path: nil, in: main, at: .last)
  }

  /// A phase that was only there to embed goes with the last file.
  mutating func removeEmptyEmbedPhase(of target: ID) throws(ProjectEditError) {
    guard let phase = phase(.embed, of: target), list(phase, "files").isEmpty,
      text(phase, "name") == "Embed Frameworks",
      !all(ExceptionSet.phase(phase).isa).contains(where: { text($0, "buildPhase") == phase })
    else { return }
    remove(phase, from: "buildPhases", of: target)
    drop(phase)
  }
}
