internal import CLua

extension PatchHarness {
  /// Runs in a process of its own, which can do nothing else afterwards: no file can be opened or written.
  package static func runConfined(_ request: HarnessRequest) -> HarnessReport {
    mp_confine(30, 4 << 30)
    return PatchHarness(request).run()
  }
}
