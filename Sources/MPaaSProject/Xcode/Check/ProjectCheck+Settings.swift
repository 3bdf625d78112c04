extension ProjectCheck {
  /// Build settings that name a file.
  static let fileSettings = [
    "INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS", "SWIFT_OBJC_BRIDGING_HEADER", "GCC_PREFIX_HEADER", "MODULEMAP_FILE",
  ]

  /// Products that have no Info.plist, whatever their settings say.
  private static let withoutPlist = [
    "com.apple.product-type.library.static", "com.apple.product-type.objfile", "com.apple.product-type.tool",
  ]

  /// The files that targets' own build settings name: what the project or an `.xcconfig` sets may be another's.
  func settingClaims() -> [DiskClaim] {
    file.targets.filter { $0.isa == "PBXNativeTarget" }.flatMap { target -> [DiskClaim] in
      let hasPlist = !Self.withoutPlist.contains(target.string("productType") ?? "")
      return file.configurations(of: target).flatMap { configuration -> [DiskClaim] in
        let paths = SettingPaths(configuration, of: target, bundle: surroundings.bundle)
        func claim(_ key: String, _ text: String, _ value: String?) -> DiskClaim? {
          guard let path = paths.path(text), !path.isEmpty, !path.hasPrefix("/") else { return nil }
          let values = [
            "setting": key, "target": name(target), "configuration": configuration.string("name") ?? "",
          ]
          return DiskClaim(
            rule: .missingSettingFile, path: rooted(path), values: values, id: configuration.id,
            offset: offset(of: configuration.id, setting: key, value))
        }
        let files = Self.fileSettings.filter { hasPlist || $0 != "INFOPLIST_FILE" }.flatMap { key in
          paths.values(key).compactMap { claim(key, $0, $0) }
        }
        // Xcode ends the build where a folder of assets for previews is not there.
        let folders = SettingWords.words(configuration["buildSettings"]?["DEVELOPMENT_ASSET_PATHS"])
          .map { $0.filter { $0 != "\"" } }.compactMap { claim("DEVELOPMENT_ASSET_PATHS", $0, nil) }
        return files + folders
      }
    }
  }
}
