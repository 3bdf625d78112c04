/// The exceptions of a synchronized folder for a target, or for a phase that copies files.
enum ExceptionSet {
  case target(ProjectEditor.ID)
  case phase(ProjectEditor.ID)

  var isa: String {
    switch self {
    case .target: "PBXFileSystemSynchronizedBuildFileExceptionSet"
    case .phase: "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet"
    }
  }

  /// The member that names whose they are, and its value.
  var owner: (key: String, id: ProjectEditor.ID) {
    switch self {
    case .target(let id): ("target", id)
    case .phase(let id): ("buildPhase", id)
    }
  }
}

extension ProjectEditor {
  private func known(_ set: ExceptionSet, of folder: ID) -> ID? {
    list(folder, "exceptions").first { isa($0) == set.isa && text($0, set.owner.key) == set.owner.id }
  }

  /// The exceptions of a folder for a target or a phase, made where there are none.
  private mutating func made(
    _ set: ExceptionSet, of folder: ID, _ members: [(String, PBXValue)] = []
  ) throws(ProjectEditError) -> ID {
    if let known = known(set, of: folder) { return known }
    let owner = set.owner
    let id = add(set.isa, seed: folder + " " + owner.id, members + [(owner.key, .string(owner.id))])
    try insert(id, into: "exceptions", of: folder)
    return id
  }

  /// Puts files into a target's exceptions of a folder, or takes them out of them.
  ///
  /// An exception turns round what holds for the folder: a target that has it does without the file, another has the file.
  mutating func set(
    _ files: [String], excepted isExcepted: Bool, in folder: ID, _ target: ID
  ) throws(ProjectEditError) {
    let known = known(.target(target), of: folder)
    let old = known.map { list($0, "membershipExceptions") } ?? []
    let files = files.map { $0.hasPrefix("/Localized: ") ? $0 : PathWords.plain($0) }
    var new = old
    for file in files {
      if isExcepted {
        if !new.contains(file) { new.insert(file, at: new.firstIndex { $0 > file } ?? new.count) }
      } else {
        if !new.contains(file) { note(.absent, file) }
        new.removeAll { $0 == file }
      }
    }
    guard new != old else { return }
    if let known {
      set(known, "membershipExceptions", new)
      let others = object(known)?.members.filter { !["isa", "membershipExceptions", "target"].contains($0.key) }
      if new.isEmpty, others?.isEmpty ?? true { removeExceptions(of: folder) { $0 == target } }
      return
    }
    _ = try made(.target(target), of: folder, [("membershipExceptions", .strings(new))])
  }

  mutating func removeExceptions(of folder: ID, where isMeant: (ID) -> Bool) {
    for id in list(folder, "exceptions") where isMeant(text(id, "target") ?? "") {
      remove(id, from: "exceptions", of: folder)
      drop(id)
    }
    if self[folder, "exceptions"] != nil, list(folder, "exceptions").isEmpty {
      set(folder, "exceptions", PBXValue?.none)
    }
  }

  // MARK: - Files that lie in them

  /// Finds the synchronized folder that a path lies in, rather one that a target has; nil where it lies in none.
  mutating func synchronized(_ path: String, for target: ID?) throws(ProjectEditError) -> SynchronizedFile? {
    let places = try tree().synchronized(holding: path)
    return places.first { place in target.map { draft.isGiven(place.folder.id, $0) } ?? false } ?? places.first
  }

  /// Has a target build a file of a synchronized folder, or do without it.
  ///
  /// - Returns: false where only the exception of a whole folder could say it.
  mutating func set(
    _ place: SynchronizedFile, built isBuilt: Bool, by target: ID
  ) throws(ProjectEditError) -> Bool {
    guard draft.builds(place, target) != isBuilt else { return true }
    guard let exception = draft.exception(for: place, target) else {
      try set([place.file], excepted: true, in: place.folder.id, target)
      return true
    }
    guard exception == place.file || exception.hasPrefix("/Localized: ") else { return false }
    try set([exception], excepted: false, in: place.folder.id, target)
    return true
  }

  /// Sets what a target's or a phase's exceptions say of one file: flags, attributes.
  mutating func set(
    _ key: String, _ value: PBXValue, of place: SynchronizedFile, _ set: ExceptionSet
  ) throws(ProjectEditError) {
    let id = try made(set, of: place.folder.id)
    var byPath = self[id, key] ?? [:]
    byPath[place.file] = value
    self.set(id, key, byPath)
  }

  /// Puts a file into a list of a target's or a phase's exceptions: public headers, members of a phase.
  mutating func insert(
    _ place: SynchronizedFile, into key: String, of set: ExceptionSet
  ) throws(ProjectEditError) {
    try insert(place.file, into: key, of: try made(set, of: place.folder.id), at: .sorted)
  }

  /// Takes a file out of what a phase copies of a synchronized folder.
  ///
  /// - Returns: false where it was not in it.
  mutating func remove(_ place: SynchronizedFile, from set: ExceptionSet) -> Bool {
    let folder = place.folder.id
    guard let id = known(set, of: folder), list(id, "membershipExceptions").contains(place.file) else { return false }
    remove(place.file, from: "membershipExceptions", of: id)
    if var attributes = self[id, "attributesByRelativePath"] {
      attributes[place.file] = nil
      let rest: PBXValue? = attributes.members?.isEmpty ?? true ? nil : attributes
      self.set(id, "attributesByRelativePath", rest)
    }
    guard list(id, "membershipExceptions").isEmpty else { return true }
    remove(id, from: "exceptions", of: folder)
    drop(id)
    if list(folder, "exceptions").isEmpty { self.set(folder, "exceptions", PBXValue?.none) }
    return true
  }
}
