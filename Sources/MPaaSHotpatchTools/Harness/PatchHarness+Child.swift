internal import CLua
package import MPaaSSupport

extension PatchHarness {
  /// Runs in a process of its own, which can do nothing else afterwards.
  ///
  /// It opens no file, no connection and no process, makes no memory executable and signals no other process.
  ///
  /// - Throws: `Errno` where the system does not offer this; nothing was run then.
  package static func runConfined(_ request: HarnessRequest) throws(Errno) -> HarnessReport {
    let failure = mp_confine(30, 4 << 30)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return PatchHarness(request).run()
  }
}
