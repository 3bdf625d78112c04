import CPerformance
import MPaaSBase

/// The notes of a run, read from its file; see `mp_run.h`.
struct RunNotes: Equatable {
  var process: Int32 = 0
  /// Microseconds since 1970.
  var began: Int64 = 0
  var seen: Int64 = 0
  var inode: UInt64 = 0
  var changed: UInt64 = 0
  var resident: UInt64 = 0
  var available: UInt64 = 0
  var total: UInt64 = 0
  var limit: UInt64 = 0
  var kills: UInt64 = 0
  var lowMemory: Int64 = 0
  /// The status of an end in order; nil without one.
  var status: Int32?
  var signal: UInt32 = 0
  var isInBackground = false
  var isTraced = false
  var boot = ""
  var version = ""
  var system = ""

  init() {}

  /// Reads the file's bytes; nil where they are none of ours.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= MemoryLayout<mp_run>.size else { return nil }
    var run = mp_run()
    withUnsafeMutableBytes(of: &run) { $0.copyBytes(from: bytes.prefix($0.count)) }
    guard Self.text(run.magic) == "MPRUN01\n", run.version == 1 else { return nil }
    process = Int32(bitPattern: run.pid)
    (began, seen) = (run.began, run.seen)
    (inode, changed) = (run.inode, run.changed)
    (resident, available, total, limit) = (run.resident, run.available, run.total, run.limit)
    (kills, lowMemory) = (run.kills, run.low_memory)
    status = run.has_exited == 1 ? run.status : nil
    signal = run.signal
    (isInBackground, isTraced) = (run.is_in_background != 0, run.is_traced != 0)
    (boot, version, system) = (Self.text(run.boot), Self.text(run.app_version), Self.text(run.system))
  }

  /// The text up to the first NUL.
  private static func text(_ characters: some Any) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(utf8: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 }))
    }
  }

  /// The notes as the file has them at the beginning of a run.
  var layout: mp_run {
    var run = mp_run()
    (run.began, run.inode, run.changed, run.kills) = (began, inode, changed, kills)
    run.is_traced = isTraced ? 1 : 0
    Self.put(boot, into: &run.boot)
    Self.put(version, into: &run.app_version)
    Self.put(system, into: &run.system)
    return run
  }

  private static func put(_ text: String, into target: inout some Any) {
    withUnsafeMutableBytes(of: &target) { bytes in
      bytes.copyBytes(from: Array(text.utf8.prefix(bytes.count - 1)))
    }
  }
}
