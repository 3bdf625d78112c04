import MPaaSModules
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `Info.plist` of an XCFramework: which library is for which system.
struct XCFrameworkList: Decodable {
  struct Slice: Decodable {
    let identifier: String
    /// Below the folder that is named after the identifier.
    let library: String
    let architectures: [String]
    /// `ios`, `macos`, …; Mac Catalyst is `ios` with a variant.
    let platform: String
    /// `simulator`, `maccatalyst`.
    let variant: String?

    private enum CodingKeys: String, CodingKey {
      case identifier = "LibraryIdentifier"
      case library = "LibraryPath"
      case architectures = "SupportedArchitectures"
      case platform = "SupportedPlatform"
      case variant = "SupportedPlatformVariant"
    }

    var path: String { identifier + "/" + library }

    /// The system whose devices it is for.
    var device: ModulePlatform? {
      guard variant == nil else { return nil }
      // Apple's name for visionOS here.
      return platform == "xros" ? .visionos : ModulePlatform(rawValue: platform)
    }
  }

  let slices: [Slice]

  private enum CodingKeys: String, CodingKey {
    case slices = "AvailableLibraries"
  }

  /// nil where the bytes are no property list with what is needed, or a path in it leads elsewhere.
  init?(_ bytes: Bytes) {
    guard let list = try? PropertyListDecoder().decode(XCFrameworkList.self, from: Data(bytes.buffer)),
      list.slices.allSatisfy({ ModulePath.isValid($0.path) }), !list.slices.isEmpty, list.slices.count <= 64
    else { return nil }
    self = list
  }
}
