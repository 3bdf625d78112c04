import MPaaSSupport

extension ScanWalk {
  func document(_ bytes: Bytes, _ path: String) -> Bool {
    guard bytes.count <= limits.document else { return false }
    if FileSystem.name(of: path) == "AndroidManifest.xml" { return manifest(bytes, path) }
    guard let root = BundleDocument.root(bytes, path) else {
      // A file of that name in a folder of sources is no fault.
      return false
    }
    if path.hasSuffix(".xcprivacy") {
      report.privacyManifests.append(PrivacyManifest(root, path: path))
    } else if report.bundles.count < limits.bundles,
      let bundle = BundleFacts(root, folder: BundleDocument.bundle(of: path), list: path)
    {
      report.bundles.append(bundle)
    }
    return true
  }

  private func manifest(_ bytes: Bytes, _ path: String) -> Bool {
    // The text that the manifest is compiled from is for other tools.
    if bytes.buffer.first == UInt8(ascii: "<") { return false }
    do throws(AndroidXMLError) {
      let manifest = try AndroidManifest(bytes, path: path)
      report.androidManifests.append(manifest)
      report.findings += manifest.findings
    } catch {
      add(.malformed, ScanPlace(path, offset: UInt64(max(error.offset, 0))), error.reason)
    }
    return true
  }

  /// Searches a file of an app for secrets; those of a folder of sources are for other tools.
  func search(_ bytes: Bytes, _ path: String) {
    guard secretsLeft > 0, let secrets, SecretSearch.isWanted(path), ContentKind.isInApp(path) else { return }
    take(secrets: secrets.findings(in: bytes, ScanPlace(path)), ScanPlace(path))
  }

  /// Takes findings of secrets, as long as there are not so many that none would be read.
  func take(secrets found: [ScanFinding], _ place: ScanPlace) {
    report.findings += found.prefix(secretsLeft)
    secretsLeft -= found.count
    if secretsLeft <= 0, !found.isEmpty { add(.unread, place, "secrets > \(limits.secrets)") }
  }
}
