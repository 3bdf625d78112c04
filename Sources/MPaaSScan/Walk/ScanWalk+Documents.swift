import MPaaSAppPackage
import MPaaSConfig
import MPaaSSupport

extension ScanWalk {
  func document(_ bytes: Bytes, _ path: String) -> Bool {
    guard bytes.count <= limits.document else { return false }
    if FileSystem.name(of: path) == "AndroidManifest.xml" { return manifest(bytes, path) }
    let root: PropertyListValue
    do throws(ConfigError) {
      root = try BundleDocument.read(bytes, path)
    } catch {
      // A file of that name in a folder of sources is no fault.
      guard ContentKind.isInApp(path) else { return false }
      add(.malformed, ScanPlace(path, offset: error.offset(in: bytes)), error.code.id.name)
      return true
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

extension ConfigError {
  /// The byte that an error is about, in a file that it counts lines of, too; nil where none is told.
  fileprivate func offset(in bytes: Bytes) -> UInt64? {
    switch place {
    case .bytes(_, let offset)?: return offset
    case .text(_, let line, _)?:
      let ends = withExtendedLifetime(bytes) { bytes.buffer.enumerated().lazy.filter { $0.element == 0x0a } }
      return line > 1 ? ends.dropFirst(line - 2).first.map { UInt64($0.offset) + 1 } : 0
    default: return nil
    }
  }
}
