import MPaaSDigests
package import MPaaSSupport
package import MPaaSTrust

/// Content that becomes a target.
package enum TargetContent: Sendable {
  case file(String)
  case bytes([UInt8])
}

extension RepositoryDraft {
  /// Adds a target, or puts a new one in the place of one of the same name.
  ///
  /// - Parameter role: Who vouches for it; nil for the role that clients ask first for this name.
  /// - Returns: The role.
  /// - Throws: `TrustError` `target-name`, `target-name-twin` where another name has the same letters in other bytes,
  ///   `role-unknown`, `target-not-covered` where the role may not vouch for the name, and the file's own.
  @discardableResult
  package mutating func add(
    _ content: TargetContent, as name: String, custom: JSONValue? = nil, role: String? = nil
  ) throws(TrustError) -> String {
    let role = try responsible(checking: name, below: role)
    for other in try rolesAsked(for: name) {
      for known in try body(of: other)?.targets.keys ?? [] { try TargetName.distinguish(name, known) }
    }
    let file = try keep(content, custom)
    try change(role) { body in body.targets[name] = file }
    return role
  }

  /// Adds several targets; each role's metadata is made once.
  ///
  /// - Throws: As `add` of one.
  package mutating func add(_ contents: ExactMap<TargetContent>, role: String? = nil) throws(TrustError) {
    var files: [String: ExactMap<TargetFile>] = [:]
    // As strings, of which equal letters are one.
    var known: [String: String] = [:]
    var read: Set<String> = []
    for (name, content) in contents.sortedByName {
      let role = try responsible(checking: name, below: role)
      for other in try rolesAsked(for: name) where read.insert(other).inserted {
        for name in try body(of: other)?.targets.keys ?? [] { known[name] = name }
      }
      try TargetName.distinguish(name, known[name] ?? name)
      known[name] = name
      files[role, default: [:]][name] = try keep(content, nil)
    }
    for (role, files) in files {
      try change(role) { body in body.targets.merge(files) { $1 } }
    }
  }

  private mutating func responsible(checking name: String, below role: String?) throws(TrustError) -> String {
    try TargetName.validate(name)
    return try responsible(for: name, below: role)
  }

  /// Keeps content for the staged files, and says what metadata tells of it.
  private mutating func keep(_ content: TargetContent, _ custom: JSONValue?) throws(TrustError) -> TargetFile {
    let bytes: Bytes
    switch content {
    case .bytes(let array): bytes = Bytes(array)
    case .file(let path):
      do throws(FileError) { bytes = try Bytes.mapping(path) } catch { throw TrustError(error) }
    }
    let digest = bytes.sha256.hexadecimal
    self.content[digest] = bytes
    return TargetFile(length: bytes.count, digests: FileDigests(sha256: digest), custom: custom)
  }

  /// Takes a target out of every role that vouches for it.
  ///
  /// - Returns: Those roles.
  /// - Throws: `TrustError` `target-unknown` where no role does.
  @discardableResult
  package mutating func remove(_ name: String) throws(TrustError) -> [String] {
    var roles: [String] = []
    for role in try rolesAsked(for: name) where try body(of: role)?.targets[name] != nil {
      try change(role) { body in body.targets[name] = nil }
      roles.append(role)
    }
    guard !roles.isEmpty else { throw TrustError(.targetUnknown, ["name": name]) }
    return roles
  }

  /// The target that clients will find under a name, and the role that vouches for it; nil where they find nothing.
  package mutating func target(_ name: String) throws(TrustError) -> (file: TargetFile, role: String)? {
    for role in try rolesAsked(for: name) {
      if let file = try body(of: role)?.targets[name] { return (file, role) }
    }
    return nil
  }

  /// The content of a target as it is published or staged; nil where no role vouches for it or its file is missing.
  package mutating func bytes(of name: String) throws(TrustError) -> Bytes? {
    guard let file = try target(name)?.file, let digest = file.digests.hexadecimal["sha256"] else { return nil }
    if let bytes = content[digest] { return bytes }
    for path in [folder.target(name, sha256: digest), folder.stagedFiles + "/" + digest] where FileStatus(path) != nil {
      do { return try Bytes.mapping(path) } catch { throw TrustError(error) }
    }
    return nil
  }

  /// All targets as they will be, by name, with the role that vouches for each.
  package mutating func allTargets() throws(TrustError) -> ExactMap<(file: TargetFile, role: String)> {
    var all: ExactMap<(file: TargetFile, role: String)> = [:]
    for role in ["targets"] + (try delegations().map(\.name)) {
      for (name, file) in try body(of: role)?.targets ?? [:] where all[name] == nil { all[name] = (file, role) }
    }
    return all
  }

  /// The roles that clients ask for a name, in their order (TUF section 5.6.7): depth first, a terminating role is the
  /// last.
  mutating func rolesAsked(for name: String) throws(TrustError) -> [String] {
    var asked: [String] = []
    var waiting = ["targets"]
    while let role = waiting.popLast(), asked.count < 1 << 10 {
      guard !asked.contains(role) else { continue }
      asked.append(role)
      let (children, isLast) = Self.children(of: try body(of: role), covering: name)
      if isLast { waiting = [] }
      waiting += children.reversed()
    }
    return asked
  }

  /// The delegated roles that cover a name, up to the first terminating one.
  static func children(of body: TargetsMetadata?, covering name: String) -> (names: [String], isLast: Bool) {
    let found = body?.delegations?.roles(covering: name) ?? []
    return (found.map(\.name), found.last?.isTerminating ?? false)
  }

  /// The role that a name belongs to: from `role`, or targets, down along the first delegations that cover it.
  private mutating func responsible(for name: String, below role: String?) throws(TrustError) -> String {
    if let role, role != "targets", !(try isCovered(name, by: role)) {
      throw TrustError(.targetNotCovered, ["name": name, "role": role])
    }
    var current = role ?? "targets"
    for _ in 0..<32 {
      guard let body = try body(of: current) else { throw TrustError(.roleUnknown, ["role": current]) }
      // A role that is named is meant, except for one with bins, which divide up what is theirs.
      if role != nil, !Self.hasBins(body) { return current }
      guard let next = Self.children(of: body, covering: name).names.first else { return current }
      current = next
    }
    return current
  }

  private static func hasBins(_ body: TargetsMetadata) -> Bool {
    switch body.delegations?.roles {
    case .succinct: true
    case .listed(let roles): roles.contains { if case .hashPrefixes = $0.scope { true } else { false } }
    case nil: false
    }
  }

  private mutating func isCovered(_ name: String, by role: String) throws(TrustError) -> Bool {
    guard let own = try delegations().first(where: { $0.name == role }) else {
      throw TrustError(.roleUnknown, ["role": role])
    }
    guard Self.children(of: try body(of: own.parent), coveringAnyTermination: name).contains(role) else { return false }
    if own.parent == "targets" { return true }
    return try isCovered(name, by: own.parent)
  }

  private static func children(of body: TargetsMetadata?, coveringAnyTermination name: String) -> [String] {
    if case .listed(let roles) = body?.delegations?.roles { return roles.filter { $0.scope.covers(name) }.map(\.name) }
    return children(of: body, covering: name).names
  }
}

extension TrustError.Code {
  package static let targetUnknown = TrustError.Code("target-unknown", exit: .inputMissing)
  package static let targetNotCovered = TrustError.Code("target-not-covered", exit: .usage)
}
