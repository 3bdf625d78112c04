package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder in which only the user and the system's administrator can put or exchange anything.
///
/// Keys and what is trusted lie in such folders only. The folder and everything above it are looked at: who can rename
/// a parent exchanges all that is in it.
///
/// - Source: OpenSSH's `StrictModes` (`sshd_config(5)`, `safe_path` of its `misc.c`), here up to the root.
package enum OwnFolder {
  /// The facts that the check asks of the system.
  package struct System: Sendable {
    /// The user who runs this process.
    package var user: UInt32
    /// Owner, group and mode of what stands at a path, a link itself rather than what it points to; nil where nothing
    /// does.
    package var entry: @Sendable (String) -> Entry?
    package var account: @Sendable (UInt32) -> UserAccount?

    package static var live: System {
      System(user: geteuid(), entry: { Entry(at: $0) }, account: { UserAccount($0) })
    }
  }

  package struct Entry: Sendable, Equatable {
    package var owner: UInt32
    package var group: UInt32
    /// The lowest 12 bits of its mode.
    package var mode: UInt32
    /// The target of a link; nil for anything else.
    package var link: String?

    package init(owner: UInt32, group: UInt32, mode: UInt32, link: String? = nil) {
      self.owner = owner
      self.group = group
      self.mode = mode
      self.link = link
    }

    init?(at path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.init(owner: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode) & 0o7777)
      guard status.st_mode & S_IFMT == S_IFLNK else { return }
      link = (try? FileSystem.target(ofLink: path)) ?? ""
    }
  }

  /// Checks a folder, which need not be there yet, and all that is above it.
  ///
  /// - Throws: `FolderError`.
  package static func check(_ path: String, _ system: System = .live) throws(FolderError) {
    guard !path.hasPrefix(Directories.nowhere) else { throw FolderError(problem: .homeUnknown, path: path) }
    var absolute = path
    if !path.hasPrefix("/") { absolute = (FileSystem.resolved(".") ?? "") + "/" + path }
    var walk = Walk(system, folder: absolute)
    try walk.go(absolute)
  }

  /// The way down from the root to the folder, through links.
  private struct Walk {
    let system: System
    let folder: String
    /// The owners that are trusted: the user, the administrator, and whoever has the root folder, which in a container
    /// may be neither.
    let trusted: Set<UInt32>
    var links = 0

    init(_ system: System, folder: String) {
      self.system = system
      self.folder = folder
      trusted = [system.user, 0, system.entry("/")?.owner ?? 0]
    }

    mutating func go(_ path: String) throws(FolderError) {
      let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      var place = ""
      for (index, part) in parts.enumerated() where part != "." {
        if part == ".." {
          place = place.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(place[..<$0]) } ?? ""
          continue
        }
        let parent = place
        place += "/" + part
        guard let entry = system.entry(place) else { return }
        try look(at: entry, place, isLast: index == parts.count - 1)
        guard let link = entry.link else { continue }
        links += 1
        guard links <= 40 else { return }
        let rest = parts[(index + 1)...].map { "/" + $0 }.joined()
        return try go((link.hasPrefix("/") ? link : parent + "/" + link) + rest)
      }
    }

    private func look(at entry: Entry, _ place: String, isLast: Bool) throws(FolderError) {
      guard trusted.contains(entry.owner) else { throw error(.otherOwner, entry, place) }
      // Links have no permissions of their own.
      guard entry.link == nil, entry.mode & 0o022 != 0 else { return }
      // In a folder like /tmp a user cannot take away what another one has; what stands there is looked at next.
      if entry.mode & 0o1000 != 0, !isLast { return }
      let isAlone = entry.mode & 0o002 == 0 && system.account(entry.owner)?.isAlone(inGroup: entry.group) == true
      guard isAlone, !isLast else { throw error(.writable, entry, place) }
    }

    private func error(_ problem: FolderError.Problem, _ entry: Entry, _ place: String) -> FolderError {
      func name(_ user: UInt32) -> String { system.account(user)?.name ?? String(user) }
      return FolderError(
        problem: problem, path: place, folder: folder, owner: name(entry.owner), user: name(system.user),
        mode: entry.mode)
    }
  }
}

/// The reason why a folder is no place for keys and trust.
package struct FolderError: Error, Sendable, Equatable {
  package enum Problem: Sendable, Equatable {
    /// Neither the environment nor the password database knows a home.
    case homeUnknown
    /// The folder, or one above it, belongs to another user.
    case otherOwner
    /// Others can write into the folder, or into one above it.
    case writable
  }

  package let problem: Problem
  /// The folder that is at fault: the one that was asked for, or one above it.
  package let path: String
  /// The folder that was asked for.
  package let folder: String
  package let owner: String
  package let user: String
  package let mode: UInt32

  init(
    problem: Problem, path: String, folder: String = "", owner: String = "", user: String = "", mode: UInt32 = 0
  ) {
    self.problem = problem
    self.path = path
    self.folder = folder
    self.owner = owner
    self.user = user
    self.mode = mode
  }
}

extension FolderError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let values = [
      "path": path, "folder": folder, "owner": owner, "user": user, "mode": String(mode, radix: 8),
    ]
    return switch problem {
    case .homeUnknown: Diagnostic("home-unknown", exit: .badConfiguration)
    case .otherOwner: Diagnostic("folder-other-owner", values, at: .file(path), exit: .notPermitted)
    case .writable: Diagnostic("folder-writable", values, at: .file(path), exit: .notPermitted)
    }
  }
}
