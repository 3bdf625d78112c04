/// The thing that a thread waits for, read from the kernel's functions that it is in.
struct WaitReason: Equatable {
  /// The system call, as its manual page names it; `page fault` where it waits for memory.
  let call: String?
  /// The kernel's function that waits.
  let function: String?

  /// - Parameter functions: Innermost first; the scheduler's own are passed over.
  init(_ functions: [String]) {
    call = functions.lazy.compactMap(Self.call).first
    function = functions.first { !Self.isScheduler($0) && Self.call(of: $0) == nil }
  }

  /// Functions that do the work of one call alone; compilers let the call's own end with a jump to them.
  private static let bodies = ["kernel_wait4": "wait4", "kernel_waitid": "waitid", "do_futex": "futex"]

  private static let prefixes = ["__x64_sys_", "__arm64_sys_", "__se_sys_", "__do_sys_", "__ia32_sys_", "ksys_"]

  private static func call(of function: String) -> String? {
    if function.contains("exc_page_fault") || function == "do_user_addr_fault" || function == "do_page_fault" {
      return "page fault"
    }
    if let call = bodies[function] { return call }
    guard let prefix = prefixes.first(where: { function.hasPrefix($0) }) else { return nil }
    return String(function.dropFirst(prefix.count))
  }

  private static let schedulers = [
    "__schedule", "schedule", "io_schedule", "preempt_schedule", "perf_", "__perf_", "___perf_", "prepare_task_switch",
  ]

  private static func isScheduler(_ function: String) -> Bool {
    schedulers.contains { function.hasPrefix($0) } || function.contains("cond_resched")
  }
}
