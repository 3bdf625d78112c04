import MPaaSSupport
import MPaaSTransfer
import Synchronization

/// One call of `ArchiveCache.fetch`: rounds in which it brings what no other call brings, and waits for the rest.
final class ArchiveRun: Sendable {
  private let cache: ArchiveCache
  private let blobs: [ModuleBlob]
  private let meter: ArchiveMeter
  private let isAnew: Bool

  init(
    _ cache: ArchiveCache, _ blobs: [ModuleBlob], anew: Bool, _ progress: @escaping @Sendable (ArchiveProgress) -> Void
  ) {
    self.cache = cache
    self.blobs = blobs
    isAnew = anew
    meter = ArchiveMeter(blobs, progress)
  }

  /// Brings all of them, or throws why the first that is missing is.
  func all() async throws(ModuleError) {
    // An archive that is wanted twice is one.
    var open = Dictionary(blobs.indices.map { (blobs[$0].sha256, $0) }, uniquingKeysWith: min).values.sorted()
    var failures: [(index: Int, error: ModuleError)] = []
    var isFirst = true
    while !open.isEmpty {
      if Task.isCancelled { throw cancelled(open) }
      var mine: [(index: Int, lock: ArchiveLock)] = []
      var rest: [Int] = []
      for index in open {
        if !(isAnew && isFirst), isThere(index) { continue }
        guard let lock = try lock(index) else {
          rest.append(index)
          continue
        }
        // The former owner of the lock may just have brought it.
        if !isAnew, isThere(index) { continue }
        mine.append((index, lock))
      }
      isFirst = false
      open = rest
      if mine.isEmpty, !open.isEmpty { try await wait(open) }
      failures += await ArchiveBatch(cache, blobs, meter, mine).bring()
    }
    if let first = failures.min(by: { $0.index < $1.index }) { throw first.error }
  }

  private func isThere(_ index: Int) -> Bool {
    let blob = blobs[index], path = cache.path(of: blob.sha256)
    guard FileStatus(path) != nil else { return false }
    guard ArchiveDigest.matches(path, size: blob.size, sha256: blob.sha256) else { return false }
    meter.finished(index, isNew: false)
    return true
  }

  private func lock(_ index: Int) throws(ModuleError) -> ArchiveLock? {
    do throws(FileError) {
      return try ArchiveLock.take(cache.lockPath(of: blobs[index].sha256))
    } catch {
      throw ModuleError(error)
    }
  }

  private func wait(_ open: [Int]) async throws(ModuleError) {
    for index in open { meter.waiting(index, owner: ArchiveLock.owner(cache.lockPath(of: blobs[index].sha256))) }
    // Locks are asked for without waiting: who waits in the kernel cannot be cancelled.
    do { try await Task.sleep(for: .milliseconds(50)) } catch { throw cancelled(open) }
  }

  private func cancelled(_ open: [Int]) -> ModuleError {
    ModuleError(.archiveFetchCancelled, ["name": open.first.map { blobs[$0].name } ?? ""])
  }
}
