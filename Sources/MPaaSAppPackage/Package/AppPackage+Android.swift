import MPaaSDigests
import MPaaSSupport

extension AppPackage {
  private static let manifest = "AndroidManifest.xml"

  static func android(_ archive: PackageArchive) throws(AppPackageError) -> AppPackage {
    guard let bytes = try archive.content(manifest) else { throw AppPackageError(.damaged, manifest) }
    let root: AndroidElement
    do throws(AndroidXMLError) {
      guard BinaryXML.matches(bytes) else { throw AndroidXMLError(reason: "chunk", offset: 0) }
      root = try BinaryXML.root(bytes)
    } catch {
      throw AppPackageError(.damaged, "\(manifest): \(error.reason) @ \(error.offset)")
    }
    guard root.name == "manifest", let identifier = root.attributes["package"], !identifier.isEmpty else {
      throw AppPackageError(.damaged, "\(manifest): package")
    }
    var package = AppPackage(kind: .apk)
    package.identifier = identifier
    package.version = try text(root.attributes["versionName"], archive) ?? ""
    package.build = root.attributes["versionCode"] ?? ""
    package.minimumSystem = root.all("uses-sdk").first?.attributes["minSdkVersion"] ?? ""
    package.name = try text(root.all("application").first?.attributes["label"], archive) ?? identifier
    package.signature = archive.signature.map { found in
      Signature(certificate: found.certificate.sha256.hexadecimal, scheme: found.scheme)
    }
    return package
  }

  /// A value of the manifest, or what it refers to; nil where that is not found.
  private static func text(_ value: String?, _ archive: PackageArchive) throws(AppPackageError) -> String? {
    guard let value, !value.isEmpty else { return nil }
    guard value.hasPrefix("@0x"), let id = UInt32(value.dropFirst(3), radix: 16) else { return value }
    guard let table = try archive.content("resources.arsc", most: PackageArchive.largestTable) else { return nil }
    return ResourceTable(table).string(id)
  }
}
