package import MPaaSCodeSignature
package import MPaaSSecrets
package import MPaaSSupport

/// Reads finished apps, libraries and archives of them, and tells what it finds.
package struct Scan: Sendable {
  package var limits = ScanLimits()
  /// Tells whether files with images get a digest, which reads all of them.
  package var hashesFiles = false
  /// The present, in seconds since 1970, that profiles are held against.
  package var time = 0
  /// The rules that secrets are known by; nil to look for none.
  package var secretRules: SecretRules?
  package var secretReach = SecretReach.data
  /// Roots that the caller trusts, for chains of certificates.
  package var anchors: [X509Certificate] = []

  /// The modules that the app is made of, as its project lists them.
  package var modules: [KnownModule] = []

  package init() {}

  /// The report of files and folders.
  ///
  /// - Throws: `FileError` where an input cannot be read. Damage inside one is a finding.
  package func report(of paths: [String]) throws(FileError) -> ScanReport {
    let secrets = secretReach == .none ? nil : secretRules.map { SecretSearch(rules: $0, reach: secretReach) }
    let walk = ScanWalk(limits, hashesFiles: hashesFiles, time: time, secrets: secrets, anchors: anchors)
    for path in paths { try walk.input(path) }
    var report = walk.report
    report.modules = modules
    report.findings += BundleFindings(report).all
    report.findings.sort(by: ScanFinding.precedes)
    return report
  }
}
