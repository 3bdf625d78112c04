import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The clearing of caches in a sandbox: first a plan, then its execution.
///
/// Links are never followed, and nothing outside of the root is touched, also where a folder is replaced by a link
/// between plan and execution.
///
///     let purge = try Purge(root: NSHomeDirectory(), rules: PurgeRules(file: list))
///     let plan = purge.plan(.automatic)
///     let result = try purge.run(plan) { progress in … }
public struct Purge: Sendable {
  /// The occasions of a purge.
  public enum Occasion: Sendable, Equatable {
    /// The start of the app: what is too old or too much goes.
    case automatic
    /// The wish of a user: everything purgeable goes.
    case everything
    /// The need of space: the oldest files go until the volume has so many bytes free.
    case space(UInt64)
  }

  /// The root of the sandbox, without links.
  public let root: String
  /// The rules.
  public let rules: PurgeRules
  /// The seconds since 1970.
  package var now: @Sendable () -> Int64 = { KeyValueOptions().now() / 1000 }
  /// The free bytes of the volume that a path is on.
  package var free: @Sendable (String) -> UInt64 = { Purge.freeSpace($0) }

  /// Creates a purge of a sandbox.
  ///
  /// - Throws: `StorageError` where the root is no folder.
  public init(root: String, rules: PurgeRules) throws(StorageError) {
    guard let resolved = FileSystem.resolved(root), FileStatus(resolved)?.kind == .folder else {
      throw StorageError(FileError(.list, root, .noSuchFileOrDirectory))
    }
    (self.root, self.rules) = (resolved, rules)
  }

  /// The folder of a rule, which is made where it is missing, for its owner alone.
  public func folder(of rule: PurgeRule) throws(StorageError) -> String {
    let path = root + "/" + rule.path
    do throws(FileError) { try PrivateFolder.create(path) } catch { throw StorageError(error) }
    return path
  }

  /// The files that would go now.
  public func plan(_ occasion: Occasion) -> PurgePlan {
    var plan = PurgePlan()
    var known: Set<String> = []
    var rest: [PurgeScan.Found] = []
    for rule in rules.rules {
      let scan = PurgeScan(rule, root: root)
      if scan.isSkipped { plan.skipped.append(rule.path) }
      let files = scan.files.filter { known.insert($0.path).inserted }
      plan.folders += scan.folders
      switch occasion {
      case .everything: plan.items += files.map { PurgePlan.Item($0, .all) }
      case .automatic: plan.items += automatic(files, rule)
      case .space: rest += files
      }
    }
    if case .space(let wanted) = occasion { plan.items = oldest(rest, until: wanted) }
    return plan
  }

  private func automatic(_ files: [PurgeScan.Found], _ rule: PurgeRule) -> [PurgePlan.Item] {
    let limit = rule.age == .manual ? .min : now() - Int64(rule.age.rawValue) * 86_400
    var items = files.filter { $0.status.modified < limit }.map { PurgePlan.Item($0, .age) }
    let young = files.filter { $0.status.modified >= limit }
    var left = young.reduce(0) { $0 + $1.status.size }
    guard rule.size > 0, left > rule.size else { return items }
    for file in young where left > rule.size / 2 {
      items.append(PurgePlan.Item(file, .size))
      left -= file.status.size
    }
    return items
  }

  private func oldest(_ files: [PurgeScan.Found], until wanted: UInt64) -> [PurgePlan.Item] {
    var free = free(root)
    var items: [PurgePlan.Item] = []
    for file in files.sorted(by: { $0.status.modifiedNanoseconds < $1.status.modifiedNanoseconds })
    where free < wanted {
      items.append(PurgePlan.Item(file, .space))
      free += file.status.size
    }
    return items
  }

  /// The bytes of all that is purgeable, each file once.
  public var purgeableSize: UInt64 { plan(.everything).size }

  private static func freeSpace(_ path: String) -> UInt64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let (bytes, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooMuch ? .max : bytes
  }
}

extension PurgePlan.Item {
  init(_ found: PurgeScan.Found, _ reason: PurgePlan.Reason) {
    let status = found.status
    self.init(
      path: found.path, size: status.size, modified: status.modified, reason: reason, identity: status.identity,
      modifiedNanoseconds: status.modifiedNanoseconds)
  }
}
