import Foundation
import MPaaSTestSupport
import Testing

/// Holds what each library for apps declares for Apple's privacy reports, and what its sources really use.
@Suite("Privacy manifests") struct PrivacyTests {
  /// Functions and properties that need a reason, by their category ("Describing use of required reason API").
  private static let functions: [String: String] = [
    "FileTimestamp":
      #"(?<![\w.])(l|f)?stat(at)?\(|getattrlist|modificationDate|creationDate|contentModificationDateKey|creationDateKey"#,
    "SystemBootTime": #"processInfo\.systemUptime|mach_absolute_time"#,
    "DiskSpace":
      #"(?<![\w.])f?stat(v)?fs(64)?\(|volumeAvailableCapacity|volumeTotalCapacity|\bsystemFreeSize|\bsystemSize\b"#,
    "ActiveKeyboards": #"activeInputModes"#,
    "UserDefaults": #"UserDefaults\."#,
  ]

  private static let products: [String] = {
    let text = (try? String(contentsOf: Fixture.package.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    return text.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
  }()

  /// A target and all that it may import of ours.
  private static func closure(_ target: String) -> Set<String> {
    var found: Set<String> = []
    var next = [target]
    while let target = next.popLast() {
      if found.insert(target).inserted { next += ArchitectureTests.allowed[target] ?? [] }
    }
    return found
  }

  /// The categories of what the sources of targets call, outside of comments.
  private static func categories(of targets: Set<String>) throws -> Set<String> {
    var found: Set<String> = []
    for target in targets {
      let folder = Fixture.package.appending(path: "Sources/\(target)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
      for file in files ?? [] where ["swift", "c", "cpp", "h", "m"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        for (category, pattern) in functions where code.range(of: pattern, options: .regularExpression) != nil {
          found.insert(category)
        }
      }
    }
    return found
  }

  private static func manifest(_ product: String) throws -> [String: Any] {
    let file = Fixture.package.appending(path: "Sources/\(product)/PrivacyInfo.xcprivacy")
    let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    return try #require(list as? [String: Any])
  }

  @Test("are there for each library, and say that it tracks no one", arguments: products)
  func form(_ product: String) throws {
    let manifest = try Self.manifest(product)
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    for data in try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]]) {
      let name = try #require(data["NSPrivacyCollectedDataType"] as? String)
      #expect(name.hasPrefix("NSPrivacyCollectedDataType"))
      #expect(data["NSPrivacyCollectedDataTypeLinked"] is Bool, "\(name)")
      #expect(data["NSPrivacyCollectedDataTypeTracking"] as? Bool == false, "\(name)")
      #expect((data["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false, "\(name)")
    }
  }

  @Test("name the functions that need a reason, as the sources use them", arguments: products)
  func reasons(_ product: String) throws {
    let entries = try #require(try Self.manifest(product)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let declared = try entries.map { entry in
      #expect((entry["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false)
      return try #require(entry["NSPrivacyAccessedAPIType"] as? String)
        .replacing("NSPrivacyAccessedAPICategory", with: "")
    }
    let used = try Self.categories(of: Self.closure(product))
    #expect(Set(declared) == used)
  }

  @Test("find what needs a reason")
  func detection() throws {
    #expect(try Self.categories(of: ["MPaaSSupport"]) == ["FileTimestamp"])
    #expect(try Self.categories(of: ["MPaaSFramework"]) == ["UserDefaults"])
    #expect(try Self.categories(of: ["MPaaSTime", "MPaaSLock"]) == [])
  }
}
