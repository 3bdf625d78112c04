import MPaaSSupport
import MPaaSTransfer
import Synchronization

/// Archives that this process alone brings now: from files of this machine, then from servers.
struct ArchiveBatch {
  private let cache: ArchiveCache
  private let blobs: [ModuleBlob]
  private let meter: ArchiveMeter
  private let mine: [(index: Int, lock: ArchiveLock)]

  init(
    _ cache: ArchiveCache, _ blobs: [ModuleBlob], _ meter: ArchiveMeter, _ mine: [(index: Int, lock: ArchiveLock)]
  ) {
    self.cache = cache
    self.blobs = blobs
    self.meter = meter
    self.mine = mine
  }

  /// - Returns: What did not come, and why.
  func bring() async -> [(index: Int, error: ModuleError)] {
    var failures: [(index: Int, error: ModuleError)] = []
    var remote: [(index: Int, lock: ArchiveLock)] = []
    for (index, lock) in mine {
      if Task.isCancelled { return [(index, blobs[index].error(HTTPError(.cancelled, url: "")))] }
      let source = LocalArchive(blobs[index], in: cache)
      if source.bring() {
        meter.finished(index, isNew: true)
      } else if blobs[index].webAddresses.isEmpty {
        meter.failed(index)
        failures.append((index, source.error))
      } else {
        remote.append((index, lock))
      }
    }
    return remote.isEmpty ? failures : failures + (await fetch(remote))
  }

  private func fetch(_ remote: [(index: Int, lock: ArchiveLock)]) async -> [(index: Int, error: ModuleError)] {
    let locks = Mutex<[ArchiveLock?]>(remote.map(\.lock))
    let indexes = remote.map(\.index)
    let results = await cache.downloads.run(indexes.map { job(blobs[$0]) }) { [meter, blobs] event in
      switch event {
      case .began(let job, _, let have): meter.received(indexes[job], have, counts: false)
      case .received(let job, let progress): meter.received(indexes[job], progress.received, counts: true)
      case .retrying(let job, let error, let pause):
        meter.retrying(indexes[job], blobs[indexes[job]].error(error), after: pause)
      case .finished(let job, let error):
        if error == nil { meter.finished(indexes[job], isNew: true) } else { meter.failed(indexes[job]) }
        // Others who wait for this archive need not wait for the rest.
        let lock = locks.withLock { locks in
          defer { locks[job] = nil }
          return locks[job]
        }
        withExtendedLifetime(lock) {}
      }
    }
    return zip(indexes, results).compactMap { index, result in
      guard case .failure(let error) = result else { return nil }
      return (index, blobs[index].error(error))
    }
  }

  private func job(_ blob: ModuleBlob) -> DownloadJob {
    let (size, sha256) = (blob.size, blob.sha256)
    return DownloadJob(
      blob.webAddresses, to: cache.path(of: sha256), partial: cache.partialPath(of: sha256), size: size
    ) { ArchiveDigest.matches($0, size: size, sha256: sha256) }
  }
}

extension ModuleBlob {
  var webAddresses: [String] { urls.filter { $0.contains("://") } }
  var localAddresses: [String] { urls.filter { !$0.contains("://") } }

  /// The reason why the archive did not come from any server.
  func error(_ error: HTTPError) -> ModuleError {
    let values = ["name": name, "sha256": sha256, "url": error.url, "reason": error.reason]
    switch error.code {
    case .notAccepted, .damaged, .tooLarge: return ModuleError(.archiveDigestMismatch, values)
    case .cancelled: return ModuleError(.archiveFetchCancelled, ["name": name])
    case .unreachable, .timedOut, .status, .other:
      if error.isAbsence { return ModuleError(.archiveMissing, values) }
      return ModuleError(.archiveNotFetched(error.diagnostic.exit), values)
    case .noLibrary, .badURL, .notTrusted, .tooManyRedirects, .file: return ModuleError(error)
    }
  }
}
