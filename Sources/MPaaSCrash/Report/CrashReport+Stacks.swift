package import MPaaSCrashReport

extension CrashReport {
  /// The numbers of the stacks: those of the threads, and one behind them for the last exception's backtrace.
  package var stackIndices: Range<Int> { 0..<threads.count + 1 }

  /// The frames of a thread; with `threads.count`, those of the last exception's backtrace.
  package subscript(stack index: Int) -> [Frame] {
    get { index < threads.count ? threads[index].frames : lastExceptionBacktrace }
    set {
      if index < threads.count { threads[index].frames = newValue } else { lastExceptionBacktrace = newValue }
    }
    _modify {
      if index < threads.count { yield &threads[index].frames } else { yield &lastExceptionBacktrace }
    }
  }

  /// The stack that tells why: the last exception's backtrace, else the crashed thread's, else the first thread's.
  package var decisiveStack: Int? {
    if !lastExceptionBacktrace.isEmpty { return threads.count }
    if let faultingThread, threads.indices.contains(faultingThread) { return faultingThread }
    return threads.isEmpty ? nil : 0
  }

  /// Tells whether each frame has the calls that it has in `other`.
  func hasCalls(of other: CrashReport) -> Bool {
    stackIndices == other.stackIndices
      && stackIndices.allSatisfy { stack in
        self[stack: stack].elementsEqual(other[stack: stack]) { $0.calls == $1.calls }
      }
  }
}
