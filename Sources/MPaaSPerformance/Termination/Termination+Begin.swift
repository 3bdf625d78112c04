import CPerformance
import CrashReporter
import Dispatch
import MPaaSBase
import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Termination {
  private struct Run {
    var last: Termination?
    var notes: UnsafeMutablePointer<mp_run>?
    var lock: LockFile?
    var timer: (any DispatchSourceTimer)?
  }

  /// `@unchecked Sendable`: the notes are words of memory that are each written whole, as the kernel's pages are read.
  private final class Shared: @unchecked Sendable {
    let run = Lock(Box())

    struct Box: @unchecked Sendable { var run = Run() }
  }

  private static let shared = Shared()

  /// The end of the run before this one; nil before `begin`, and at the first start.
  public static var last: Termination? { shared.run.withLock { $0.run.last } }

  /// Finds out how the last run ended, and begins to note this one's.
  ///
  /// A second call changes nothing. The file `last-run` in the folder is kept up to date: at the end, at signals that end
  /// the process, and every five seconds with the memory in use, unless the app is in the background.
  ///
  /// - Parameters:
  ///   - version: The version of the app: another one at the next start means an update.
  ///   - directory: The folder of the notes; nil for the crash reporter's.
  /// - Returns: How the last run ended; nil at the first start, or where the folder cannot be used.
  @discardableResult
  public static func begin(version: String, directory: String? = nil) -> Termination? {
    begin(version: version, directory: directory, boot: RunSurroundings.bootID)
  }

  @discardableResult
  package static func begin(version: String, directory: String?, boot: String) -> Termination? {
    let folder = directory ?? CrashReporter.folder
    guard last == nil, (try? Directories.create(folder)) != nil else { return last }
    var now = RunSurroundings.notes(version: version)
    now.boot = boot
    let path = folder + "/last-run"
    let found = (try? Bytes.mapping(path)).flatMap { RunNotes($0.array) }
    let lock = LockFile.locking(folder + "/last-run.lock")
    let ended = found.map { facts(of: $0, now: now, folder: folder, isAlive: lock == nil).termination }
    var notes: UnsafeMutablePointer<mp_run>?
    if lock != nil {
      var layout = now.layout
      notes = mp_run_begin(path, &layout)
      if let notes { mp_run_note_memory(notes) }
    }
    let timer = notes == nil ? nil : noteMemory()
    shared.run.withLock { box in
      box.run = Run(
        last: ended, notes: notes ?? box.run.notes, lock: lock ?? box.run.lock, timer: timer ?? box.run.timer)
    }
    return ended
  }

  private static func facts(of last: RunNotes, now: RunNotes, folder: String, isAlive: Bool) -> TerminationFacts {
    let crash = CrashReporter.end(ofProcess: last.process, at: Double(last.began) / 1e6, in: folder)
    let hung = CrashReporter.wasHung(process: last.process, since: Double(last.began) / 1e6, in: folder)
    return TerminationFacts(last: last, now: now, crash: crash, hung: hung, isAlive: isAlive)
  }

  private static func noteMemory() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + 5, repeating: 5, leeway: .seconds(1))
    timer.setEventHandler {
      shared.run.withLock { box in
        if let notes = box.run.notes, notes.pointee.is_in_background == 0 { mp_run_note_memory(notes) }
      }
    }
    timer.resume()
    return timer
  }

  /// Notes that the app goes into the background, or comes back: an end there is no surprise.
  public static func noteBackground(_ isInBackground: Bool) {
    shared.run.withLock { box in
      guard let notes = box.run.notes else { return }
      mp_run_note_memory(notes)
      notes.pointee.is_in_background = isInBackground ? 1 : 0
    }
  }

  /// Notes that the system has warned of low memory.
  public static func noteLowMemory() {
    shared.run.withLock { box in
      guard let notes = box.run.notes else { return }
      mp_run_note_memory(notes)
      notes.pointee.low_memory = notes.pointee.seen
    }
  }
}
