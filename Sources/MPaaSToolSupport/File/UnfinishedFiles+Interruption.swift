package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension UnfinishedFiles {
  /// From now on, SIGINT, SIGTERM and SIGHUP remove the unfinished files before they end the process as usual.
  package static func removeWhenInterrupted() {
    _ = table.count
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      // A signal that is ignored on purpose (nohup) stays ignored.
      guard sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
      signal(number) { number in
        for path in UnfinishedFiles.table {
          if let path { unlink(path) }
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
