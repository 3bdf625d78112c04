/// Calls of the system that only hand on what others want done: event loops, queues, threads, message forwarding.
///
/// They stand below everything, so a crash without calls of the program says nothing by them.
enum EventPlumbing {
  /// - Parameter name: Canonical.
  static func isPlumbing(_ name: String) -> Bool {
    functions.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  private static let functions: Set<String> = [
    "UIApplicationMain", "-[UIApplication _run]", "NSApplicationMain", "-[NSApplication run]", "NSExtensionMain",
    "-[NSObject doesNotRecognizeSelector:]", "+[NSObject doesNotRecognizeSelector:]", "___forwarding___",
    "-[NSThread main]", "__NSThread__start__", "-[NSRunLoop run]", "-[NSRunLoop runUntilDate:]",
    "-[NSRunLoop runMode:beforeDate:]", "__NSOQSchedule", "-[NSOperationInternal _start:]", "-[NSOperation start]",
    "RunCurrentEventLoopInMode", "ReceiveNextEventCommon", "_DPSNextEvent", "_CFThrowFormattedException",
    "_pthread_body", "dispatch_sync", "dispatch_async", "dispatch_once", "dispatch_main",
  ]

  private static let prefixes = [
    "__CFRUNLOOP_IS_", "__CFRunLoop", "_CFRunLoop", "CFRunLoopRun", "GSEventRun", "_dispatch_", "_pthread_",
    "_CF_forwarding_prep", "_BlockUntilNextEventMatchingList",
  ]
}
