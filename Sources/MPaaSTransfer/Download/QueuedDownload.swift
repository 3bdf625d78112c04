import MPaaSLock
import MPaaSSupport
import MPaaSTime

extension TransferErrand {
  /// The path of what came until it is whole.
  var partialPath: String { transfer.file + ".part" }

  /// Brings the file: from one place after another, resumed where an earlier attempt ended.
  func download() throws(TransferFault) {
    if transfer.parts > 1, try RangedDownload(self).run() { return }
    var job = DownloadJob([transfer.url] + transfer.mirrors, to: transfer.file, partial: partialPath)
    job.headers = queue.headers(for: transfer.url, transfer).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let found = Lock<String?>(nil)
    let wanted = transfer.sha256?.lowercased()
    job.isKnownByContent = wanted != nil
    job.accept = { [self] path in
      guard let digest = try? FileDigest.of(path, isCancelled: { isEnded }) else { return false }
      found.withLock { $0 = digest.hexadecimal }
      return wanted == nil || wanted == digest.hexadecimal
    }
    let pause = Lock<TimeSpan?>(nil)
    do throws(HTTPError) {
      let response = try queue.downloads.wait(
        for: job, isCancelled: { [self] in isEnded || pause.withLock { $0 != nil } }
      ) { [self] event in
        switch event {
        case .received(_, let progress): received(progress)
        case .retrying(_, _, let after) where after > .zero:
          // Whole seconds, as the server said; some of the first has passed.
          pause.withLock { $0 = .seconds((after.milliseconds + 999) / 1000) }
        default: break
        }
      }
      try settle(Int64(clamping: response.size), found.withLock { $0 }, response.status)
    } catch {
      if let after = pause.withLock({ $0 }), wasEnded == nil {
        throw .passing(word: "server-failed", reason: error.reason, retryAfter: after)
      }
      throw TransferFault(error)
    }
  }

  private func received(_ progress: HTTPProgress) {
    if let total = progress.total { setSize(Int64(clamping: total)) }
    moved(Int64(clamping: progress.received))
  }

  private func settle(_ size: Int64, _ digest: String?, _ status: Int) throws(HTTPError) {
    do throws(TransferFault) {
      setSize(size)
      try acknowledge(size)
      try note { record in
        record.sha256 = digest
        record.status = status
      }
    } catch {
      throw HTTPError(.other, url: transfer.url, reason: "queue")
    }
  }
}
