import MPaaSLogs
package import MPaaSSupport

extension LogError.Code {
  /// Nothing of the window may go into the archive.
  package static var packEmpty: Self { LogError.Code("log-pack-empty", exit: .negative) }
  package static var packFailed: Self { LogError.Code("log-pack-failed", exit: .cannotCreate) }
}
