#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The place that keeps the language that a user chose, beyond the end of the app.
public struct LanguagePreference: Sendable {
  /// The tag that was kept; nil where none was chosen.
  public var load: @Sendable () -> String?
  /// Keeps a tag, or forgets it where it is nil.
  public var save: @Sendable (String?) -> Void

  /// Makes a preference from closures that read and keep the tag.
  public init(load: @escaping @Sendable () -> String?, save: @escaping @Sendable (String?) -> Void) {
    self.load = load
    self.save = save
  }

  /// Kept nowhere: the choice ends with the app.
  public static let none = LanguagePreference(load: { nil }, save: { _ in })

  /// Kept in a file; one that cannot be written keeps nothing.
  public static func file(_ path: String) -> LanguagePreference {
    LanguagePreference {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path, isDirectory: false)), data.count <= 64 else {
        return nil
      }
      return String(decoding: data, as: UTF8.self)
    } save: { tag in
      if let tag {
        try? Data(tag.utf8).write(to: URL(fileURLWithPath: path, isDirectory: false), options: .atomic)
      } else {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  #if canImport(Darwin)
    /// Kept in the app's defaults, under a key of the kit's.
    public static let defaults = LanguagePreference {
      UserDefaults.standard.string(forKey: "mpaas.language")
    } save: { tag in
      UserDefaults.standard.set(tag, forKey: "mpaas.language")
    }
  #endif
}
