import CCurl
import MPaaSSupport
import MPaaSTime

/// One job on its way: the file, the servers that are left, and what follows from each answer.
final class DownloadTask {
  /// The next step.
  enum Step {
    /// Ask this server, not before that time.
    case ask(String, at: TimeSpan)
    /// The file is whole, as far as sizes tell.
    case verify
    case finished(Result<HTTPResponse, HTTPError>)
  }

  let number: Int
  let job: DownloadJob
  let file: PartialFile
  private let policy: DownloadPolicy
  private let times: TransferTimes
  /// The servers that may still have the file, the best first.
  private var urls: [String]
  /// Those that failed in this round; all have a turn before the next one.
  private var failed: Set<String> = []
  private var rounds = 0
  private var passing = 0
  private var distrusted = 0
  private var source: PartialSource?
  /// Tells whether bytes of more than one answer are in the file.
  private var isMixed: Bool
  /// The servers that were asked for all of it after they would not go on.
  private var restarted: Set<String> = []
  private var status = 0
  /// The digests that the last answer says the file has.
  private(set) var claims: [FileClaim] = []
  private var headers: [String: String] = [:]
  /// The error when no server is left: that something else came, else that one refused, else that none has it.
  private var wrong: HTTPError?
  private var refused: HTTPError?
  private var absent: HTTPError?
  private var lastAsked = ""
  /// The reason why the last request failed; nil where none did.
  private(set) var lastError: HTTPError?
  /// The most bytes that there were.
  private var mark: UInt64

  init(
    _ job: DownloadJob, _ number: Int, _ policy: DownloadPolicy, _ times: TransferTimes, _ health: MirrorHealth
  ) throws(FileError) {
    self.job = job
    self.number = number
    self.policy = policy
    self.times = times
    urls = health.sorted(job.urls)
    file = try Self.file(for: job, limit: job.size ?? policy.limits.size ?? .max)
    isMixed = file.size > 0
    mark = file.size
    if let partial = job.partial, isMixed { source = PartialSource(beside: partial) }
  }

  private static func file(for job: DownloadJob, limit: UInt64) throws(FileError) -> PartialFile {
    guard let partial = job.partial else { return try PartialFile(beside: job.target) }
    do throws(FileError) {
      return try PartialFile(continuing: partial, beside: job.target, limit: limit)
    } catch {
      // Another program gets the same file now.
      guard error.code == .resourceTemporarilyUnavailable else { throw error }
      return try PartialFile(beside: job.target)
    }
  }

  /// The first step: where a run ended between the last byte and the name, nothing is asked for.
  func first(_ health: MirrorHealth) -> Step {
    if let size = job.size, file.size == size, size > 0 { return .verify }
    return next(health)
  }

  /// Makes a request, after it forgot what the answer could not be known to go on with.
  func attempt(_ url: String) throws(FileError) -> DownloadAttempt {
    let validator = source?.url == url ? source?.validator : nil
    let isCertain = validator != nil || (job.partial != nil && job.isKnownByContent)
    if file.size > 0, job.acceptsCompression || !isCertain { try restart() }
    lastAsked = url
    return DownloadAttempt(url, job, policy.limits, into: file, of: file.size > 0 ? validator : nil)
  }

  /// The step that follows from the end of a request.
  func ended(_ attempt: DownloadAttempt, _ outcome: mp_curl_outcome, _ health: inout MirrorHealth) -> Step {
    if let source = attempt.source {
      self.source = source
      isMixed = false
    } else if file.size > attempt.start, attempt.start > 0 {
      isMixed = true
    }
    guard let fault = attempt.fault(outcome) else {
      status = outcome.status
      headers = attempt.head.fields
      claims = attempt.digests
      if status == 304 { return .finished(.success(response)) }
      return .verify
    }
    do throws(FileError) {
      return try follow(fault, attempt, &health)
    } catch {
      return .finished(.failure(HTTPError(.file(error), url: attempt.url)))
    }
  }

  /// The step that follows from the verdict on the whole file, which has its name where it was accepted.
  ///
  /// - Parameter broken: The header whose digest the file does not have; nil where it has them all.
  func verified(
    _ isAccepted: Bool, broken: String? = nil, _ failure: FileError?, _ health: inout MirrorHealth
  ) -> Step {
    if let failure { return .finished(.failure(HTTPError(.file(failure), url: lastAsked))) }
    if isAccepted {
      if !lastAsked.isEmpty { health.noteSuccess(lastAsked) }
      if let partial = job.partial { try? PartialSource.remove(beside: partial) }
      return .finished(.success(response))
    }
    let url = lastAsked.isEmpty ? urls.first ?? "" : lastAsked
    let error = HTTPError(broken == nil ? .notAccepted : .damaged, url: url, reason: broken ?? "")
    do throws(FileError) {
      // No server is to blame for what was here before.
      guard !lastAsked.isEmpty else {
        try restart()
        return next(health)
      }
      try exclude(lastAsked, wrong: error, isInFile: true, &health)
      return next(health)
    } catch {
      return .finished(.failure(HTTPError(.file(error), url: lastAsked)))
    }
  }

  private var response: HTTPResponse { HTTPResponse(status: status, size: file.size, headers: headers) }

  /// Forgets what is in the file.
  private func restart() throws(FileError) {
    try file.restart()
    source = nil
    isMixed = false
    if let partial = job.partial { try PartialSource.remove(beside: partial) }
  }

  private func follow(
    _ fault: DownloadFault, _ attempt: DownloadAttempt, _ health: inout MirrorHealth
  ) throws(FileError) -> Step {
    let url = attempt.url
    switch fault {
    case .local(let error): return .finished(.failure(error))
    case .absent(let error):
      lastError = error
      absent = absent ?? error
      urls.removeAll { $0 == url }
    case .refused(let error):
      lastError = error
      health.noteFailure(url)
      // A handshake may break as any connection does; a wrong certificate stays wrong.
      distrusted += error.code == .notTrusted ? 1 : 0
      if error.code == .notTrusted, distrusted < 3, !policy.resumesOnly {
        failed.insert(url)
      } else {
        give(up: url, error)
      }
    case .cannotResume(let error):
      lastError = error
      try restart()
      if restarted.insert(url).inserted { return .ask(url, at: times.now()) }
      give(up: url, error)
    case .wrong(let error, let isInFile):
      try exclude(url, wrong: error, isInFile: isInFile, &health)
    case .passing(let error, let retryAfter):
      lastError = error
      return try wait(for: url, attempt, error, retryAfter, &health)
    }
    return next(health)
  }

  private func give(up url: String, _ error: HTTPError) {
    refused = refused ?? error
    urls.removeAll { $0 == url }
  }

  private func exclude(
    _ url: String, wrong error: HTTPError, isInFile: Bool, _ health: inout MirrorHealth
  ) throws(FileError) {
    lastError = error
    health.noteFailure(url)
    if isInFile {
      // Perhaps it was the other part that is wrong, or the line: this server sends all of it, once.
      let isToAskAgain = (isMixed || error.code == .damaged) && restarted.insert(url).inserted
      try restart()
      if isToAskAgain { return }
    }
    wrong = wrong ?? error
    urls.removeAll { $0 == url }
  }

  private func wait(
    for url: String, _ attempt: DownloadAttempt, _ error: HTTPError, _ retryAfter: TimeSpan?,
    _ health: inout MirrorHealth
  ) throws(FileError) -> Step {
    health.noteFailure(url)
    // Measured from the most that there ever was, so that a server that begins anew each time comes to an end.
    let isFruitful = job.size != nil && file.size >= mark + (1 << 20) && !policy.resumesOnly
    mark = max(mark, file.size)
    passing = isFruitful ? 0 : passing + 1
    if isFruitful { return .ask(url, at: times.now()) }
    let mayGoOn = !policy.resumesOnly || (error.code == .unreachable && file.size > 0)
    guard passing < policy.attempts, mayGoOn else { return .finished(.failure(wrong ?? error)) }
    failed.insert(url)
    if let retryAfter {
      if retryAfter > policy.longestRetryAfter { give(up: url, error) }
      health.close(url, until: times.now() + min(retryAfter, policy.longestRetryAfter))
    }
    return next(health)
  }

  /// The next server of this round; where all had their turn, a pause before the next round.
  private func next(_ health: MirrorHealth) -> Step {
    let now = times.now()
    if let url = urls.first(where: { !failed.contains($0) }) { return .ask(url, at: max(now, health.opens(url))) }
    guard let url = urls.min(by: { health.opens($0) < health.opens($1) }) else {
      let error = wrong ?? refused ?? absent ?? HTTPError(.badURL, url: job.urls.first ?? "")
      return .finished(.failure(error))
    }
    failed = []
    let limit = min(policy.longestPause, policy.firstPause * (1 << min(rounds, 16)))
    rounds += 1
    return .ask(url, at: max(now + times.jitter(limit), health.opens(url)))
  }
}
