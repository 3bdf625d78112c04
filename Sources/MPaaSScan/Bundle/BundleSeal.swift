import MPaaSCodeSignature
import MPaaSConfig
import MPaaSSupport

/// A signed bundle while its files are gone through: its list of sealed files, and what its main program was signed with.
final class BundleSeal {
  /// The folder that paths of the list count from: that of `_CodeSignature`.
  let root: String
  let resources: Bytes
  let infoPlist: Bytes?
  private var check: SealedResourcesCheck
  private let executable: String?
  private let profile: ProvisioningProfile?
  private var program: SignatureCheck?

  static let listName = "_CodeSignature/CodeResources"
  private static let profileNames = ["embedded.mobileprovision", "embedded.provisionprofile"]

  /// Reads the list, `Info.plist` and the profile of a bundle.
  ///
  /// - Parameter read: The content of a file by its path from `root`; nil where there is none.
  /// - Throws: `CodeSignatureError` of the list or of the profile.
  init?(root: String, read: (String) -> Bytes?) throws(CodeSignatureError) {
    guard let resources = read(Self.listName) else { return nil }
    self.root = root
    self.resources = resources
    let infoPlist = read("Info.plist") ?? read("Resources/Info.plist")
    self.infoPlist = infoPlist
    let list = infoPlist.flatMap { BundleDocument.root($0, "Info.plist") }
    let isOnMac = FileSystem.name(of: root) == "Contents"
    executable = list?["CFBundleExecutable"]?.string.map { isOnMac ? "MacOS/" + $0 : $0 }
    check = SealedResourcesCheck(try SealedResources(resources), executable: executable)
    let stored = Self.profileNames.lazy.compactMap(read).first
    profile = try stored.map { bytes throws(CodeSignatureError) in try ProvisioningProfile(bytes) }
  }

  /// The path of a file from the bundle's root; nil for one that is not in it.
  private func inner(_ path: String) -> String? {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil
  }

  /// Tells whether the content of a file is sealed by a digest.
  func needsContent(of path: String) -> Bool { inner(path).map { check.needsContent(of: $0) } ?? false }

  /// Takes a file of the bundle; one that is not sealed by a digest may come without its content.
  func add(_ path: String, _ content: Bytes) {
    if let inner = inner(path) { check.add(inner, content: content) }
  }

  func add(_ path: String, linkTo destination: String) {
    if let inner = inner(path) { check.add(inner, linkTo: destination) }
  }

  /// The files that the signature of an image covers beside it; none for images that are not the main program.
  func surroundings(of path: String) -> SignatureCheck.Surroundings? {
    guard let executable, inner(path) == executable else { return nil }
    return SignatureCheck.Surroundings(infoPlist: infoPlist, resources: resources)
  }

  /// Takes the judgement of an image's signature; that of the main program is held against the profile.
  func take(_ check: SignatureCheck, of path: String) {
    if let executable, inner(path) == executable { program = program ?? check }
  }

  /// Tells, when all files were taken, what is wrong with the bundle.
  ///
  /// - Parameters:
  ///   - images: The images that were met, those of the bundle among them.
  ///   - time: The present, in seconds since 1970.
  func findings(_ images: [ScannedImage], at time: Int) -> [ScanFinding] {
    for code in check.nestedCode {
      let path = root + "/" + code
      let hashes = images.filter { $0.path == path || $0.path.hasPrefix(path + "/") }.flatMap(\.cdhashes)
      if !hashes.isEmpty { check.add(code, cdhashes: hashes) }
    }
    let sealed = check.findings().map { finding in
      ScanFinding(finding, ScanPlace(root + "/" + (finding.values["path"] ?? Self.listName)), from: 0)
    }
    guard let profile else { return sealed }
    let signer = program?.chain?.certificates.first
    let profiled = profile.findings(entitlements: program?.entitlements, signer: signer, at: time)
    return sealed + profiled.map { ScanFinding($0, ScanPlace(root + "/" + Self.profileNames[0]), from: 0) }
  }
}

extension ScannedImage {
  fileprivate var cdhashes: [[UInt8]] {
    guard case .machO(let facts) = facts else { return [] }
    return (facts.signature?.directories ?? []).compactMap { [UInt8](hexadecimal: $0.cdhash) }
  }
}
