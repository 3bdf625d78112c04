import MPaaSCodeSignature
import MPaaSConfig
import MPaaSDigests
import MPaaSSupport

extension AppPackage {
  /// - Parameter app: The folder of the app in the archive.
  static func ios(_ archive: PackageArchive, _ app: String) throws(AppPackageError) -> AppPackage {
    let list = try archive.list(app + "/Info.plist")
    var package = AppPackage(kind: .ipa)
    package.take(list)
    package.name = list["CFBundleDisplayName"]?.string ?? list["CFBundleName"]?.string ?? Self.stem(app)
    package.minimumSystem = list["MinimumOSVersion"]?.string ?? ""
    guard !package.identifier.isEmpty else { throw AppPackageError(.damaged, "\(app)/Info.plist: CFBundleIdentifier") }
    if let bytes = try archive.content(app + "/embedded.mobileprovision") {
      package.signature = try signature(bytes, app + "/embedded.mobileprovision")
    }
    return package
  }

  static func xcode(_ archive: PackageArchive, _ path: String) throws(AppPackageError) -> AppPackage {
    let list = try archive.list(path)
    guard let properties = list["ApplicationProperties"], properties["CFBundleIdentifier"]?.string != nil else {
      throw AppPackageError(.unknown, "\(path): ApplicationProperties")
    }
    var package = AppPackage(kind: .xcarchive)
    package.take(properties)
    package.name = list["Name"]?.string ?? properties["ApplicationPath"]?.string.map(Self.stem) ?? package.identifier
    if let team = properties["Team"]?.string { package.signature = Signature(team: team) }
    return package
  }

  private mutating func take(_ list: PropertyListValue) {
    identifier = list["CFBundleIdentifier"]?.string ?? ""
    version = list["CFBundleShortVersionString"]?.string ?? ""
    build = list["CFBundleVersion"]?.string ?? ""
  }

  /// `Shop` of `Payload/Shop.app`.
  private static func stem(_ path: String) -> String {
    let name = FileSystem.name(of: path)
    return name.hasSuffix(".app") ? String(name.dropLast(4)) : name
  }

  private static func signature(_ bytes: Bytes, _ path: String) throws(AppPackageError) -> Signature {
    let profile: ProvisioningProfile
    do throws(CodeSignatureError) {
      profile = try ProvisioningProfile(bytes)
    } catch {
      throw AppPackageError(.damaged, "\(path): \(error.code.rawValue)")
    }
    var signature = Signature(team: profile.teams.first ?? "", profile: profile.name)
    signature.expires = profile.expiration
    signature.certificate = profile.certificates.first.map { $0.sha256.hexadecimal } ?? ""
    signature.distribution =
      if profile.isForAllDevices {
        .enterprise
      } else if profile.devices == nil {
        .store
      } else {
        profile.entitlements["get-task-allow"]?.boolean == true ? .development : .adHoc
      }
    return signature
  }
}
