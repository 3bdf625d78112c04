package import MPaaSConfig
import MPaaSSupport

extension PBXDraft {
  /// The file with the changes.
  ///
  /// The result has been read again, and holds what the draft says.
  ///
  /// - Throws: `pbx-edit` where it does not, which is a fault of ours.
  package func finished() throws(ConfigError) -> PBXProjectFile {
    let changed = changes()
    guard rootMembers != file.rootMembers || !changed.isEmpty else { return file }
    let bytes = rewritten(changed)
    // A result that cannot be read again is a fault of the edit, not of the file.
    guard let result = try? PBXProjectFile(bytes, file: file.file) else { throw fault }
    try check(result, changed)
    return result
  }

  private var fault: ConfigError { ConfigError(.pbxEdit, ["file": file.file], at: .file(file.file)) }

  /// The objects that are not as they were in the file.
  private func changes() -> [String: PBXObject?] {
    touched.filter { id, object in object != file.object(id) }
  }

  private func rewritten(_ changed: [String: PBXObject?]) -> [UInt8] {
    let layout = PBXLayout(file.tape)
    let style = PBXComments.Style(file)
    let isas = Set(file.isas).union(changed.values.compactMap { $0?.isa })
    let comments = PBXComments(self, style: style, isas: Array(isas))
    var rewrite = PBXRewrite(file.tape, PBXFormatter(layout: layout, comments: comments))
    if rootMembers != file.rootMembers {
      rewrite.changeDictionary(0, to: rootMembers, under: "", isInline: false, except: "objects")
    }
    var removed: Set<Int> = []
    var new: [PBXObject] = []
    for (id, object) in changed.sorted(by: { $0.key < $1.key }) {
      switch (file.entry(id), object) {
      case (let entry?, nil): removed.insert(entry)
      case (nil, let object?): new.append(object)
      case (let entry?, let object?):
        if object.isa == file.kinds[file.entries[entry].kind] {
          let node = file.entries[entry].value
          rewrite.change(node, to: .dictionary(object.members), key: "", isInline: rewrite.isOnOneLine(node))
        } else {
          removed.insert(entry)
          new.append(object)
        }
      case (nil, nil): break
      }
    }
    let sections = PBXSections(file, layout)
    let kept = Set(new.map(\.isa))
    for (position, text) in sections.insertions(new, rewrite.formatter) { rewrite.add(position..<position, text) }
    for range in sections.removals(removed, kept: kept) { rewrite.add(range, "") }
    renewComments(changed, comments, style, &rewrite)
    return rewrite.result()
  }

  /// Objects that are called otherwise now are so wherever their ids stand.
  private func renewComments(
    _ changed: [String: PBXObject?], _ new: PBXComments, _ style: PBXComments.Style, _ rewrite: inout PBXRewrite
  ) {
    guard !style.isSilent else { return }
    var candidates = changed.filter { id, object in object != nil && file.contains(id) }.map(\.key)
    guard changed.contains(where: { id, object in isCalledOtherwise(file.object(id), object) }) else { return }
    let old = PBXComments(file, style: style, isas: file.isas)
    candidates += dependents(of: Set(changed.keys))
    var texts: [[UInt8]: String] = [:]
    for id in Set(candidates) where !(changed[id].map { $0 == nil } ?? false) {
      guard let text = new.comment(of: id), let before = old.comment(of: id), text != before else { continue }
      texts[Array(id.utf8)] = text
    }
    guard !texts.isEmpty else { return }
    let lengths = Set(texts.keys.map(\.count))
    for node in file.tape.nodes.indices where file.tape.nodes[node].kind == .word {
      let span = file.tape.nodes[node].span
      guard lengths.contains(span.count), let text = texts[Array(file.tape.bytes[span])] else { continue }
      let comment = rewrite.layout.comment(behind: span.upperBound)
      if !comment.isEmpty { rewrite.add(comment, " /* \(text) */", isComment: true) }
    }
  }

  private func isCalledOtherwise(_ old: PBXObject?, _ new: PBXObject?) -> Bool {
    guard let old, let new else { return false }
    let names = ["name", "path", "productName", "repositoryURL", "relativePath", "fileRef", "productRef", "isa"]
    return names.contains { old[$0] != new[$0] }
      || (old.isa.hasSuffix("BuildPhase") && old["files"] != new["files"])
  }

  /// The objects whose comments speak of these.
  private func dependents(of ids: Set<String>) -> [String] {
    var result: [String] = []
    for file in file.objects("PBXBuildFile") {
      if (file.string("fileRef") ?? file.string("productRef")).map(ids.contains) == true { result.append(file.id) }
    }
    for id in ids {
      guard let object = object(id) else { continue }
      if object.isa.hasSuffix("BuildPhase") { result += object.strings("files") }
      if object.isa == "PBXFileSystemSynchronizedRootGroup" { result += object.strings("exceptions") }
      if object.isa.hasSuffix("Target"), let list = object.string("buildConfigurationList") {
        result.append(list)
        result += self.object(list)?.strings("buildConfigurations") ?? []
        for isa in isas where isa.hasSuffix("ExceptionSet") { result += file.ids(isa) }
      }
    }
    return result
  }

  private var isas: [String] { file.isas }

  /// Holds the result against what the draft says.
  private func check(_ result: PBXProjectFile, _ changed: [String: PBXObject?]) throws(ConfigError) {
    guard result.rootMembers == rootMembers else { throw fault }
    let gone = changed.filter { $0.value == nil && file.contains($0.key) }.count
    let new = changed.filter { $0.value != nil && !file.contains($0.key) }.count
    guard result.entries.count == file.entries.count - gone + new else { throw fault }
    for (id, object) in changed {
      guard let object else {
        if result.contains(id) { throw fault }
        continue
      }
      guard let found = result.object(id), found.id == object.id, found.says(object) else { throw fault }
    }
    for entry in file.entries {
      let id = file.tape.string(entry.node)
      guard changed[id] == nil else { continue }
      guard let other = result.entry(id), result.says(other, as: entry, of: file) else { throw fault }
    }
  }
}

extension PBXObject {
  /// Tells whether both have the same members, in whatever order.
  fileprivate func says(_ other: PBXObject) -> Bool {
    members.count == other.members.count && members.allSatisfy { other[$0.key].map($0.value.says) == true }
  }
}

extension PBXValue {
  fileprivate func says(_ other: PBXValue) -> Bool {
    switch (self, other) {
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count && left.allSatisfy { right.value(of: $0.key).map($0.value.says) == true }
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.says($1) }
    default: self == other
    }
  }
}

extension PBXProjectFile {
  /// Tells whether an object says what one of another file does: mostly byte for byte.
  fileprivate func says(_ own: Int, as other: Entry, of file: PBXProjectFile) -> Bool {
    let (mine, its) = (entries[own].value, other.value)
    if tape.bytes(of: mine) == file.tape.bytes(of: its) { return true }
    return tape.project(mine) == file.tape.project(its)
  }
}

extension PBXComments.Style {
  /// The habits of who wrote the file.
  init(_ file: PBXProjectFile) {
    self.init()
    func comment(_ isa: String) -> String? {
      guard let entry = file.entries(of: isa).first else { return nil }
      let layout = file.tape.bytes
      let start = Int(file.tape.nodes[file.entries[entry].node].end)
      let end = Int(file.tape.nodes[file.entries[entry].value].start)
      return String(decoding: layout[start..<end], as: UTF8.self)
    }
    namesOwnersOfConfigurations = comment("XCBuildConfiguration")?.contains(" configuration for ") ?? false
    let sets = [
      "PBXFileSystemSynchronizedBuildFileExceptionSet",
      "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet",
    ].compactMap(comment)
    if let first = sets.first { namesExceptionSets = first.contains("Exceptions for") }
    let project = comment("PBXProject") ?? comment("PBXNativeTarget") ?? comment("XCBuildConfiguration")
    isSilent = project.map { !$0.contains("/*") } ?? false
  }
}
