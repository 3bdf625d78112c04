import CCurl
import MPaaSLock
import MPaaSSupport
import MPaaSTime

/// The words of other threads to the thread of the downloads.
final class DownloadSignals: Sendable {
  struct Verdict {
    let number: Int
    let isAccepted: Bool
    /// The header whose digest the file does not have.
    let broken: String?
    let failure: FileError?

    /// Checks a file, and gives it its name where it is right.
    init(_ number: Int, _ file: PartialFile, _ claims: [FileClaim], _ accept: (String) -> Bool, isSettled: Bool) {
      self.number = number
      var failure: FileError?
      var broken: String?
      do throws(FileError) {
        for claim in claims where broken == nil {
          if try !claim.holds(of: file.path) { broken = claim.name }
        }
      } catch {
        failure = error
      }
      self.broken = broken
      isAccepted = broken == nil && failure == nil && accept(file.path)
      if isAccepted {
        do throws(FileError) { try file.finish(isSettled: isSettled) } catch { failure = error }
      }
      self.failure = failure
    }
  }

  private let state = Lock<(isCancelled: Bool, verdicts: [Verdict])>((false, []))
  private let multi: CurlMulti

  init(_ multi: CurlMulti) {
    self.multi = multi
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    multi.wake()
  }

  func tell(_ verdict: Verdict) {
    state.withLock { $0.verdicts.append(verdict) }
    multi.wake()
  }

  func takeVerdicts() -> [Verdict] {
    state.withLock { state in
      defer { state.verdicts = [] }
      return state.verdicts
    }
  }
}

/// The thread of the downloads: begins requests, drives them, and follows what becomes of them.
final class DownloadLoop {
  /// The executor of the check of a whole file.
  typealias Verifier = (_ check: @escaping @Sendable () -> Void) -> Void

  private let jobs: [DownloadJob]
  private let policy: DownloadPolicy
  private let agent: (name: String, settings: HTTPSettings)
  private let times: TransferTimes
  private let progress: (DownloadEvent) -> Void
  private let multi: CurlMulti
  private let signals: DownloadSignals
  private let verify: Verifier

  private var health = MirrorHealth()
  private var begun = 0
  /// Those that are not finished, by their number.
  private var tasks: [Int: DownloadTask] = [:]
  private var waiting: [(number: Int, url: String, at: TimeSpan)] = []
  private var active: [OpaquePointer: (number: Int, attempt: DownloadAttempt)] = [:]
  private var verifying = 0
  private var results: [Result<HTTPResponse, HTTPError>?]
  private var reported: [Int: UInt64] = [:]
  private var lastReport: TimeSpan

  init(
    _ jobs: [DownloadJob], _ policy: DownloadPolicy, agent: (name: String, settings: HTTPSettings),
    _ times: TransferTimes, _ multi: CurlMulti, _ signals: DownloadSignals, verify: @escaping Verifier,
    progress: @escaping (DownloadEvent) -> Void
  ) {
    self.jobs = jobs
    self.policy = policy
    self.agent = agent
    self.times = times
    self.multi = multi
    self.signals = signals
    self.verify = verify
    self.progress = progress
    results = Array(repeating: nil, count: jobs.count)
    lastReport = times.now()
  }

  /// Goes on until every job is finished, or it is told to stop.
  func run(isCancelled: () -> Bool = { false }) -> [Result<HTTPResponse, HTTPError>] {
    while begun < jobs.count || !tasks.isEmpty {
      if signals.isCancelled || isCancelled() {
        cancel()
        break
      }
      for verdict in signals.takeVerdicts() { judge(verdict) }
      beginMore()
      guard begun < jobs.count || !tasks.isEmpty else { break }
      drive()
      report()
    }
    return results.map { $0 ?? .failure(HTTPError(.cancelled, url: "")) }
  }

  private func drive() {
    let now = times.now()
    let pause = waiting.map { $0.at - now }.min().map { max($0, .zero) }
    if active.isEmpty, verifying == 0, let pause, let skip = times.skip { return skip(pause) }
    // A pause cannot be waited for while all places are taken.
    let isFull = active.count >= policy.parallel
    let longest: TimeSpan = active.isEmpty ? .seconds(1) : .milliseconds(100)
    guard let (session, outcome) = multi.next(within: isFull ? longest : min(pause ?? longest, longest)) else { return }
    guard let (number, attempt) = active.removeValue(forKey: session), let task = tasks[number] else { return }
    follow(task.ended(attempt, outcome, &health), task)
  }

  private func judge(_ verdict: DownloadSignals.Verdict) {
    verifying -= 1
    guard let task = tasks[verdict.number] else { return }
    follow(task.verified(verdict.isAccepted, broken: verdict.broken, verdict.failure, &health), task)
  }

  /// Begins jobs while there is room, then the requests that are due.
  private func beginMore() {
    // More than can be asked for, since some wait or are being checked; not all, since each has an open file.
    while begun < jobs.count, tasks.count < policy.parallel * 3 {
      begun += 1
      begin(begun - 1)
    }
    let now = times.now()
    let due = waiting
    waiting = []
    for item in due {
      if item.at <= now, active.count < policy.parallel, let task = tasks[item.number] {
        ask(item.url, task)
      } else {
        waiting.append(item)
      }
    }
  }

  private func begin(_ number: Int) {
    do throws(FileError) {
      let task = try DownloadTask(jobs[number], number, policy, times, health)
      tasks[number] = task
      follow(task.first(health), task)
    } catch {
      finish(number, .failure(HTTPError(.file(error), url: jobs[number].urls.first ?? "")))
    }
  }

  private func follow(_ step: DownloadTask.Step, _ task: DownloadTask) {
    switch step {
    case .finished(let result): finish(task.number, result)
    case .verify: check(task)
    case .ask(let url, let time):
      let now = times.now()
      if let error = task.lastError { progress(.retrying(job: task.number, error, after: max(time - now, .zero))) }
      waiting.append((task.number, url, time))
    }
  }

  private func ask(_ url: String, _ task: DownloadTask) {
    do throws(FileError) {
      let attempt = try task.attempt(url)
      progress(.began(job: task.number, url: url, have: task.file.size))
      reported[task.number] = task.file.size
      var session: OpaquePointer?
      attempt.withRequest(userAgent: agent.name, settings: agent.settings) { plan in
        session = multi.begin(&plan)
      }
      guard let session else { return finish(task.number, .failure(HTTPError(.other, url: url, reason: "libcurl"))) }
      active[session] = (task.number, attempt)
    } catch {
      finish(task.number, .failure(HTTPError(.file(error), url: url)))
    }
  }

  /// The line stays busy while a large file is read: it is checked elsewhere, and gets its name there.
  private func check(_ task: DownloadTask) {
    report(task, total: task.file.size)
    let (number, accept, isSettled, signals) = (task.number, task.job.accept, policy.settlesFiles, signals)
    let claims = task.claims
    // Waking another thread takes longer than reading a small one.
    if !isSettled, task.file.size <= 1 << 18 {
      let verdict = DownloadSignals.Verdict(number, task.file, claims, accept, isSettled: false)
      return follow(task.verified(verdict.isAccepted, broken: verdict.broken, verdict.failure, &health), task)
    }
    verifying += 1
    let file = UnsafeFile(file: task.file)
    verify { signals.tell(DownloadSignals.Verdict(number, file.file, claims, accept, isSettled: isSettled)) }
  }

  private func finish(_ number: Int, _ result: Result<HTTPResponse, HTTPError>) {
    results[number] = result
    // The thread that checked the file may hold it longer than its job lasts: an empty one is gone before that.
    if case .failure = result, let file = tasks[number]?.file, file.size == 0 { file.discard() }
    tasks[number] = nil
    reported[number] = nil
    progress(.finished(job: number, result.failure))
  }

  /// Ends all transfers; what came stays where a job has a place for it.
  private func cancel() {
    for session in active.keys { multi.end(session) }
    active = [:]
    // A check that goes on holds its file: its job may yet end well.
    for number in jobs.indices where results[number] == nil {
      finish(number, .failure(HTTPError(.cancelled, url: jobs[number].urls.first ?? "")))
    }
  }

  private func report() {
    let now = times.now()
    guard now - lastReport >= .milliseconds(100) else { return }
    lastReport = now
    for (number, attempt) in active.values {
      if let task = tasks[number], reported[number] != task.file.size {
        report(task, total: task.job.size ?? attempt.announced)
      }
    }
  }

  private func report(_ task: DownloadTask, total: UInt64?) {
    reported[task.number] = task.file.size
    progress(.received(job: task.number, HTTPProgress(received: task.file.size, total: total)))
  }
}

/// A file that one thread at a time uses.
///
/// `@unchecked Sendable`: the downloads' thread does not touch it between handing it over and the verdict.
private struct UnsafeFile: @unchecked Sendable {
  let file: PartialFile
}
